import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/base/deferred.ts';
import { DisposableStore, toDisposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/emitter.ts';

describe('a store of disposables', () => {
  it('ends its members newest first, once, and late arrivals at once', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => order.push('first')));
    store.add(toDisposable(() => order.push('second')));
    store.dispose();
    store.dispose();
    store.add(toDisposable(() => order.push('late')));
    expect(order).toEqual(['second', 'first', 'late']);
  });

  it('ends every member even when one fails, and then says so', () => {
    let ended = false;
    const store = new DisposableStore();
    store.add(toDisposable(() => (ended = true)));
    store.add({
      dispose() {
        throw new Error('boom');
      },
    });
    expect(() => store.dispose()).toThrow('boom');
    expect(ended).toBe(true);
  });
});

describe('an emitter', () => {
  it('reaches every listener although one throws', () => {
    const errors: unknown[] = [];
    const emitter = new Emitter<number>(error => errors.push(error));
    const got: number[] = [];
    emitter.event(() => {
      throw new Error('bad listener');
    });
    emitter.event(value => got.push(value));
    emitter.fire(1);
    expect(got).toEqual([1]);
    expect(errors).toHaveLength(1);
  });

  it('does not reach a listener that left, also when it left while the value was on its way', () => {
    const emitter = new Emitter<number>();
    const got: number[] = [];
    emitter.event(() => second.dispose());
    const second = emitter.event(value => got.push(value));
    emitter.fire(1);
    expect(got).toEqual([]);
  });
});

describe('a deferred', () => {
  it('is settled once, by whoever comes first', async () => {
    const deferred = new Deferred<number>();
    expect(deferred.resolve(1)).toBe(true);
    expect(deferred.reject(new Error('late'))).toBe(false);
    await expect(deferred.promise).resolves.toBe(1);
  });
});
