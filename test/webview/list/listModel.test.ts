import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fenwick } from '../../../webview/list/fenwick.ts';
import { ListModel } from '../../../webview/list/listModel.ts';

const limits = { estimate: 50, overscan: 100, maxRows: 20 };

function modelOf(...heights: number[]): ListModel {
  const model = new ListModel(limits);
  model.reset(heights.length, false);
  heights.forEach((height, index) => model.measure(index, height));
  return model;
}

describe('Fenwick', () => {
  it('answers every prefix and place like a plain array', () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('push' as const), value: fc.nat(200) }),
      fc.record({ type: fc.constant('set' as const), at: fc.nat(300), value: fc.nat(200) }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 200 }), fc.array(step, { maxLength: 60 }), (values, steps) => {
        const tree = new Fenwick();
        tree.rebuild(Float64Array.from(values), values.length);
        for (const one of steps) {
          if (one.type === 'push') {
            values.push(one.value);
            tree.push(one.value);
          } else if (values.length > 0) {
            const at = one.at % values.length;
            tree.add(at, one.value - (values[at] ?? 0));
            values[at] = one.value;
          }
        }
        let sum = 0;
        for (let count = 0; count <= values.length; count++) {
          expect(tree.prefix(count)).toBe(sum);
          sum += values[count] ?? 0;
        }
        const limit = sum / 2;
        const count = tree.countWithin(limit);
        expect(tree.prefix(count)).toBeLessThanOrEqual(limit);
        if (count < values.length) expect(tree.prefix(count + 1)).toBeGreaterThan(limit);
      }),
    );
  });
});

describe('ListModel', () => {
  it('takes an estimate for what nobody has measured', () => {
    const model = new ListModel(limits);
    model.reset(10, false);
    expect(model.totalHeight).toBe(500);
    model.measure(3, 80);
    expect(model.totalHeight).toBe(530);
    expect(model.offsetOf(4)).toBe(230);
  });

  it('finds the row at a distance from the top', () => {
    const model = modelOf(10, 20, 30);
    expect([0, 9, 10, 29, 30, 59, 1000].map(offset => model.indexAt(offset))).toEqual([0, 0, 1, 1, 2, 2, 2]);
    expect(new ListModel(limits).indexAt(0)).toBe(-1);
  });

  it('draws the viewport and a margin, and knows the room of the rest', () => {
    const model = new ListModel(limits);
    model.reset(1000, false);
    const window = model.window(10_000, 300);
    expect(window).toEqual({ first: 198, last: 207, before: 9900, after: 39_600 });
  });

  it('never draws more rows than allowed beyond those in sight', () => {
    const model = new ListModel({ estimate: 10, overscan: 5000, maxRows: 20 });
    model.reset(1000, false);
    const { first, last } = model.window(3000, 100);
    expect(last - first + 1).toBe(20);
    expect(model.offsetOf(first)).toBeLessThanOrEqual(3000);
    expect(model.offsetOf(last + 1)).toBeGreaterThanOrEqual(3100);
  });

  it('gives folded rows no room, and their height back when they are unfolded', () => {
    const model = modelOf(10, 20, 30, 40);
    model.hide(1, true);
    model.hide(2, true);
    expect(model.totalHeight).toBe(50);
    expect(model.indexAt(10)).toBe(3);
    model.measure(1, 25);
    expect(model.totalHeight).toBe(50);
    model.hide(1, false);
    expect(model.totalHeight).toBe(75);
  });

  it('keeps the heights of a conversation that only grew', () => {
    const model = modelOf(10, 20);
    model.reset(3, true);
    expect(model.totalHeight).toBe(80);
    model.reset(3, false);
    expect(model.totalHeight).toBe(150);
  });

  it('moves to the neighbour when the anchored row is removed', () => {
    const model = modelOf(10, 20, 30);
    model.anchor = { index: 1, offset: 5 };
    model.remove(1);
    expect(model.anchor).toEqual({ index: 1, offset: 0 });
    model.remove(1);
    expect(model.anchor).toEqual({ index: 0, offset: 0 });
  });

  it('does not pull the next row up when the anchored one gets shorter', () => {
    const model = modelOf(10, 500, 30);
    model.anchor = { index: 1, offset: 400 };
    model.measure(1, 100);
    expect(model.scrollTopOf({ index: 1, offset: 400 })).toBe(109);
  });

  it('keeps the anchored row where it is on screen, whatever happens around it', () => {
    const operation = fc.oneof(
      fc.record({ type: fc.constant('insert' as const), at: fc.nat(1000), count: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ type: fc.constant('remove' as const), at: fc.nat(1000) }),
      fc.record({ type: fc.constant('measure' as const), at: fc.nat(1000), height: fc.integer({ min: 1, max: 900 }) }),
      fc.record({ type: fc.constant('hide' as const), at: fc.nat(1000), hidden: fc.boolean() }),
    );
    const heights = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(heights, fc.nat(100), fc.array(operation, { maxLength: 40 }), (start, share, operations) => {
        const model = modelOf(...start);
        const rows = start.map((height, id) => ({ id, height, hidden: false }));
        const scrollTop = Math.floor((model.totalHeight * share) / 101);
        const anchor = model.anchorAt(scrollTop);
        model.anchor = anchor;
        const read = anchor?.index;
        const shift = scrollTop - model.offsetOf(read ?? 0);
        for (const one of operations) {
          const at = one.at % rows.length;
          if (one.type === 'insert') {
            model.insert(at, one.count);
            rows.splice(
              at,
              0,
              ...Array.from({ length: one.count }, () => ({ id: -1, height: limits.estimate, hidden: false })),
            );
          } else if (rows[at]?.id !== read) {
            if (one.type === 'remove') {
              model.remove(at);
              rows.splice(at, 1);
            } else if (one.type === 'measure') {
              model.measure(at, one.height);
              rows.splice(at, 1, { id: -1, height: one.height, hidden: rows[at]?.hidden ?? false });
            } else {
              model.hide(at, one.hidden);
              rows.splice(at, 1, { id: -1, height: rows[at]?.height ?? 0, hidden: one.hidden });
            }
          }
        }
        const place = rows.findIndex(row => row.id === read);
        const above = rows.slice(0, place).reduce((sum, row) => sum + (row.hidden ? 0 : row.height), 0);
        expect(model.anchor?.index).toBe(place);
        expect(model.scrollTopOf(model.anchor ?? { index: 0, offset: 0 })).toBeCloseTo(above + shift, 6);
      }),
    );
  });

  it('always covers the viewport, however rows are sized and folded', () => {
    const row = fc.record({ height: fc.integer({ min: 1, max: 400 }), hidden: fc.boolean() });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 80 }), fc.nat(100), (rows, share) => {
        const model = modelOf(...rows.map(one => one.height));
        rows.forEach((one, index) => model.hide(index, one.hidden));
        const top = (Math.max(0, model.totalHeight - 200) * share) / 100;
        const { first, last, before, after } = model.window(top, 200);
        expect(before).toBeLessThanOrEqual(top);
        expect(model.totalHeight - after).toBeGreaterThanOrEqual(Math.min(top + 200, model.totalHeight));
        expect(before).toBeCloseTo(model.offsetOf(first), 6);
        expect(after).toBeCloseTo(model.totalHeight - model.offsetOf(last + 1), 6);
      }),
    );
  });
});
