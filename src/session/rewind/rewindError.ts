/**
 * `notEnabled`: the CLI keeps no copies. `unknownPoint`: it has none for this message. `refused`: it said no, in its own words.
 * `busy`: a turn runs. `readOnly`: files that may not be written. `changedMeanwhile`: files are no longer as they were
 * looked at. `noSpace`: no room to save the present state, or for the files that come back. `failed`: something went wrong after the first write and
 * everything was put back. `halfDone`: it could not be put back either; the saved state stays. `nothingSaved`: there is
 * no such rewind to undo. `undone`: that one was undone already. `noSession`: there is no conversation to go back in. `moved`: another one was opened
 * meanwhile.
 */
export type RewindErrorCode =
  | 'notEnabled'
  | 'unknownPoint'
  | 'refused'
  | 'busy'
  | 'readOnly'
  | 'changedMeanwhile'
  | 'noSpace'
  | 'failed'
  | 'halfDone'
  | 'nothingSaved'
  | 'undone'
  | 'noSession'
  | 'moved';

/** What goes wrong with a rewind, by code. The message is for the log; the words for people are made in the host. */
export class RewindError extends Error {
  override readonly name = 'RewindError';
  readonly code: RewindErrorCode;
  readonly paths: readonly string[];

  constructor(code: RewindErrorCode, message: string, options?: ErrorOptions & { readonly paths?: readonly string[] }) {
    super(message, options);
    this.code = code;
    this.paths = options?.paths ?? [];
  }
}
