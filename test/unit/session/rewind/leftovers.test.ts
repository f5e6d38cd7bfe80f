import { describe, expect, it } from 'vitest';
import { leftovers } from '../../../../src/session/rewind/leftovers.ts';

describe('what a rewind does not undo', () => {
  it('is every change that the agent has no copy for', () => {
    const found = leftovers([{ path: 'made.txt', change: 'created' }], new Map());
    expect(found).toEqual([{ path: 'made.txt', change: 'created', afterRewind: false }]);
  });

  it('is not what goes back to what it was', () => {
    const changes = [{ path: 'a.txt', change: 'changed', old: '1' } as const];
    expect(leftovers(changes, new Map([['a.txt', undefined]]))).toEqual([]);
  });

  it('is what goes back, but to another state than that at the prompt', () => {
    const remains = { path: 'a.txt', change: 'changed', old: '1' } as const;
    const found = leftovers([{ path: 'a.txt', change: 'deleted' }], new Map([['a.txt', remains]]));
    expect(found).toEqual([{ ...remains, afterRewind: true }]);
  });

  it('is also a file that is right now and that the rewind makes wrong', () => {
    const remains = { path: 'b.txt', change: 'created' } as const;
    expect(leftovers([], new Map([['b.txt', remains]]))).toEqual([{ ...remains, afterRewind: true }]);
  });

  it('comes in the order of the paths', () => {
    const changes = ['c', 'a', 'b'].map(path => ({ path, change: 'created' }) as const);
    expect(leftovers(changes, new Map()).map(one => one.path)).toEqual(['a', 'b', 'c']);
  });
});
