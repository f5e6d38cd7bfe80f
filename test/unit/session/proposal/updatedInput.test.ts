import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../src/session/proposal/cliEdit.ts';
import { editsOf, fileToolInput, proposalOf } from '../../../../src/session/proposal/fileProposal.ts';
import { applyHunks, hunksOf } from '../../../../src/session/proposal/hunks.ts';
import { asShown } from '../../../../src/session/proposal/lineEndings.ts';
import type { PresentFile } from '../../../../src/session/proposal/presentFile.ts';
import { BOM, textFile } from '../../../../src/session/proposal/presentFile.ts';
import type { ToolFields } from '../../../../src/session/proposal/updatedInput.ts';
import { updatedInputFor } from '../../../../src/session/proposal/updatedInput.ts';
import { someText, text } from './arbitraries.ts';

const absent: PresentFile = { state: 'absent' };
const path = '/f.txt';

const editAsk = (oldString: string, newString: string) => ({
  toolName: 'Edit',
  input: { file_path: path, old_string: oldString, new_string: newString, replace_all: false },
});
const writeAsk = (content: string) => ({ toolName: 'Write', input: { file_path: path, content } });

/** What the CLI makes of the file: characters with the mark, as they go to disk. */
function carriedOut(toolName: string, input: ToolFields, file: PresentFile): string | undefined {
  const read = fileToolInput(toolName, input);
  const present = file.state === 'text' ? file : undefined;
  if (read?.tool === 'Write') {
    const { content } = read.input;
    return present?.bom === true && content !== '' && !content.startsWith(BOM) ? BOM + content : content;
  }
  if (read?.tool !== 'Edit' && read?.tool !== 'MultiEdit') return undefined;
  const outcome = applyEdits(present?.text, present?.bom === true, editsOf(read));
  if (!outcome.ok) return undefined;
  return (present?.bom === true ? BOM : '') + outcome.text;
}

describe('accepting', () => {
  it('without a change gives back the very input that was asked about', () => {
    const ask = editAsk('b', 'x');
    const accepted = updatedInputFor(ask, textFile('a\nb\n'), 'a\nx\n');
    expect(accepted.type === 'unchanged' && accepted.input === ask.input).toBe(true);
  });

  it('without a change also when the editor made mixed line ends alike', () => {
    const ask = writeAsk('a\r\nb\nc\rd');
    expect(updatedInputFor(ask, absent, 'a\nb\nc\nd').type).toBe('unchanged');
    expect(updatedInputFor(editAsk('b', 'x\r\ny'), textFile('a\nb\n'), 'a\r\nx\r\ny\r\n').type).toBe('unchanged');
  });

  it('nothing of the proposal is nothing to allow', () => {
    expect(updatedInputFor(editAsk('b', 'x'), textFile('a\nb\n'), 'a\nb\n')).toEqual({ type: 'nothing' });
    expect(updatedInputFor(writeAsk('x\n'), textFile('a\r\nb\r\n'), 'a\nb\n')).toEqual({ type: 'nothing' });
  });

  it('an empty new file is not nothing', () => {
    expect(updatedInputFor(writeAsk('x\n'), absent, '')).toMatchObject({ type: 'changed', input: { content: '' } });
  });

  it('sends the content of a Write as the right side shows it', () => {
    const accepted = updatedInputFor(writeAsk('x\ny\n'), textFile('a\r\n'), 'x\nmine\n');
    expect(accepted).toEqual({
      type: 'changed',
      input: { file_path: path, content: 'x\nmine\n' },
      text: 'x\nmine\n',
      bom: false,
    });
  });

  it('brings a byte-order mark again that the proposal brought, and no second one', () => {
    const fresh = updatedInputFor(writeAsk(`${BOM}x\n`), absent, 'mine\n');
    expect(fresh).toMatchObject({ input: { content: `${BOM}mine\n` } });
    const kept = updatedInputFor(writeAsk(`${BOM}x\n`), textFile('a', true), `${BOM}mine\n`);
    expect(kept).toMatchObject({ input: { content: 'mine\n' }, text: 'mine\n' });
  });

  it('keeps the mark of a file that is emptied on the right side, which an empty content would lose', () => {
    const accepted = updatedInputFor(writeAsk('x\n'), textFile('a', true), '');
    expect(accepted).toMatchObject({ input: { content: BOM }, text: '', bom: true });
    const filled = updatedInputFor(writeAsk(''), textFile('a', true), 'mine');
    expect(filled).toMatchObject({ input: { content: 'mine' }, bom: true });
  });

  it('honours line ends that were changed by hand', () => {
    const accepted = updatedInputFor(writeAsk('x\ny\n'), absent, 'x\r\ny\r\n');
    expect(accepted).toMatchObject({ input: { content: 'x\r\ny\r\n' } });
  });

  it('keeps the line ends of untouched lines where there were several kinds', () => {
    const accepted = updatedInputFor(writeAsk('a\r\nb\nc\rd\n'), absent, 'a\nb\nnew\nc\nd\n');
    expect(accepted).toMatchObject({ text: 'a\r\nb\nnew\nc\rd\n' });
  });
});

describe('an edit that was changed', () => {
  const changed = (before: string | PresentFile, ask: ReturnType<typeof editAsk>, right: string) =>
    updatedInputFor(ask, typeof before === 'string' ? textFile(before) : before, right);

  it('is the smallest run of lines that occurs once', () => {
    const before = 'f() {\n  a\n}\ng() {\n  a\n}\n';
    const right = 'f() {\n  a\n}\ng() {\n  mine\n}\n';
    expect(changed(before, editAsk('g() {\n  a', 'g() {\n  b'), right)).toEqual({
      type: 'changed',
      text: right,
      bom: false,
      input: { file_path: path, old_string: 'g() {\n  a\n', new_string: 'g() {\n  mine\n', replace_all: false },
    });
  });

  it('needs no context where the line is the only one', () => {
    const accepted = changed('a\nb\nc\n', editAsk('b', 'x'), 'a\nmine\nc\n');
    expect(accepted).toMatchObject({ input: { old_string: 'b\n', new_string: 'mine\n' } });
  });

  it('puts lines in beside a line that occurs once', () => {
    const accepted = changed('a\nb\nc\n', editAsk('b', 'b\nx'), 'a\nb\nmine\nc\n');
    expect(accepted).toMatchObject({ type: 'changed', input: { old_string: 'c\n', new_string: 'mine\nc\n' } });
  });

  it('takes the whole file where everything repeats', () => {
    const accepted = changed('a\na\na\n', editAsk('a\na\na\n', 'b\n'), 'a\na\na\na\n');
    expect(accepted).toMatchObject({ input: { old_string: 'a\na\na\n', new_string: 'a\na\na\na\n' } });
  });

  it('is written with LF for a CRLF file, whose line ends stay', () => {
    const accepted = changed('a\r\nb\r\n', editAsk('b', 'x'), 'a\r\nmine\r\nmore\r\n');
    expect(accepted).toMatchObject({ input: { old_string: 'b\n', new_string: 'mine\nmore\n' } });
  });

  it('cannot give a CRLF file other line ends, and says so', () => {
    expect(changed('a\r\nb\r\n', editAsk('b', 'x'), 'a\nx\n')).toEqual({ type: 'refused', code: 'lineEndings' });
  });

  it('can give an LF file CRLF, since the CLI leaves those', () => {
    expect(changed('a\nb\n', editAsk('b', 'x'), 'a\r\nx\r\n')).toMatchObject({ type: 'changed', text: 'a\r\nx\r\n' });
  });

  it('creates a file with an empty old text, but not an empty one', () => {
    const accepted = changed(absent, editAsk('', 'x\n'), 'mine\n');
    expect(accepted).toMatchObject({ input: { old_string: '', new_string: 'mine\n' } });
    expect(changed(absent, editAsk('', 'x\n'), '')).toEqual({ type: 'refused', code: 'emptyFile' });
  });

  it('may empty a file', () => {
    expect(changed('a\nb', editAsk('b', 'x'), '')).toMatchObject({ input: { old_string: 'a\nb', new_string: '' } });
  });

  it('of several edits is one edit', () => {
    const edits = [{ old_string: 'a', new_string: 'b' }];
    const ask = { toolName: 'MultiEdit', input: { file_path: path, edits } };
    expect(updatedInputFor(ask, textFile('a\nc\n'), 'mine\nc\n')).toMatchObject({
      input: { file_path: path, edits: [{ old_string: 'a\n', new_string: 'mine\n', replace_all: false }] },
    });
  });

  it('still works when the old text no longer fits, since the right side says what is wanted', () => {
    const accepted = changed('a\nc\n', editAsk('b', 'x'), 'a\nmine\n');
    expect(accepted).toMatchObject({ type: 'changed', input: { old_string: 'c\n', new_string: 'mine\n' } });
  });

  it('is quick in a long file that repeats itself', () => {
    const before = 'same\n'.repeat(10_000);
    const right = `${'same\n'.repeat(4_999)}mine\n${'same\n'.repeat(5_000)}`;
    const from = performance.now();
    const accepted = changed(before, editAsk('same', 'x'), right);
    expect(performance.now() - from).toBeLessThan(500);
    expect(accepted).toMatchObject({ type: 'changed', text: right });
  });
});

describe('what cannot be handed on is refused by name', () => {
  it.each([
    ['notAFileTool', { toolName: 'Bash', input: { command: 'ls' } }, absent],
    ['notAFileTool', { toolName: 'Write', input: {} }, absent],
    ['unreadable', writeAsk('x'), { state: 'unreadable', code: 'binary' }],
  ] as const)('%s', (code, ask, file) => {
    expect(updatedInputFor(ask, file, 'mine')).toEqual({ type: 'refused', code });
  });

  it('notEncodable: half a surrogate pair in UTF-8, which UTF-16 can hold', () => {
    expect(updatedInputFor(writeAsk('x'), absent, 'a\ud800')).toEqual({ type: 'refused', code: 'notEncodable' });
    const utf16 = updatedInputFor(writeAsk('x'), textFile('b', true, 'utf16le'), 'a\ud800');
    expect(utf16.type).toBe('changed');
    expect(updatedInputFor(writeAsk('x'), absent, '😀').type).toBe('changed');
  });

  it('the proposal itself can be accepted for a file that is too big to show', () => {
    const ask = writeAsk('x');
    expect(updatedInputFor(ask, { state: 'unreadable', code: 'tooBig' }, 'x').type).toBe('unchanged');
    expect(updatedInputFor(ask, { state: 'unreadable', code: 'binary' }, 'x').type).toBe('refused');
  });
});

describe('a cell', () => {
  const notebook = textFile(JSON.stringify({ cells: [{ cell_type: 'code', id: 'one', source: 'a' }] }));
  const ask = (fields: ToolFields) => ({
    toolName: 'NotebookEdit',
    input: { notebook_path: '/n.ipynb', cell_id: 'one', new_source: 'x', ...fields },
  });

  it('gets the source from the right side', () => {
    expect(updatedInputFor(ask({}), notebook, 'mine')).toMatchObject({ input: { new_source: 'mine' }, text: 'mine' });
    expect(updatedInputFor(ask({}), notebook, 'x').type).toBe('unchanged');
    expect(updatedInputFor(ask({}), notebook, 'a').type).toBe('nothing');
  });

  it('that was to be deleted stays when it was given a text', () => {
    const deletion = ask({ edit_mode: 'delete', new_source: '' });
    expect(updatedInputFor(deletion, notebook, '').type).toBe('unchanged');
    expect(updatedInputFor(deletion, notebook, 'mine')).toMatchObject({
      input: { edit_mode: 'replace', new_source: 'mine' },
    });
  });

  it('that is not there cannot be written', () => {
    expect(updatedInputFor(ask({ cell_id: 'two' }), notebook, 'mine')).toEqual({
      type: 'refused',
      code: 'notExpressible',
    });
  });
});

describe('what the CLI then writes', () => {
  const file = fc.oneof(
    fc.tuple(text, fc.boolean()).map(([content, bom]) => textFile(content, bom)),
    fc.tuple(someText, fc.boolean()).map(([content, bom]) => textFile(content, bom)),
    fc.constant(absent),
  );

  /** An edit of a piece of the text, or a new content. */
  const asked = fc
    .tuple(file, fc.nat(), fc.nat({ max: 30 }), someText, fc.boolean())
    .map(([present, at, length, fresh, whole]) => {
      const content = present.state === 'text' ? present.text.replaceAll('\r\n', '\n') : '';
      const start = at % (content.length + 1);
      const ask = whole ? writeAsk(fresh) : editAsk(content.slice(start, start + length), fresh);
      return { present, ask };
    });

  it('is what the person saw, for any choice of hunks and any change of theirs', () => {
    const kinds = { changed: 0, unchanged: 0, nothing: 0, refused: 0 };
    fc.assert(
      fc.property(
        asked,
        fc.nat(),
        fc.option(someText, { freq: 3 }),
        fc.nat(),
        fc.boolean(),
        ({ present, ask }, bits, own, place, alike) => {
          const proposal = proposalOf(ask.toolName, ask.input, present);
          fc.pre(proposal !== undefined && proposal.problem === undefined);
          const before = proposal.before ?? '';
          const hunks = hunksOf(before, proposal.after);
          const some = applyHunks(
            before,
            hunks,
            new Set(hunks.filter(({ id }) => (bits >> (id % 31)) & 1).map(h => h.id)),
          );
          const at = place % (some.length + 1);
          const typed = own === null ? some : some.slice(0, at) + own + some.slice(at);
          const right = alike
            ? asShown(typed).replaceAll('\n', proposal.after.includes('\r\n') ? '\r\n' : '\n')
            : typed;
          const accepted = updatedInputFor(ask, present, right);
          kinds[accepted.type] += 1;
          const mark = proposal.bom ? BOM : '';
          switch (accepted.type) {
            case 'unchanged':
              expect(accepted.input).toBe(ask.input);
              expect(asShown(right)).toBe(asShown(proposal.after));
              expect(carriedOut(ask.toolName, accepted.input, present)).toBe(mark + proposal.after);
              return;
            case 'changed':
              expect(carriedOut(ask.toolName, accepted.input, present)).toBe((accepted.bom ? BOM : '') + accepted.text);
              expect(asShown(accepted.text)).toBe(asShown(right));
              return;
            case 'nothing':
              expect(asShown(right)).toBe(asShown(before));
              return;
            case 'refused':
              expect(/\p{Surrogate}/u.test(right) ? ['notEncodable'] : ['lineEndings', 'emptyFile']).toContain(
                accepted.code,
              );
          }
        },
      ),
      { numRuns: 3_000 },
    );
    expect(kinds.changed).toBeGreaterThan(1_000);
    expect(kinds.unchanged).toBeGreaterThan(100);
    expect(kinds.nothing).toBeGreaterThan(20);
    expect(kinds.refused).toBeLessThan(600);
  });
});
