import { assertNever } from '../../base/assertNever.ts';
import { applyEdits, endingsKept, fromDisk, inMemory, withoutBom } from './cliEdit.ts';
import type { FileProposal, FileToolInput } from './fileProposal.ts';
import { fileToolInput, proposalOf } from './fileProposal.ts';
import { asShown, lineEndingsOf, restoreLineEndings, withLineEndings } from './lineEndings.ts';
import type { PresentFile } from './presentFile.ts';
import { BOM } from './presentFile.ts';
import { uniquePair } from './uniquePair.ts';

export type ToolFields = Readonly<Record<string, unknown>>;

/**
 * Why the right side cannot be handed to the CLI. `notAFileTool`: no tool that writes a file, or an input nobody can
 * read. `unreadable`: the present file is no text, so only the proposal itself can be accepted. `lineEndings`: Edit keeps
 * the line ends of a CRLF file. `notEncodable`: half a surrogate pair has no bytes in UTF-8. `emptyFile`: Edit cannot
 * create an empty file. `notExpressible`: no pair of strings makes the CLI write this.
 */
export type RefusalCode =
  'notAFileTool' | 'unreadable' | 'lineEndings' | 'notEncodable' | 'emptyFile' | 'notExpressible';

/** What accepting the right side means. */
export type Acceptance =
  /** As proposed: `input` is the very object that was asked about. */
  | { readonly type: 'unchanged'; readonly input: ToolFields }
  /** With changes: `text` is what the file (or cell) will hold, beside a byte-order mark if `bom`. */
  | { readonly type: 'changed'; readonly input: ToolFields; readonly text: string; readonly bom: boolean }
  /** Nothing of the proposal is left: there is nothing to allow. */
  | { readonly type: 'nothing' }
  | { readonly type: 'refused'; readonly code: RefusalCode };

export interface AskedTool {
  readonly toolName: string;
  readonly input: ToolFields;
}

/**
 * The input that makes the CLI write what the right side holds. `file`: as it is on disk now; `right`: the text of the
 * right side, which an editor may have given one kind of line end throughout.
 */
export function updatedInputFor(ask: AskedTool, file: PresentFile, right: string): Acceptance {
  const read = fileToolInput(ask.toolName, ask.input);
  const proposal = proposalOf(ask.toolName, ask.input, file);
  if (read === undefined || proposal === undefined) return refused('notAFileTool');
  const shown = withoutBom(right);
  if (isAsProposed(proposal, shown)) return { type: 'unchanged', input: ask.input };
  if (file.state === 'unreadable') return refused('unreadable');
  if (proposal.before !== undefined && asShown(shown) === asShown(proposal.before)) return { type: 'nothing' };
  if (proposal.encoding === 'utf8' && /\p{Surrogate}/u.test(shown)) return refused('notEncodable');
  const text = restoreLineEndings(shown, proposal.after);
  return express(ask.input, read, proposal, file, text);
}

/** Line ends of one kind turned into another kind throughout were changed by hand; several kinds made one were not. */
function isAsProposed({ after, problem }: FileProposal, right: string): boolean {
  if (problem !== undefined && problem.code !== 'tooBig' && problem.code !== 'noAccess') return false;
  if (asShown(right) !== asShown(after)) return false;
  const [proposed, accepted] = [lineEndingsOf(after), lineEndingsOf(right)];
  return proposed === accepted || proposed === 'mixed';
}

function express(
  input: ToolFields,
  read: FileToolInput,
  proposal: FileProposal,
  file: Exclude<PresentFile, { state: 'unreadable' }>,
  text: string,
): Acceptance {
  const kept = file.state === 'text' && file.bom;
  const bom = kept || proposal.bom;
  // A mark the file has is kept by the CLI; one that the proposal brought must be brought again.
  const mark = bom && !kept ? BOM : '';
  switch (read.tool) {
    case 'Write': {
      // Alone, the mark would be lost with an empty content.
      const content = bom && text === '' ? BOM : mark + text;
      return { type: 'changed', input: { ...input, content }, text, bom };
    }
    case 'NotebookEdit': {
      if (proposal.cell === undefined) return refused('notExpressible');
      // A cell that was to be deleted and now has text stays, with that text.
      const mode = proposal.cell.mode === 'delete' ? { edit_mode: 'replace' } : {};
      return { type: 'changed', input: { ...input, ...mode, new_source: text }, text, bom };
    }
    case 'Edit':
    case 'MultiEdit':
      return expressEdit(input, read.tool, file, mark, proposal, text);
    default:
      return assertNever(read);
  }
}

function expressEdit(
  input: ToolFields,
  tool: 'Edit' | 'MultiEdit',
  file: Exclude<PresentFile, { state: 'unreadable' }>,
  mark: string,
  proposal: FileProposal,
  text: string,
): Acceptance {
  const present = file.state === 'text' ? file : undefined;
  const endings = present === undefined ? 'lf' : endingsKept(present.text, present.bom);
  const wanted = endings === 'crlf' && lineEndingsOf(proposal.after) !== 'crlf' ? withLineEndings(text, 'crlf') : text;
  if (endings === 'crlf' && withLineEndings(wanted, 'crlf') !== wanted) return refused('lineEndings');
  if (wanted === '' && (present?.text ?? '').trim() === '') return refused('emptyFile');
  const memory = present === undefined ? undefined : inMemory(present.text);
  const pair = uniquePair(memory, mark + fromDisk(wanted, endings), candidate => {
    const outcome = applyEdits(present?.text, present?.bom === true, [{ ...candidate, replaceAll: false }]);
    return outcome.ok && outcome.text === mark + wanted;
  });
  if (pair === undefined) return refused('notExpressible');
  const edit = { old_string: pair.oldString, new_string: pair.newString, replace_all: false };
  const changed = tool === 'Edit' ? { ...input, ...edit } : { ...input, edits: [edit] };
  return { type: 'changed', input: changed, text: wanted, bom: mark !== '' || present?.bom === true };
}

function refused(code: RefusalCode): Acceptance {
  return { type: 'refused', code };
}
