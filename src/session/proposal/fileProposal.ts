import type { ToolInput } from '../../protocol/toolInputs.ts';
import { readToolInput } from '../../protocol/toolInputs.ts';
import type { EditProblem, StringEdit } from './cliEdit.ts';
import { applyEdits, rewritten, withoutBom } from './cliEdit.ts';
import type { LineEndings } from './lineEndings.ts';
import { lineEndingsOf, withLineEndings } from './lineEndings.ts';
import type { CellProblem, NotebookCell } from './notebookCell.ts';
import { findCell } from './notebookCell.ts';
import type { FileEncoding, PresentFile, UnreadableCode } from './presentFile.ts';
import { BOM } from './presentFile.ts';

/**
 * Why a proposal cannot be carried out as things are. The CLI would answer the agent with an error:
 * `noMatch`, `notUnique`: the old text is not in the file (any more), or more than once; `noChange`: old and new are the
 * same; `missing`: an edit of a file that is not there; `exists`: an edit that creates, and the file has content;
 * `notANotebook`, `cellNotFound`: NotebookEdit; the rest: the file is no text the CLI would write.
 */
export interface ProposalProblem {
  readonly code: EditProblem | CellProblem | UnreadableCode;
}

/** What a tool wants to make of a file, as the CLI will do it. All texts are without a byte-order mark. */
export interface FileProposal {
  readonly path: string;
  readonly kind: 'write' | 'edit' | 'multiEdit' | 'notebook';
  /**
   * The left side: the file, or the notebook's cell, as it is, with the line ends of `after` where those are of one kind,
   * so that a change of line ends is no hunk in every line (`lineEndings` tells of it). Absent: there is nothing yet.
   */
  readonly before: string | undefined;
  /** The right side as proposed. With a problem: as far as it is known. */
  readonly after: string;
  readonly encoding: FileEncoding;
  /** Whether the file will begin with a byte-order mark. */
  readonly bom: boolean;
  /** Different in both: accepting changes the line ends of the whole file. */
  readonly lineEndings: { readonly before: LineEndings; readonly after: LineEndings };
  readonly cell?: NotebookCell;
  readonly problem?: ProposalProblem;
}

/** The four tools that write a file by themselves. */
export type FileToolInput = Extract<ToolInput, { tool: 'Write' | 'Edit' | 'MultiEdit' | 'NotebookEdit' }>;

/** The input of a tool that writes a file; undefined for every other tool, and for an input that cannot be read. */
export function fileToolInput(toolName: string, input: unknown): FileToolInput | undefined {
  const read = readToolInput(toolName, input);
  switch (read.tool) {
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return read;
    default:
      return undefined;
  }
}

/** The file a tool is about to write, as the CLI names it in its question: absolute, `~` and `..` resolved. */
export function proposedPath(toolName: string, input: unknown): string | undefined {
  const read = fileToolInput(toolName, input);
  if (read === undefined) return undefined;
  return read.tool === 'NotebookEdit' ? read.input.notebook_path : read.input.file_path;
}

/** What the tool would make of the file as it is now. Undefined: the tool writes no file, or its input cannot be read. */
export function proposalOf(toolName: string, input: unknown, file: PresentFile): FileProposal | undefined {
  const read = fileToolInput(toolName, input);
  switch (read?.tool) {
    case 'Write':
      return writeProposal(read.input.file_path, read.input.content, file);
    case 'Edit':
    case 'MultiEdit':
      return editProposal(read.input.file_path, editsOf(read), file, read.tool === 'Edit' ? 'edit' : 'multiEdit');
    case 'NotebookEdit':
      return notebookProposal(read.input, file);
    case undefined:
      return undefined;
  }
}

export function editsOf(read: Extract<FileToolInput, { tool: 'Edit' | 'MultiEdit' }>): StringEdit[] {
  const edits = read.tool === 'Edit' ? [read.input] : read.input.edits;
  return edits.map(edit => ({
    oldString: edit.old_string,
    newString: edit.new_string,
    replaceAll: edit.replace_all === true,
  }));
}

/**
 * Write: the content goes to disk as it is, line ends included; encoding and byte-order mark of the file stay, only that
 * an empty content leaves a file without a single byte.
 */
function writeProposal(path: string, content: string, file: PresentFile): FileProposal {
  const after = withoutBom(content);
  const endings = lineEndingsOf(after);
  const before = file.state === 'text' ? file.text : undefined;
  const shown =
    endings === 'lf' || endings === 'crlf' ? mapped(before, text => withLineEndings(text, endings)) : before;
  return {
    path,
    kind: 'write',
    before: shown,
    after,
    ...storage(file, content),
    ...(content === '' ? { bom: false } : {}),
    lineEndings: { before: lineEndingsOf(before ?? ''), after: endings },
    ...problemOf(file),
  };
}

function editProposal(
  path: string,
  edits: readonly StringEdit[],
  file: PresentFile,
  kind: 'edit' | 'multiEdit',
): FileProposal {
  const text = file.state === 'text' ? file.text : undefined;
  const bom = file.state === 'text' && file.bom;
  const before = mapped(text, present => rewritten(present, bom));
  const unreadable = problemOf(file);
  const outcome = unreadable.problem ? undefined : applyEdits(text, bom, edits);
  const written = outcome?.ok === true ? outcome.text : (before ?? '');
  const after = bom ? written : withoutBom(written);
  return {
    path,
    kind,
    before,
    after,
    ...storage(file, written),
    lineEndings: { before: lineEndingsOf(text ?? ''), after: lineEndingsOf(after) },
    ...(outcome?.ok === false ? { problem: { code: outcome.problem } } : unreadable),
  };
}

function notebookProposal(
  input: Extract<FileToolInput, { tool: 'NotebookEdit' }>['input'],
  file: PresentFile,
): FileProposal {
  const mode = modeOf(input.edit_mode);
  const request = { cellId: input.cell_id, mode, cellType: input.cell_type };
  const found = file.state === 'text' ? findCell(file.text, request) : undefined;
  const cell = typeof found === 'object' ? found : undefined;
  const after = mode === 'delete' ? '' : input.new_source;
  const problem = typeof found === 'string' ? { code: found } : file.state === 'absent' ? missing : undefined;
  return {
    path: input.notebook_path,
    kind: 'notebook',
    before: cell?.source,
    after,
    ...storage(file, ''),
    lineEndings: { before: lineEndingsOf(cell?.source ?? ''), after: lineEndingsOf(after) },
    ...(cell === undefined ? {} : { cell }),
    ...(problem === undefined ? problemOf(file) : { problem }),
  };
}

function modeOf(mode: string | undefined): NotebookCell['mode'] {
  switch (mode) {
    case 'insert':
    case 'delete':
      return mode;
    default:
      return 'replace';
  }
}

const missing: ProposalProblem = { code: 'missing' };

function problemOf(file: PresentFile): { readonly problem?: ProposalProblem } {
  return file.state === 'unreadable' ? { problem: { code: file.code } } : {};
}

function storage(file: PresentFile, written: string): Pick<FileProposal, 'encoding' | 'bom'> {
  const present = file.state === 'text' ? file : undefined;
  return { encoding: present?.encoding ?? 'utf8', bom: present?.bom === true || written.startsWith(BOM) };
}

function mapped(text: string | undefined, change: (text: string) => string): string | undefined {
  return text === undefined ? undefined : change(text);
}
