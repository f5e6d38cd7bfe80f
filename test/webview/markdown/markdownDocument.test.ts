import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../../webview/markdown/blocks.ts';
import { MarkdownDocument } from '../../../webview/markdown/markdownDocument.ts';

function blocksOf(document: MarkdownDocument): Block[] {
  return document.groups.flat();
}

function whole(text: string): Block[] {
  const document = new MarkdownDocument();
  document.update(text, false);
  return blocksOf(document);
}

function streamed(text: string, size: number): MarkdownDocument {
  const document = new MarkdownDocument();
  for (let end = size; end < text.length; end += size) document.update(text.slice(0, end), true);
  document.update(text, false);
  return document;
}

/** What a block says, without how it came to be. */
function gist(block: Block): string {
  switch (block.kind) {
    case 'code':
      return `code ${block.language} ${block.code}`;
    case 'table':
      return `table ${block.parts
        .flat()
        .map(row => row.map(cell => cell.text).join('|'))
        .join('\n')}`;
    case 'plain':
      return `plain ${block.text}`;
    case 'token':
      return `${block.token.type} ${block.token.raw.trim()}`;
  }
}

const sample = `# Title

A paragraph with **bold** and \`code\`.
And a second line.

- one
- two
  - nested

  still two
- three

1. first
2. second

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`
Directly after.

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

> quote
> goes on

~~~
plain fence
~~~

<div>html</div>

---

[^1]: A note.

The end with a [link][ref].

[ref]: https://example.org
`;

describe('a markdown document', () => {
  it.each([1, 2, 3, 7, 40, 1000])('says the same streamed in pieces of %d as read at once', size => {
    expect(blocksOf(streamed(sample, size)).map(gist)).toEqual(whole(sample).map(gist));
  });

  it('loses no character, whatever the text and wherever it is cut', () => {
    const piece = fc.constantFrom(
      '\n',
      '\n\n',
      'word ',
      '- ',
      '1. ',
      '# ',
      '> ',
      '```',
      '```ts\n',
      '~~~\n',
      '|a|b|\n',
      '|-|-|\n',
      '**',
      '*',
      '_',
      '`',
      '[a](',
      ')',
      '[x]: y\n',
      '<b>',
      '</b>',
      '<!--',
      '    ',
      '\t',
      '---\n',
      '===\n',
      '[^1]',
      '[^1]: ',
      '&amp;',
      '\\',
      '\u202e',
      'ש',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const text = pieces.join('');
        let end = 0;
        for (const block of blocksOf(streamed(text, size))) {
          expect(text.slice(end, block.start).trim()).toBe('');
          end = block.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('keeps finished blocks and full groups as the same objects', () => {
    const document = new MarkdownDocument();
    const text = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} **x**.\n\n`).join('');
    document.update(text, true);
    const before = document.groups.slice(0, -1);
    const blocks = blocksOf(document).slice(0, -1);
    document.update(`${text}More`, true);
    expect(document.groups.slice(0, before.length).every((group, index) => group === before[index])).toBe(true);
    expect(
      blocksOf(document)
        .slice(0, blocks.length)
        .every((block, index) => block === blocks[index]),
    ).toBe(true);
  });

  it('keeps the finished blocks when the final text replaces the draft', () => {
    const document = new MarkdownDocument();
    document.update(sample, true);
    const before = blocksOf(document).slice(0, 5);
    document.update(sample, false);
    const after = blocksOf(document).slice(0, 5);
    expect(after.every((block, index) => block === before[index])).toBe(true);
  });

  it('reads again only from where a text turns out different', () => {
    const document = new MarkdownDocument();
    document.update('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive', true);
    const [first] = blocksOf(document);
    document.update('One.\n\nTwo.\n\nThree.\n\nOther.', false);
    expect(blocksOf(document).map(gist)).toEqual([
      'paragraph One.',
      'paragraph Two.',
      'paragraph Three.',
      'paragraph Other.',
    ]);
    expect(blocksOf(document)[0]).toBe(first);
  });

  it('shows an open fence as code at once and hides its half-written end', () => {
    const document = new MarkdownDocument();
    document.update('Text.\n\n```ts\n', true);
    expect(blocksOf(document).at(-1)).toMatchObject({ kind: 'code', language: 'ts', code: '', open: true });
    document.update('Text.\n\n```ts\na\n``', true);
    expect(blocksOf(document).at(-1)).toMatchObject({ kind: 'code', code: 'a', open: true });
    document.update('Text.\n\n```ts\na\n```\n', true);
    expect(blocksOf(document).at(-1)).toMatchObject({ kind: 'code', code: 'a', open: false });
  });

  it('never shows the head of a table as a paragraph', () => {
    const text = 'Intro.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    const document = new MarkdownDocument();
    for (let end = 1; end <= text.length; end++) {
      document.update(text.slice(0, end), true);
      const kinds = blocksOf(document).map(block => (block.kind === 'token' ? block.token.type : block.kind));
      expect(['', 'paragraph', 'paragraph,table']).toContain(kinds.join(','));
    }
    expect(blocksOf(document)).toHaveLength(2);
  });

  it('never takes a coming list for a heading', () => {
    const text = 'Intro:\n- one\n- two\n';
    const document = new MarkdownDocument();
    for (let end = 1; end <= text.length; end++) {
      document.update(text.slice(0, end), true);
      expect(blocksOf(document).some(block => block.kind === 'token' && block.token.type === 'heading')).toBe(false);
    }
  });

  it('finishes a long list and a long table in parts', () => {
    const list = Array.from({ length: 300 }, (_, index) => `${index + 1}. entry ${index + 1}\n`).join('');
    const lists = blocksOf(streamed(list, 20));
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.slice(1).every(block => block.kind === 'token' && block.continued)).toBe(true);
    const starts = lists.map(block =>
      block.kind === 'token' && 'start' in block.token ? Number(block.token['start']) : 0,
    );
    expect(starts[1]).toBeGreaterThan(1);

    const table = `| n | square |\n|---|---|\n${Array.from({ length: 300 }, (_, n) => `| ${n} | ${n * n} |\n`).join('')}`;
    const tables = blocksOf(streamed(table, 20));
    expect(tables).toHaveLength(1);
    expect(tables.map(gist)).toEqual(whole(table).map(gist));
    const [only] = tables;
    expect(only?.kind === 'table' ? only.parts.length : 0).toBeGreaterThan(5);
  });

  it('breaks a paragraph without end at the end of a sentence, and loses nothing of it', () => {
    const text = 'A sentence with **bold** words and `code` in it. '.repeat(1_000);
    const document = streamed(text, 300);
    const blocks = blocksOf(document);
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.map(block => text.slice(block.start, block.end)).join('')).toBe(text);
    expect(blocks.slice(1).every(block => block.kind === 'token' && block.continued)).toBe(true);
  });

  it('reads a text with Windows line ends like any other', () => {
    expect(whole(sample.replaceAll('\n', '\r\n')).map(gist)).toEqual(whole(sample).map(gist));
  });

  it('costs the same per token at the end of a long answer as at its beginning', () => {
    const unit = `## Part\n\nSome **words** with \`code\`, a [link](https://example.org) and more of them to read.\n\n- a\n- b\n\n\`\`\`ts\nconst x = 1;\n\`\`\`\n\n`;
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const step = 200;
    const time = (from: number, to: number): number => {
      const document = new MarkdownDocument();
      document.update(text.slice(0, from), true);
      const start = performance.now();
      for (let end = from; end < to; end += step) document.update(text.slice(0, end), true);
      return performance.now() - start;
    };
    time(0, 20_000);
    const first = Math.min(...[1, 2, 3].map(() => time(0, 10_000)));
    const last = Math.min(...[1, 2, 3].map(() => time(90_000, 100_000)));
    expect(last).toBeLessThan(first * 2 + 5);
  });
});
