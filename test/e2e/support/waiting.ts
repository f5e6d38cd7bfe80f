/** Looks until something is there. The look says `undefined` for "not yet"; after the limit the wait fails with its name. */
export async function until<T>(
  what: string | (() => string),
  look: () => T | undefined | Promise<T | undefined>,
  timeout = 30_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > end) throw new Error(`Not seen within ${timeout} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
