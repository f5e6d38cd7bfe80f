import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Absence } from '../../session/store/sessionStore.ts';
import type { SessionSummary } from '../../session/store/sessionSummary.ts';
import { cleanTitle, customTitleLine } from '../../session/store/titleLine.ts';
import type { Chat } from '../chat/chat.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { DiskSessionFiles } from '../disk/sessionFiles.ts';
import type { SessionTrash, TrashedSession } from '../disk/sessionTrash.ts';
import { inBackground } from '../inBackground.ts';
import { noticeText } from '../noticeText.ts';
import { sessionJson, sessionMarkdown } from './exportSession.ts';
import type { PastSessions } from './pastSessions.ts';
import type { SessionTarget } from './sessionTarget.ts';

export interface SessionActionsOptions {
  readonly past: PastSessions;
  readonly files: DiskSessionFiles;
  readonly trash: SessionTrash;
  /** The chat of this window that shows a session. */
  readonly chatOf: (sessionId: string) => Chat | undefined;
  readonly openFork: (target: SessionTarget, folder?: string) => void;
  /** The folder a person works in, for "why is it not here". */
  readonly folder: () => string;
  readonly logger: Logger;
}

/** What can be done to a session beside talking in it. */
export class SessionActions {
  readonly #options: SessionActionsOptions;

  constructor(options: SessionActionsOptions) {
    this.#options = options;
  }

  async rename(session: SessionSummary): Promise<void> {
    const { sessionId, project } = session;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename session'),
      value: session.title,
      validateInput: value => (cleanTitle(value) === '' ? vscode.l10n.t('A session needs a name') : undefined),
    });
    const title = typed === undefined ? '' : cleanTitle(typed);
    if (title === '') return;
    const chat = this.#options.chatOf(sessionId);
    const live = chat?.session !== undefined && chat.session.state.type !== 'stopped';
    // A live process is told; it writes the line itself.
    if (!live) await this.#options.files.appendLine({ project, sessionId }, customTitleLine(sessionId, title));
    await chat?.rename(title);
  }

  fork({ sessionId, cwd }: SessionSummary): Promise<void> {
    this.#options.openFork({ sessionId, fork: true }, cwd);
    return Promise.resolve();
  }

  async copyId({ sessionId }: SessionSummary): Promise<void> {
    await vscode.env.clipboard.writeText(sessionId);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Session id copied'), 3_000);
  }

  async exportSession(session: SessionSummary): Promise<void> {
    const name = cleanText(session.title)
      .replace(/[^\p{L}\p{N}-]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60);
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export session'),
      defaultUri: vscode.Uri.file(path.join(this.#options.folder(), `${name === '' ? session.sessionId : name}.md`)),
      filters: { Markdown: ['md'], JSON: ['json'] },
    });
    if (target === undefined) return;
    const whole = await this.#options.past.whole(session);
    const text = target.path.endsWith('.json')
      ? sessionJson(session, whole)
      : sessionMarkdown(session, whole, vscode.l10n.t);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    const open = vscode.l10n.t('Open');
    const said =
      whole.corruptLines === 0
        ? vscode.l10n.t('The session was exported.')
        : whole.corruptLines === 1
          ? vscode.l10n.t('The session was exported without 1 damaged line.')
          : vscode.l10n.t('The session was exported without {0} damaged lines.', whole.corruptLines);
    const offer = async (): Promise<void> => {
      const choice = await vscode.window.showInformationMessage(said, open);
      if (choice === open) await vscode.commands.executeCommand('vscode.open', target);
    };
    inBackground(offer(), this.#options.logger);
  }

  /** To the trash, with a way back. A session that is open, here or elsewhere, is not pulled away under its agent. */
  async remove(session: SessionSummary): Promise<void> {
    const { sessionId, project } = session;
    const { past, trash, logger } = this.#options;
    const title = noticeText(session.title);
    if (this.#options.chatOf(sessionId) !== undefined) {
      void vscode.window.showWarningMessage(vscode.l10n.t('“{0}” is open in this window. Close it first.', title));
      return;
    }
    const holder = await past.holderOf(sessionId);
    if (holder !== undefined) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('“{0}” is in use by another process ({1}). End that one first.', title, holder.pid),
      );
      return;
    }
    const trashed = await trash.put({ project, sessionId });
    inBackground(this.#offerUndo(trashed, title), logger);
  }

  async #offerUndo(trashed: TrashedSession, title: string): Promise<void> {
    const undo = vscode.l10n.t('Undo');
    const choice = await vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is in the trash.', title), undo);
    if (choice !== undo) return;
    await this.#options.trash.restore(trashed);
    void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is back.', title));
  }

  /** Says why a session that a person misses is not in the list. */
  async explain(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Why is a session not here?'),
      prompt: vscode.l10n.t('Id of the session: the name of its file without “.jsonl”'),
    });
    const sessionId = typed?.trim().replace(/\.jsonl$/, '') ?? '';
    if (!/^[\w-]+$/.test(sessionId)) return;
    const absence = await this.#options.past.explain(sessionId, this.#options.folder());
    void vscode.window.showInformationMessage(absenceText(absence), { modal: true });
  }
}

function absenceText(absence: Absence): string {
  switch (absence.reason) {
    case 'listed':
      return vscode.l10n.t('It is in the list of this folder, as “{0}”.', cleanText(absence.session.title));
    case 'notFound':
      return vscode.l10n.t(
        'There is no transcript with this id. If “CLAUDE_CONFIG_DIR” was another one then, look there.',
      );
    case 'otherFolder':
      return vscode.l10n.t(
        'It belongs to another folder: {0}',
        cleanText(absence.session.cwd ?? absence.session.project),
      );
    case 'sidechain':
      return vscode.l10n.t('It is the conversation of a subagent, which is shown inside the session that started it.');
    case 'entrypoint':
      return vscode.l10n.t(
        'It was made by a program ({0}), not by a person; such sessions are hidden.',
        cleanText(absence.session.entrypoint ?? ''),
      );
    case 'empty':
      return vscode.l10n.t('Nothing was said in it.');
  }
}
