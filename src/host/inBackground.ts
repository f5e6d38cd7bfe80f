import * as vscode from 'vscode';
import type { Logger } from '../base/logger.ts';
import { errorText } from './errorText.ts';
import { noticeText } from './noticeText.ts';

/** Lets work go on that nobody waits for. Should it fail, the log and the person are told: it never fails in silence. */
export function inBackground(work: PromiseLike<unknown>, logger: Logger): void {
  work.then(undefined, (error: unknown) => tellFailure(error, 'Something begun in the background failed', logger));
}

/** A failure that nobody further up can do anything about. `what`: for the log. */
export function tellFailure(error: unknown, what: string, logger: Logger): void {
  logger.error(what, error);
  void vscode.window.showErrorMessage(noticeText(errorText(error)));
}
