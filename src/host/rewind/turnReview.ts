import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import { agentChanges } from '../../session/rewind/agentChanges.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { Chat } from '../chat/chat.ts';
import { errorText } from '../errorText.ts';
import { inBackground } from '../inBackground.ts';
import { rowOf } from './chatRewind.ts';
import { presenceOf, readOrNothing } from './disk.ts';
import type { FileHistory } from './fileHistory.ts';
import { trackedPath } from './fileHistory.ts';
import { resolvePath } from './paths.ts';
import { promptLine, totalWords } from './rewindDialog.ts';
import type { DiffSide, RewindDocuments } from './rewindDocuments.ts';
import type { RewindFolder } from './rewindFolder.ts';
import { errorWords } from './rewindWords.ts';

export interface TurnReviewOptions {
  readonly folderOf: (chat: Chat) => RewindFolder;
  readonly documents: RewindDocuments;
  readonly activeChat: () => Chat;
  readonly history: FileHistory;
  readonly touched: (sessionId: string) => void;
  readonly logger: Logger;
}

interface Stretch {
  readonly title: string;
  readonly changes: readonly AgentChange[];
  readonly promptId: string;
}

/** A file and what it was before the stretch. `null`: it was not there. `undefined`: nobody knows. */
interface ReviewedFile {
  readonly path: string;
  readonly before: Buffer | null | undefined;
}

/** All files of a turn, or of the whole session, against the state before it, and the way back for single files. */
export class TurnReview {
  readonly #options: TurnReviewOptions;

  constructor(options: TurnReviewOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const chat = this.#options.activeChat();
    try {
      const stretch = await pickStretch(chat);
      if (stretch === undefined) return;
      const files = await this.#files(chat, stretch);
      const entries = await Promise.all(
        files.map(async ({ path, before }) => {
          const there = (await presenceOf(path)).kind === 'file';
          const after: DiffSide = there ? { kind: 'file' } : { kind: 'none' };
          return { path, before: sideOf(before), after };
        }),
      );
      await this.#options.documents.show(stretch.title, entries);
      inBackground(this.#offerRevert(chat, stretch, files), this.#options.logger);
    } catch (error) {
      this.#options.logger.warn('A turn could not be reviewed', error);
      void vscode.window.showErrorMessage(errorText(error));
    }
  }

  async #files(chat: Chat, { changes, promptId }: Stretch): Promise<ReviewedFile[]> {
    const { history } = this.#options;
    const { sessionId, cwd } = chat;
    const book = sessionId === undefined ? undefined : await history.book(sessionId);
    const copies = new Map(
      [...(book?.targets(promptId) ?? [])].map(([path, backup]) => [trackedPath(path, cwd), backup]),
    );
    const firsts = new Map<string, AgentChange>();
    for (const change of changes) {
      const path = resolvePath(change.path, cwd);
      if (!firsts.has(path)) firsts.set(path, change);
    }
    return Promise.all(
      [...firsts].map(async ([path, { before }]) => {
        const copy = copies.get(path);
        if (copy === null) return { path, before: null };
        const bytes =
          copy === undefined || sessionId === undefined
            ? undefined
            : await readOrNothing(history.backupPath(sessionId, copy));
        // Without the CLI's copy the tool's result still tells the text.
        return { path, before: bytes ?? (typeof before === 'string' ? Buffer.from(before) : before) };
      }),
    );
  }

  async #offerRevert(chat: Chat, stretch: Stretch, files: readonly ReviewedFile[]): Promise<void> {
    const revert = vscode.l10n.t('Revert Files…');
    if ((await vscode.window.showInformationMessage(stretch.title, revert)) !== revert) return;
    const known = files.filter(file => file.before !== undefined);
    const picked = await vscode.window.showQuickPick(
      known.map(file => ({
        label: relative(chat.cwd, file.path),
        description: file.before === null ? vscode.l10n.t('made in this stretch, would be deleted') : '',
        file,
      })),
      { title: vscode.l10n.t('Which files go back to before it?'), canPickMany: true, ignoreFocusOut: true },
    );
    if (picked === undefined || picked.length === 0) return;
    await this.#revert(
      chat,
      stretch,
      picked.map(item => item.file),
    );
  }

  async #revert(chat: Chat, stretch: Stretch, files: readonly ReviewedFile[]): Promise<void> {
    const { folderOf, touched, logger } = this.#options;
    const sessionId = chat.sessionId ?? '';
    const head = { folder: chat.cwd, sessionId, promptId: stretch.promptId, promptText: stretch.title };
    try {
      const wanted = new Map(files.map(({ path, before }) => [path, before ?? undefined]));
      const record = await folderOf(chat).rewinder.revert(head, wanted);
      touched(sessionId);
      chat.transcript.note(rowOf(record));
    } catch (error) {
      logger.warn('Files could not be reverted', error);
      const words = error instanceof RewindError ? errorWords(error, vscode.l10n.t) : errorText(error);
      void vscode.window.showErrorMessage(words);
    }
  }
}

function sideOf(before: Buffer | null | undefined): DiffSide {
  if (before === null) return { kind: 'none' };
  if (before === undefined) {
    return { kind: 'text', read: () => Promise.resolve(vscode.l10n.t('The earlier content is not known.')) };
  }
  return { kind: 'text', read: () => Promise.resolve(before.toString('utf8')) };
}

/** The last turn that changed files, any earlier one, or everything. */
async function pickStretch(chat: Chat): Promise<Stretch | undefined> {
  const changes = agentChanges(chat.transcript);
  const turns = new Map<string, AgentChange[]>();
  for (const change of changes) {
    const promptId = change.promptId ?? '';
    const turn = turns.get(promptId);
    if (turn) turn.push(change);
    else turns.set(promptId, [change]);
  }
  const [first] = turns.keys();
  if (first === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The agent has changed no files in this conversation.'));
    return undefined;
  }
  const textOf = (promptId: string): string => {
    const item = chat.transcript.find(promptId);
    return item?.kind === 'prompt' ? promptLine(item.text) : vscode.l10n.t('Before the first message');
  };
  const items = [...turns].reverse().map(([promptId, made], index) => ({
    label: index === 0 ? vscode.l10n.t('Last turn') : textOf(promptId),
    description: index === 0 ? textOf(promptId) : '',
    detail: totalWords(made),
    stretch: { title: vscode.l10n.t('Review of “{0}”', textOf(promptId)), changes: made, promptId },
  }));
  if (items.length === 1) return items[0]?.stretch;
  const whole = {
    label: vscode.l10n.t('Whole session'),
    description: '',
    detail: totalWords(changes),
    stretch: { title: vscode.l10n.t('Review of the whole session'), changes, promptId: first },
  };
  const [last, ...earlier] = items;
  const shown = last === undefined ? [whole] : [last, whole, ...earlier];
  return (await vscode.window.showQuickPick(shown, { title: vscode.l10n.t('Review which changes?') }))?.stretch;
}
