import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PromptView, ViewItem } from '../../../src/bridge/viewItem.ts';
import { prompt, text } from '../support.ts';
import { View } from '../viewHarness.tsx';

/** What waits has no row. */
const states = ['started', 'completed', 'interrupted', 'cancelled', 'folded'] as const;
const rowHeight = 50;
const headerHeight = 28;

type Row = { readonly said: true } | { readonly state: PromptView['state']; readonly synthetic: boolean };

const row: fc.Arbitrary<Row> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Row>({ said: true }) },
  { weight: 2, arbitrary: fc.record({ state: fc.constantFrom(...states), synthetic: fc.boolean() }) },
);

function item(at: number, one: Row): ViewItem {
  return 'said' in one ? text(`r${at}`) : prompt(`r${at}`, { ...one, text: `Prompt ${at}` });
}

/** Reads forward what the view looks for backward: which prompt's turn each row is in. */
function wanted(rows: readonly Row[], scrollTop: number): string | undefined {
  const read = scrollTop < 1 ? 0 : Math.min(rows.length - 1, Math.floor((scrollTop + headerHeight) / rowHeight));
  let turn: number | undefined;
  rows.slice(0, read + 1).forEach((one, at) => {
    if (!('said' in one) && !one.synthetic && ['started', 'completed', 'interrupted'].includes(one.state)) turn = at;
  });
  return turn === undefined || turn === read ? undefined : `Prompt ${turn}`;
}

it('names the prompt that began the turn being read, and no other, whatever becomes of the prompts', async () => {
  const step = fc.oneof(
    fc.record({ scroll: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ at: fc.nat(39), state: fc.constantFrom(...states) }),
  );
  const rowsArbitrary = fc.array(row, { minLength: 20, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(rowsArbitrary, fc.array(step, { maxLength: 8 }), async (first, steps) => {
      const rows = [...first];
      const view = new View(rows.map((one, at) => item(at, one)));
      try {
        view.layout.rowHeight = rowHeight;
        await view.open();
        await view.scrollTo(0);
        let top = 0;
        for (const one of steps) {
          if ('scroll' in one) {
            // Not at the end, where the reader is followed.
            top = Math.floor(one.scroll * (rows.length * rowHeight - view.layout.viewport - 10));
            await view.scrollTo(top);
          } else {
            const at = one.at % rows.length;
            const old = rows[at];
            if (old === undefined || 'said' in old) continue;
            const changed = { ...old, state: one.state };
            rows[at] = changed;
            await view.do(() => view.host.patch({ op: 'update', item: item(at, changed) }));
          }
          expect(view.root.querySelector('.sticky-prompt')?.textContent).toBe(wanted(rows, top));
        }
      } finally {
        view.close();
      }
    }),
    { numRuns: 60 },
  );
});

it('goes away when it is followed to its prompt', async () => {
  const turn = (name: string): ViewItem[] => [
    prompt(name, { text: name }),
    ...Array.from({ length: 30 }, (_, at) => text(`${name} ${at}`)),
  ];
  const view = await new View([...turn('First'), ...turn('Second')]).open();
  try {
    expect(view.get('.sticky-prompt').textContent).toBe('Second');
    await view.do(() => view.get('.sticky-prompt').click());
    expect(view.root.querySelector('.sticky-prompt')).toBeNull();
  } finally {
    view.close();
  }
});
