import * as nodePath from 'node:path';
import { assertNever } from '../../base/assertNever.ts';
import type { AskNote } from '../../bridge/viewItem.ts';
import type { ProposalProblem } from '../../session/proposal/fileProposal.ts';
import type { RefusalCode } from '../../session/proposal/updatedInput.ts';
import type { Translate } from '../chat/words.ts';
import { insidePath } from '../paths.ts';
import type { PendingProposal } from './pendingProposal.ts';

/** What a person should know before they accept, most important first. */
export function proposalNotes(
  pending: PendingProposal,
  place: { readonly cwd: string; readonly unsaved: boolean },
  t: Translate,
): AskNote[] {
  const { proposal, disk } = pending;
  const notes: AskNote[] = [];
  const warn = (text: string): void => void notes.push({ level: 'warning', text });
  const tell = (text: string): void => void notes.push({ level: 'info', text });
  if (proposal.problem !== undefined) warn(problemText(proposal.problem, t));
  if (pending.changedOnDisk) {
    warn(
      t('The file changed on disk after this was asked. What you see is up to date; the agent may refuse to write.'),
    );
  }
  if (place.unsaved) warn(t('The editor holds unsaved changes of this file. They are not part of what you see here.'));
  if (!disk.writable) warn(t('The file is read-only.'));
  for (const text of pathNotes(proposal.path, disk.realPath, place.cwd, t)) tell(text);
  const { before, after } = proposal.lineEndings;
  if (proposal.before !== undefined && before !== 'none' && after !== 'none' && before !== after) {
    tell(t('Line ends of the whole file change: {0} becomes {1}.', endingsName(before, t), endingsName(after, t)));
  }
  if (proposal.encoding === 'utf16le') tell(t('The file is stored as UTF-16 and stays so.'));
  const written = writtenText(pending, t);
  if (written !== undefined) tell(written);
  return notes;
}

/** What will be written when it is not what was proposed. When nothing is left of it, the card says so by its buttons. */
function writtenText(pending: PendingProposal, t: Translate): string | undefined {
  if (!pending.isTouched) return undefined;
  if (!pending.onlyLeavesOut) return t('Your changes in the diff will be written.');
  const taken = pending.states.filter(state => state === 'taken').length;
  return taken === 0 ? undefined : t('{0} of {1} hunks will be written.', taken, pending.hunks.length);
}

/** Where a path leads when that is not where it seems to lead. */
export function pathNotes(asked: string, real: string | undefined, cwd: string, t: Translate): string[] {
  const notes: string[] = [];
  const target = real ?? asked;
  if (real !== undefined && nodePath.resolve(asked) !== real) {
    const onlyCase = nodePath.resolve(asked).toLowerCase() === real.toLowerCase();
    notes.push(onlyCase ? t('On disk this file is called {0}.', real) : t('This is a link: the file is {0}.', real));
  }
  if (insidePath(target, cwd) === undefined) notes.push(t('This is outside the folder of this session.'));
  return notes;
}

function endingsName(endings: 'lf' | 'crlf' | 'cr' | 'mixed', t: Translate): string {
  return endings === 'mixed' ? t('mixed') : endings.toUpperCase();
}

function problemText({ code }: ProposalProblem, t: Translate): string {
  switch (code) {
    case 'noMatch':
      return t('The text to be replaced is not in the file (any more). Allowing this will fail.');
    case 'notUnique':
      return t('The text to be replaced is in the file more than once. Allowing this will fail.');
    case 'noChange':
      return t('Old and new text are the same. Allowing this changes nothing.');
    case 'missing':
      return t('The file does not exist (any more). Allowing this will fail.');
    case 'exists':
      return t('The file already has content, and this would create it. Allowing this will fail.');
    case 'notANotebook':
      return t('The file cannot be read as a notebook. Allowing this will fail.');
    case 'cellNotFound':
      return t('The notebook has no such cell. Allowing this will fail.');
    case 'binary':
      return t('The file is binary: there is no diff to show, and the agent will not write it.');
    case 'notUtf8':
    case 'utf16be':
      return t('The encoding of the file is one the agent does not write: there is no diff to show.');
    case 'tooBig':
      return t('The file is too big for a diff. Only the proposal as it is can be allowed.');
    case 'noAccess':
      return t('The file cannot be read: there is no diff to show.');
    case 'folder':
      return t('This is a folder, not a file. Allowing this will fail.');
    default:
      return assertNever(code);
  }
}

/** Why what the right side holds cannot be handed over. The question stays open. */
export function refusalText(code: RefusalCode, t: Translate): string {
  switch (code) {
    case 'notAFileTool':
    case 'notExpressible':
      return t(
        'Your changes cannot be handed to the agent as an edit. Undo them, or deny and make the change yourself.',
      );
    case 'unreadable':
      return t('The file cannot be read as text, so only the proposal as it is can be allowed.');
    case 'lineEndings':
      return t('The agent keeps the line ends of this file, so they cannot be changed here.');
    case 'notEncodable':
      return t('The text holds half a character that cannot be stored.');
    case 'emptyFile':
      return t('The agent cannot create an empty file this way.');
    default:
      return assertNever(code);
  }
}
