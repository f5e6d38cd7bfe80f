import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import { errorText } from '../errorText.ts';
import { noticeText } from '../noticeText.ts';
import { errorWords } from './rewindWords.ts';

/** Does something for a person; what goes wrong is written down and told. Never rejects. */
export async function orSay(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn('A rewind was not carried out', error);
    const words = error instanceof RewindError ? errorWords(error, vscode.l10n.t) : errorText(error);
    void vscode.window.showErrorMessage(noticeText(words));
  }
}

export type Tell = (message: string) => void;

/** What takes longer than this is worth a notification; anything shorter would only flicker. */
const patience = 700;

/** Shows in the status bar that something is going on, and as a notification too when it takes its time. */
export async function withProgress<T>(title: string, work: (tell: Tell) => Promise<T>): Promise<T> {
  let message: string | undefined;
  let retell: Tell | undefined;
  const working = work(text => {
    message = text;
    retell?.(text);
  });
  const timer = systemClock.after(patience, () => {
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async progress => {
      retell = text => progress.report({ message: text });
      if (message !== undefined) retell(message);
      // How it ended is told to the caller.
      await Promise.allSettled([working]);
    });
  });
  try {
    return await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => working);
  } finally {
    timer.dispose();
  }
}
