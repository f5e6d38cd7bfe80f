/** Content blocks and their deltas as the API sends them, and the small tools an answer is made with. */
export type Block = Record<string, unknown>;
export type Delta = Readonly<Record<string, unknown>>;

/** Four bytes a token: the usual rule of thumb, at least one. */
export function estimateTokens(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4));
}

/** Adds a delta to the block of a JSON answer; returns how many characters it brought. */
export function applyDelta(block: Block, delta: Delta): number {
  for (const key of ['text', 'thinking', 'signature']) {
    const piece = delta[key];
    if (typeof piece !== 'string') continue;
    const before = block[key];
    block[key] = (typeof before === 'string' ? before : '') + piece;
    return piece.length;
  }
  const partial = delta['partial_json'];
  return typeof partial === 'string' ? partial.length : 0;
}

/** A JSON answer cannot carry a broken input: there it is the text itself. */
export function readInput(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return { unparsed: json };
    throw error;
  }
}

/** Whole characters only: a piece never ends inside a surrogate pair. */
export function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = Math.min(text.length, from + Math.max(1, size));
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to += 1;
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
}

/** Waits for the promise, but no longer than until the signal. */
export async function untilAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stopListening = (): void => undefined;
  const aborted = new Promise<void>(resolve => {
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    stopListening();
  }
}
