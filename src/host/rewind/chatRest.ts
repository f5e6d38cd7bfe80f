import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { Chat } from '../chat/chat.ts';

function isAtWork(chat: Chat): boolean {
  return chat.state?.type === 'working' || chat.state?.type === 'awaitingPermission';
}

/** Rejects while a turn runs: it would write into files that are being taken back. */
export function requireRest(chat: Chat): void {
  if (isAtWork(chat)) throw new RewindError('busy', 'A turn runs.');
}

/** Offers to stop a running turn. False: the person would rather wait. */
export async function broughtToRest(chat: Chat): Promise<boolean> {
  if (!isAtWork(chat)) return true;
  const stop = vscode.l10n.t('Stop and Rewind');
  const text = vscode.l10n.t('The agent is working. Stop it to take the files back?');
  if ((await vscode.window.showWarningMessage(text, { modal: true }, stop)) !== stop) return false;
  await stopTurn(chat);
  return true;
}

/**
 * Going back in a conversation ends its process and what that still does in the background: asked before any file is
 * touched. False: the person would rather keep it.
 */
export async function mayEndBackground(chat: Chat): Promise<boolean> {
  if (!chat.isBusy) return true;
  const stop = vscode.l10n.t('Stop It and Rewind');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Something that the agent began still runs in the background.'),
    {
      modal: true,
      detail: vscode.l10n.t('Going back in the conversation stops it. “Files only” lets it run.'),
    },
    stop,
  );
  return answer === stop;
}

async function stopTurn(chat: Chat): Promise<void> {
  const { session } = chat;
  if (session === undefined) return;
  const over = new Deferred<undefined>();
  const listener = session.onDidChangeState(state => {
    if (state.type === 'idle' || state.type === 'stopped') over.resolve(undefined);
  });
  const timer = systemClock.after(5_000, () => over.resolve(undefined));
  try {
    await chat.interrupt();
    if (session.state.type !== 'idle') await over.promise;
  } finally {
    listener.dispose();
    timer.dispose();
  }
  requireRest(chat);
}
