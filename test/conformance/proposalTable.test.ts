import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proposalOf } from '../../src/session/proposal/fileProposal.ts';
import { BOM, absentFile, decodeFile } from '../../src/session/proposal/presentFile.ts';
import { updatedInputFor } from '../../src/session/proposal/updatedInput.ts';
import type { BenchCall } from '../torture/proposalBench.ts';
import { ProposalBench, encoded, present } from '../torture/proposalBench.ts';

/** Every peculiarity that `cliEdit.ts` describes, asked of the real CLI: it does what our proposal shows. */

let bench: ProposalBench;
beforeAll(async () => {
  bench = await ProposalBench.open();
}, 300_000);
afterAll(() => bench.dispose());

const utf16 = (text: string): Buffer => encoded(text, { encoding: 'utf16le', bom: true });
const bytesOf = (content: string | Buffer | undefined): Buffer | undefined =>
  typeof content === 'string' ? Buffer.from(content) : content;

type Content = string | Buffer | undefined;
const edit = (content: Content, oldString: string, newString: string, replaceAll = false): BenchCall => ({
  tool: 'Edit',
  bytes: bytesOf(content),
  input: { old_string: oldString, new_string: newString, replace_all: replaceAll },
});
const write = (content: Content, fresh: string): BenchCall => ({
  tool: 'Write',
  bytes: bytesOf(content),
  input: { content: fresh },
});

const calls: Record<string, BenchCall> = {
  'CRLF file': edit('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz'),
  'CRLF file, CRLF in old': edit('a\r\nb\r\n', 'a\r\nb', 'x'),
  'CRLF file, CRLF in new': edit('a\r\nb\r\n', 'b', 'x\r\ny'),
  'LF file, CRLF in new': edit('a\nb\n', 'b', 'x\r\ny'),
  'mixed, more CRLF': edit('a\r\nb\nc\r\nd\r\n', 'b\nc', 'x\nc'),
  'mixed, more LF': edit('a\nb\r\nc\nd\n', 'b\nc', 'x\nc'),
  'mixed, as many of both': edit('a\r\nb\n', 'a', 'x'),
  'lone CR': edit('a\rb\nc\n', 'a\rb', 'x\ry'),
  'CR before CRLF': edit('a\r\r\nb\r\nc\r\n', 'b', 'x'),
  'CR before CRLF in an LF file': edit('a\r\r\nb\nc\n', 'a\r\nb', 'x'),
  'CR before CRLF in new': edit('a\r\nb\r\n', 'b', 'x\r\r\ny'),
  'line ends beyond 4,096 characters': edit(`${'b\r\n'.repeat(1_400)}${'a\n'.repeat(6_000)}zz`, 'zz', 'yy'),
  'line end at the edge': edit(`${'x'.repeat(4_094)}\r\nzz`, 'zz', 'y\nq'),
  'line end past the edge': edit(`${'x'.repeat(4_095)}\r\nzz`, 'zz', 'y\nq'),
  'line end at the edge, with a mark': edit(`${BOM}${'x'.repeat(4_093)}\r\nzz`, 'zz', 'y\nq'),
  'line end past the edge, with a mark': edit(`${BOM}${'x'.repeat(4_094)}\r\nzz`, 'zz', 'y\nq'),
  'line end past the edge in UTF-16': edit(utf16(`${'x'.repeat(4_094)}\r\nzz`), 'zz', 'y\nq'),
  'wide characters count once': edit(`${'é'.repeat(1_500)}${'a\n'.repeat(400)}${'b\r\n'.repeat(900)}zz`, 'zz', 'y'),
  'no last line end': edit('a\nb', 'b', 'x'),
  'last line end added': edit('a\nb', 'b', 'b\n'),
  'mark, first line': edit(`${BOM}a\nb\n`, 'a\n', 'x\n'),
  'mark in old': edit(`${BOM}a\nb\n`, `${BOM}c`, 'x'),
  'mark, all replaced': edit(`${BOM}a\r\nb\r\n`, 'a\nb\n', 'x'),
  'mark, all deleted': edit(`${BOM}a\nb\n`, 'a\nb\n', ''),
  'two marks': edit(`${BOM}${BOM}a\n`, 'a', 'b'),
  'UTF-16': edit(utf16('a\r\nb\r\n'), 'b', 'ü\ny'),
  'UTF-16 with half a pair': edit(Buffer.from('fffe61000a0000d86200', 'hex'), 'a', 'c'),
  'UTF-16 with an odd byte': edit(Buffer.from('fffe61000a006200aa', 'hex'), 'a', 'c'),
  'big-endian UTF-16': edit(Buffer.from('feff0061000a', 'hex'), 'a', 'c'),
  'Latin-1': edit(Buffer.from('a\xe9\nb\n', 'latin1'), 'b', 'x'),
  NUL: edit('a\0\nb\n', 'b', 'x'),
  'NUL beyond 8 KB': edit(`a\n${'x'.repeat(9_000)}\0\n`, 'a\n', 'c\n'),
  'straight for curly': edit('say “hi” it’s\n', 'say "hi" it\'s', 'tell "ho" it\'s'),
  'curly for straight': edit('say "hi"\n', 'say “hi”', 'tell “ho” "x"'),
  'double curly only': edit('a “b” c\n', 'a "b" c', "it's \"x\" 'y'"),
  'single curly only': edit('a ‘b’ c\n', "a 'b' c", "it's \"x\" 'y'"),
  'quotes in all places': edit(
    'a ‘b’ “d”\n',
    'a \'b\' "d"',
    '("x") [\'y\'] {"z"} x"y" —"q" –"p" -"r" "" \'\' 5\'6 é\'è /"z"',
  ),
  'quotes in quotes': edit('a ‘b’ “d”\n', 'a \'b\' "d"', "\"'x'\" '\"y\"' '\"'\n\"\t'z"),
  'quotes, all': edit('a “b” a “b” a "b\n', 'a "b"', '"x"', true),
  'quotes, deleted': edit('a “b”\nc\n', 'a "b"', ''),
  'low quotes': edit('a „b“\n', 'a "b"', 'x'),
  'trailing blanks in old': edit('a\nb\n', 'a  \nb', 'x'),
  'trailing blanks in the file': edit('a  \nb\n', 'a\nb', 'x'),
  'blanks for a tab': edit('\ta\n', '    a', 'x'),
  tab: edit('\ta\n', '\ta', '\tb'),
  dollars: edit('b\nb\n', 'b', "$& $1 $$ $' $`", true),
  'another form of é': edit('é\n', 'e\u0301', 'x'),
  'no-break space': edit('a\u00a0b\n', 'a b', 'x'),
  all: edit('aa aa\naaa\n', 'aa', 'b', true),
  'not unique': edit('b\nb\n', 'b', 'x'),
  'overlapping itself': edit('aaa\n', 'aa', 'x'),
  'no match': edit('b\n', 'q', 'x'),
  'no change': edit('b\n', 'b', 'b'),
  'created by an edit': edit(undefined, '', 'x  \r\ny\n'),
  'created with a mark': edit(undefined, '', `${BOM}x\n`),
  'an empty file filled': edit('', '', 'x\ny\n'),
  'a blank file filled': edit('\n  \n', '', 'x\ny\n'),
  'a blank CRLF file filled': edit('\r\n\r\n', '', 'x\ny\n'),
  'a blank file with a mark filled': edit(`${BOM}\n`, '', 'x\ny\n'),
  'an edit that creates what exists': edit('abc\n', '', 'x'),
  'an edit of nothing': edit(undefined, 'q', 'x'),
  'a line deleted': edit('a\nb\nc\n', 'b', ''),
  'a line deleted with its end': edit('a\n\nb\n', 'a\n', ''),
  'the end of a line deleted': edit('a\nb q\nc\n', ' q', ''),
  'the middle of a line deleted': edit('a\nb q r\nc\n', ' q', ''),
  'all deleted': edit('q a\nq\nqq\n', 'q', '', true),
  'the last line deleted': edit('a\nb', 'b', ''),
  'a CRLF line deleted': edit('a\r\nb\r\nc\r\n', 'b', ''),
  'LF over CRLF': write('a\r\nb\r\n', 'x\ny\n'),
  'CRLF over LF': write('a\nb\n', 'x\r\ny\r\n'),
  'several kinds': write(undefined, 'x\r\ny\nz\rq'),
  'over a mark': write(`${BOM}a`, 'x'),
  'mark over a mark': write(`${BOM}a`, `${BOM}x`),
  'mark over none': write('a', `${BOM}x`),
  'mark, new': write(undefined, `${BOM}x`),
  'empty over a mark': write(`${BOM}a`, ''),
  'over UTF-16': write(utf16('a\r\n'), 'x\nü'),
  'over Latin-1': write(Buffer.from('\xe9', 'latin1'), 'x'),
  'over NUL': write('a\0', 'x'),
  'over big-endian UTF-16': write(Buffer.from('feff0061', 'hex'), 'x'),
  'empty, new': write(undefined, ''),
};

it('does with every kind of file what the proposal shows', async () => {
  const results = await bench.run(Object.values(calls));
  const told = Object.entries(calls).map(([name, call], at) => {
    const result = results[at];
    const file = call.bytes === undefined ? absentFile() : decodeFile(call.bytes);
    const input = result?.asked?.input ?? { file_path: '/f', ...call.input };
    const proposal = proposalOf(call.tool, input, file);
    if (proposal === undefined) throw new Error(`no proposal for ${name}`);
    const failed = proposal.problem !== undefined;
    const bytes = failed ? call.bytes : encoded(proposal.after, proposal);
    return {
      expected: `${name}: ${failed ? 'fails' : 'done'}, ${bytes?.toString('hex') ?? 'no file'}`,
      actual: `${name}: ${result?.error === undefined ? 'done' : 'fails'}, ${result?.bytes?.toString('hex') ?? 'no file'}`,
    };
  });
  expect(told.map(({ actual }) => actual)).toEqual(told.map(({ expected }) => expected));
});

describe('what happens while a question is open', () => {
  const meddled = (call: BenchCall, meddle: (path: string) => void): BenchCall => ({
    ...call,
    readFirst: true,
    onAsk: (ask, path) => {
      meddle(path);
      return { behavior: 'allow', updatedInput: ask.input };
    },
  });
  const change = (path: string): void => writeFileSync(path, 'new\nb\n');

  it('counts for an edit, which is applied to the file as it is then', async () => {
    const results = await bench.run([
      meddled(edit('a\nb\n', 'b', 'x'), change),
      meddled(edit('a\nb\n', 'a', 'x'), change),
      meddled(edit('a\nb\n', 'b', 'x'), unlinkSync),
    ]);
    expect(results.map(({ bytes, error }) => [bytes?.toString(), error === undefined])).toEqual([
      ['new\nx\n', true],
      ['new\nb\n', false],
      [undefined, false],
    ]);
  });

  it('makes a Write fail if the agent had read the file, but not if it had not, nor if the file is gone', async () => {
    const results = await bench.run([
      meddled(write('a\nb\n', 'x'), change),
      { ...meddled(write('a\nb\n', 'x'), change), readFirst: false },
      meddled(write('a\nb\n', 'x'), unlinkSync),
    ]);
    expect(results.map(({ bytes, error }) => [bytes?.toString(), error === undefined])).toEqual([
      ['new\nb\n', false],
      ['x', true],
      ['x', true],
    ]);
  });
});

describe('links', () => {
  it('are refused before anybody is asked', async () => {
    const [first] = await bench.run([write(undefined, 'target\n')]);
    const link = `${first?.path ?? ''}.link.md`;
    symlinkSync(first?.path ?? '', link);
    const through: BenchCall = {
      tool: 'Edit',
      bytes: undefined,
      input: { file_path: link, old_string: 'target', new_string: 'x' },
    };
    const [result] = await bench.run([through]);
    expect(result?.asked).toBeUndefined();
    expect(result?.error).toContain('symbolic link');
    expect(readFileSync(link, 'utf8')).toBe('target\n');
  });
});

describe('notebooks', () => {
  const cell = (id: string | undefined, source: unknown) => ({
    cell_type: 'code',
    ...(id === undefined ? {} : { id }),
    execution_count: 3,
    metadata: {},
    outputs: [],
    source,
  });
  const notebook = Buffer.from(
    JSON.stringify({
      cells: [cell('one', ['a\n', 'b']), cell('two', 'q'), cell(undefined, '')],
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    }),
  );
  const sources = (bytes: Buffer | undefined): unknown[] => {
    const parsed: unknown = JSON.parse(bytes?.toString() ?? '{}');
    const cells = typeof parsed === 'object' && parsed !== null && 'cells' in parsed ? parsed.cells : [];
    return Array.isArray(cells) ? cells.map((one: { source: unknown }) => one.source) : [];
  };

  it('get the source that the right side holds', async () => {
    const call = (input: Record<string, unknown>, right: string): BenchCall => ({
      tool: 'NotebookEdit',
      extension: 'ipynb',
      bytes: notebook,
      readFirst: true,
      input,
      onAsk: (ask, path) => {
        const acceptance = updatedInputFor({ toolName: ask.tool, input: ask.input }, present(path), right);
        if (acceptance.type !== 'changed') throw new Error(acceptance.type);
        return { behavior: 'allow', updatedInput: acceptance.input };
      },
    });
    const mine = 'mine  \n"q" \\ é';
    const results = await bench.run([
      call({ cell_id: 'one', new_source: 'x' }, mine),
      call({ cell_id: 'cell-1', new_source: 'x' }, mine),
      call({ cell_id: 'one', new_source: 'x', cell_type: 'markdown', edit_mode: 'insert' }, mine),
      call({ new_source: 'x', cell_type: 'code', edit_mode: 'insert' }, mine),
      call({ cell_id: 'two', new_source: '', edit_mode: 'delete' }, mine),
    ]);
    expect(results.map(({ bytes, error }) => error ?? sources(bytes))).toEqual([
      [mine, 'q', ''],
      [['a\n', 'b'], mine, ''],
      [['a\n', 'b'], mine, 'q', ''],
      [mine, ['a\n', 'b'], 'q', ''],
      [['a\n', 'b'], mine, ''],
    ]);
  });
});
