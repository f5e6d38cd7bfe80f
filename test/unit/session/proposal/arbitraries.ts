import fc from 'fast-check';

/** Few different lines, so that texts repeat themselves: that is where edits go wrong. */
const line: fc.Arbitrary<string> = fc.constantFrom(
  '',
  '}',
  'a',
  'b',
  '  a',
  '\treturn x;',
  'a  ',
  'é “q” \'s\' "d"',
  '$& $1',
  '😀',
  'aa',
  'a a',
);
const ending = fc.constantFrom('\n', '\r\n');

/** Any text: one kind of line end or several, with or without a last one. */
export const text = fc
  .tuple(
    fc.array(line, { maxLength: 24 }),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('\n') },
      { weight: 4, arbitrary: fc.constant('\r\n') },
      fc.constant(''),
    ),
    fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 7 }),
    fc.boolean(),
  )
  .map(([lines, one, several, closed]) =>
    lines
      .map((content, at) => {
        const end = one === '' ? (several[at % several.length] ?? '\n') : one;
        return at < lines.length - 1 || closed ? content + end : content;
      })
      .join(''),
  );

/** A text and what small changes made of it: lines taken out, put in, replaced. */
export const pairOfTexts = fc
  .tuple(
    fc.array(line, { maxLength: 24 }),
    ending,
    fc.array(fc.nat(), { maxLength: 6 }),
    fc.array(line, { maxLength: 6 }),
  )
  .chain(([lines, end, places, fresh]) => {
    const changed: string[] = [...lines];
    places.forEach((place, at) => {
      const index = place % (changed.length + 1);
      if (place % 3 === 0) changed.splice(index, 1);
      else changed.splice(index, place % 3 === 1 ? 0 : 1, fresh[at % Math.max(1, fresh.length)] ?? 'new');
    });
    return fc
      .tuple(fc.boolean(), fc.boolean())
      .map(([first, second]) => [written(lines, end, first), written(changed, end, second)] as const);
  });

export const someText = fc.oneof(
  text,
  pairOfTexts.map(([before]) => before),
);
export const twoTexts = fc.oneof(pairOfTexts, fc.tuple(text, text));

function written(lines: readonly string[], end: string, closed: boolean): string {
  return lines.join(end) + (closed && lines.length > 0 ? end : '');
}
