import { describe, expect, it } from 'vitest';
import { proposalOf, proposedPath } from '../../../../src/session/proposal/fileProposal.ts';
import type { PresentFile } from '../../../../src/session/proposal/presentFile.ts';
import { BOM, decodeFile, textFile } from '../../../../src/session/proposal/presentFile.ts';

const absent: PresentFile = { state: 'absent' };
const path = '/project/file.txt';

function edit(text: string | PresentFile, oldString: string, newString: string, replaceAll = false) {
  const file = typeof text === 'string' ? textFile(text) : text;
  const input = { file_path: path, old_string: oldString, new_string: newString, replace_all: replaceAll };
  return proposalOf('Edit', input, file);
}

function write(content: string, file: PresentFile) {
  return proposalOf('Write', { file_path: path, content }, file);
}

describe('the file as it is', () => {
  it.each([
    ['plain text', Buffer.from('a\r\né\n'), { state: 'text', text: 'a\r\né\n', bom: false, encoding: 'utf8' }],
    ['nothing at all', Buffer.from(''), { state: 'text', text: '', bom: false, encoding: 'utf8' }],
    ['a byte-order mark', Buffer.from(`${BOM}a`), { state: 'text', text: 'a', bom: true, encoding: 'utf8' }],
    ['two marks', Buffer.from(BOM + BOM + 'a'), { state: 'text', text: `${BOM}a`, bom: true, encoding: 'utf8' }],
    ['UTF-16', Buffer.from('fffe6100e900', 'hex'), { state: 'text', text: 'aé', bom: true, encoding: 'utf16le' }],
    [
      'UTF-16 with half a pair and an odd byte',
      Buffer.from('fffe00d8610041', 'hex'),
      { state: 'text', text: '\ud800a', bom: true, encoding: 'utf16le' },
    ],
    ['big-endian UTF-16', Buffer.from('feff0061', 'hex'), { state: 'unreadable', code: 'utf16be' }],
    ['UTF-16 without a mark', Buffer.from('61006200', 'hex'), { state: 'unreadable', code: 'binary' }],
    ['Latin-1', Buffer.from('a\xe9\n', 'latin1'), { state: 'unreadable', code: 'notUtf8' }],
    ['a NUL', Buffer.from('a\0b'), { state: 'unreadable', code: 'binary' }],
  ])('is read with %s', (_, bytes, file) => {
    expect(decodeFile(bytes)).toEqual(file);
  });

  it('is read with a NUL beyond the first 8 KB, as the CLI does', () => {
    expect(decodeFile(Buffer.from(`${'x'.repeat(9_000)}\0`)).state).toBe('text');
  });

  it('is not read when it is too big', () => {
    expect(decodeFile(Buffer.alloc(101, 'x'), 100)).toEqual({ state: 'unreadable', code: 'tooBig' });
  });

  it('is read from the middle of a buffer, and longer than a chunk', () => {
    const bytes = Buffer.concat([Buffer.from('--fffe', 'latin1').subarray(0, 3), Buffer.from([0xff, 0xfe])]);
    const long = 'é\n'.repeat(5_000);
    const whole = Buffer.concat([bytes, Buffer.from(long, 'utf16le')]);
    expect(decodeFile(whole.subarray(3))).toMatchObject({ text: long });
  });
});

describe('an edit', () => {
  it.each([
    ['in an LF file', 'a\nb\nc\n', 'b', 'x\ny', 'a\nx\ny\nc\n'],
    ['in a CRLF file, written with LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc\r\n'],
    ['with CRLF in the new text of a CRLF file', 'a\r\nb\r\n', 'b', 'x\r\ny', 'a\r\nx\r\ny\r\n'],
    ['with CRLF in the new text of an LF file', 'a\nb\n', 'b', 'x\r\ny', 'a\nx\r\ny\n'],
    ['in a mixed file with more CRLF', 'a\r\nb\nc\r\nd\r\n', 'b\nc', 'x\nc', 'a\r\nx\r\nc\r\nd\r\n'],
    ['in a mixed file with more LF', 'a\nb\r\nc\nd\n', 'b\nc', 'x\nc', 'a\nx\nc\nd\n'],
    ['in a mixed file with as many of both', 'a\r\nb\n', 'a', 'x', 'x\nb\n'],
    ['beside a lone CR', 'a\rb\nc\n', 'c', 'x', 'a\rb\nx\n'],
    ['over a lone CR', 'a\rb\nc\n', 'a\rb', 'x\ry', 'x\ry\nc\n'],
    ['beside a CR before a CRLF, which is lost', 'a\r\r\nb\r\nc\r\n', 'b', 'x', 'a\r\nx\r\nc\r\n'],
    ['without a last line end', 'a\nb', 'b', 'x', 'a\nx'],
    ['that adds a last line end', 'a\nb', 'b', 'b\n', 'a\nb\n'],
    ['with dollar signs', 'a\nb\n', 'b', "$& $1 $$ $' $`", "a\n$& $1 $$ $' $`\n"],
    ['with tabs', '\ta\n', '\ta', '\tb', '\tb\n'],
    ['that deletes a line', 'a\nb\nc\n', 'b', '', 'a\nc\n'],
    ['that deletes a line with its end', 'a\n\nb\n', 'a\n', '', '\nb\n'],
    ['that deletes the end of a line, and joins it with the next', 'a\nb q\nc\n', ' q', '', 'a\nbc\n'],
    ['that deletes within a line', 'a\nb q r\nc\n', ' q', '', 'a\nb r\nc\n'],
    ['that deletes a last line', 'a\nb', 'b', '', 'a\n'],
    ['that deletes in a CRLF file', 'a\r\nb\r\nc\r\n', 'b', '', 'a\r\nc\r\n'],
    ['that deletes everything', 'a\nb\n', 'a\nb', '', ''],
    ['that overlaps itself', 'aaa\n', 'aa', 'x', 'xa\n'],
    ['whose quotes are straight and the file curly', 'a “b” c\n', 'a "b" c', "it's \"x\" 'y'", "it's “x” 'y'\n"],
    ['with single quotes', 'a ‘b’ c\n', "a 'b' c", "it's \"x\" ('y')", 'it’s "x" (‘y’)\n'],
    ['whose quotes are curly and the file straight', 'a "b"\n', 'a “b”', '“x” "y"', '“x” "y"\n'],
    ['whose curly quotes fit exactly', 'a “b”\n', 'a “b”', '"y"', '"y"\n'],
  ])('%s', (_, before, oldString, newString, after) => {
    const proposal = edit(before, oldString, newString);
    expect(proposal).toMatchObject({ path, kind: 'edit', after });
    expect(proposal?.problem).toBeUndefined();
  });

  it.each([
    ['all places', 'aa aa\naaa\n', 'aa', 'b', 'b b\nba\n'],
    ['all lines that end so, when it deletes', 'q a\nq\nqq\n', 'q', '', 'q a\nq'],
    ['only the exact quotes', 'a "b" a “b”\n', 'a "b"', '"x"', '"x" a “b”\n'],
  ])('may be for %s', (_, before, oldString, newString, after) => {
    expect(edit(before, oldString, newString, true)?.after).toBe(after);
  });

  it.each([
    ['noMatch', 'a\r\nb\r\n', 'a\r\nb', 'x'],
    ['noMatch', 'a  \nb\n', 'a\nb', 'x'],
    ['noMatch', '\ta\n', '    a', 'x'],
    ['noMatch', 'é\n', 'e\u0301', 'x'],
    ['noMatch', 'a\u00a0b\n', 'a b', 'x'],
    ['notUnique', 'b\nb\n', 'b', 'x'],
    ['notUnique', 'a “b” a “b”\n', 'a "b"', 'x'],
    ['noChange', 'b\n', 'b', 'b'],
    ['exists', 'abc\n', '', 'x'],
  ])('is told to fail: %s', (code, before, oldString, newString) => {
    const proposal = edit(before, oldString, newString);
    expect(proposal?.problem).toEqual({ code });
    expect(proposal?.after).toBe(proposal?.before);
  });

  it('keeps the byte-order mark and does not show it', () => {
    const proposal = edit(textFile('a\nb\n', true), 'a\n', 'x\n');
    expect(proposal).toMatchObject({ before: 'a\nb\n', after: 'x\nb\n', bom: true });
  });

  it('keeps UTF-16', () => {
    expect(edit(textFile('a\n', true, 'utf16le'), 'a', 'é')).toMatchObject({ after: 'é\n', encoding: 'utf16le' });
  });

  it('creates a file with an empty old text, also over a blank one', () => {
    expect(edit(absent, '', 'x\r\ny')).toMatchObject({ before: undefined, after: 'x\r\ny', bom: false });
    expect(edit('\n  \n', '', 'x\n')).toMatchObject({ after: 'x\n' });
    expect(edit(absent, 'a', 'b')?.problem).toEqual({ code: 'missing' });
  });

  it('shows a mixed file with the line ends it will get, and says that they change', () => {
    const proposal = edit('a\r\nb\nc\r\n', 'c', 'x');
    expect(proposal).toMatchObject({
      before: 'a\r\nb\r\nc\r\n',
      after: 'a\r\nb\r\nx\r\n',
      lineEndings: { before: 'mixed', after: 'crlf' },
    });
  });

  it('counts line ends only at the beginning of a long file', () => {
    const start = 'b\r\n'.repeat(1_400);
    expect(edit(`${start}${'a\n'.repeat(6_000)}zz`, 'zz', 'y')?.after).toBe(`${start}${'a\r\n'.repeat(6_000)}y`);
    const long = 'x'.repeat(4_094);
    expect(edit(`${long}\r\nzz`, 'zz', 'y')?.after).toBe(`${long}\r\ny`);
    expect(edit(textFile(`${long}\r\nzz`, true), 'zz', 'y')?.after).toBe(`${long}\ny`);
  });

  it.each(['binary', 'notUtf8', 'utf16be', 'tooBig', 'noAccess', 'folder'] as const)(
    'of a file that is %s has that problem',
    code => {
      const file: PresentFile = { state: 'unreadable', code };
      expect(edit(file, 'a', 'b')?.problem).toEqual({ code });
      expect(write('x', file)).toMatchObject({ after: 'x', before: undefined, problem: { code } });
    },
  );
});

describe('other tools', () => {
  it('write the content as it is, line ends included', () => {
    expect(write('x\ny\n', textFile('a\r\nb\r\n'))).toMatchObject({
      kind: 'write',
      before: 'a\nb\n',
      after: 'x\ny\n',
      lineEndings: { before: 'crlf', after: 'lf' },
    });
    expect(write('x\r\ny\nz\rq', absent)).toMatchObject({ before: undefined, after: 'x\r\ny\nz\rq' });
    expect(write('', textFile('abc'))).toMatchObject({ before: 'abc', after: '' });
  });

  it('write with the mark that the file or the content has', () => {
    expect(write('x', textFile('a', true))).toMatchObject({ after: 'x', bom: true });
    expect(write(`${BOM}x`, textFile('a', true))).toMatchObject({ after: 'x', bom: true });
    expect(write(`${BOM}x`, absent)).toMatchObject({ after: 'x', bom: true });
    expect(write('x', absent)).toMatchObject({ after: 'x', bom: false });
    expect(write('', textFile('a', true))).toMatchObject({ after: '', bom: false });
  });

  it('edit several places one after another', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'b', new_string: 'c', replace_all: true },
    ];
    const proposal = proposalOf('MultiEdit', { file_path: path, edits }, textFile('a\r\nb\r\n'));
    expect(proposal).toMatchObject({ kind: 'multiEdit', after: 'c\r\nc\r\n' });
  });

  it('are none of ours, or cannot be read', () => {
    expect(proposalOf('Bash', { command: 'ls' }, absent)).toBeUndefined();
    expect(proposalOf('Write', { file_path: path }, absent)).toBeUndefined();
    expect(proposalOf('Edit', null, absent)).toBeUndefined();
    expect(proposalOf('constructor', {}, absent)).toBeUndefined();
  });

  it('name their file', () => {
    expect(proposedPath('Write', { file_path: path, content: '' })).toBe(path);
    expect(proposedPath('NotebookEdit', { notebook_path: '/n.ipynb', new_source: '' })).toBe('/n.ipynb');
    expect(proposedPath('Bash', { command: 'ls' })).toBeUndefined();
  });
});

describe('a notebook', () => {
  const cells = [
    { cell_type: 'code', id: 'one', source: ['a\n', 'b'] },
    { cell_type: 'markdown', source: '# t' },
  ];
  const notebook = textFile(JSON.stringify({ cells }));
  const change = (fields: Record<string, unknown>, file = notebook) =>
    proposalOf('NotebookEdit', { notebook_path: '/n.ipynb', new_source: 'new', ...fields }, file);

  it('shows the source of the cell that is named, by id or by place', () => {
    expect(change({ cell_id: 'one' })).toMatchObject({
      kind: 'notebook',
      before: 'a\nb',
      after: 'new',
      cell: { mode: 'replace', index: 0, cellType: 'code' },
    });
    expect(change({ cell_id: 'cell-1' })).toMatchObject({ before: '# t', cell: { index: 1, cellType: 'markdown' } });
    expect(change({ cell_id: 'cell-1', cell_type: 'code' })).toMatchObject({ cell: { cellType: 'code' } });
  });

  it('shows a new cell and a deleted one', () => {
    const fresh = { before: undefined, after: 'new', cell: { index: 1, mode: 'insert' } };
    expect(change({ cell_id: 'one', edit_mode: 'insert' })).toMatchObject(fresh);
    expect(change({ edit_mode: 'insert', cell_type: 'markdown' })).toMatchObject({
      cell: { index: 0, cellType: 'markdown' },
    });
    expect(change({ cell_id: 'one', edit_mode: 'delete' })).toMatchObject({ before: 'a\nb', after: '' });
  });

  it.each([
    ['cellNotFound', { cell_id: 'two' }, notebook],
    ['cellNotFound', { cell_id: 'cell-2' }, notebook],
    ['cellNotFound', { cell_id: '1' }, notebook],
    ['cellNotFound', {}, notebook],
    ['cellNotFound', { cell_id: 'two', edit_mode: 'insert' }, notebook],
    ['notANotebook', { cell_id: 'one' }, textFile('{ no')],
    ['notANotebook', { cell_id: 'one' }, textFile('[]')],
    ['missing', { cell_id: 'one' }, absent],
    ['binary', { cell_id: 'one' }, { state: 'unreadable', code: 'binary' } as const],
  ])('has the problem %s', (code, fields, file) => {
    expect(change(fields, file)?.problem).toEqual({ code });
  });
});
