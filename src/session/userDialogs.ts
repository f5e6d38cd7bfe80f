import type { UserDialogAnswer, UserDialogRequest } from '../protocol/cliRequests.ts';
import type { CliHandler } from './cliQuestions.ts';

export type DialogHandler = (request: UserDialogRequest, signal: AbortSignal) => Promise<UserDialogAnswer>;

/** Dialogs this host draws, by kind. Exactly these are declared to the CLI. */
export type DialogHandlers = ReadonlyMap<string, DialogHandler>;

/** A kind that was not declared is left unanswered: it is meant for another client, or runs into its own deadline. */
export function serveDialogs(handlers: DialogHandlers): CliHandler<'request_user_dialog'> {
  return async open => {
    const handler = handlers.get(open.request.dialog_kind);
    if (handler !== undefined) open.answer(await handler(open.request, open.signal));
  };
}
