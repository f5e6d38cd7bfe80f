/** An error as a sentence for people. Codes of the lower rooms are worded where they are caught; this is the last resort. */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
