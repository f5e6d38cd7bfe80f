interface Known {
  readonly key: string;
  /** The next free block index. */
  next: number;
}

/**
 * Ids of blocks inside messages: message id and block index, the same for a draft, its final form and the transcript
 * line. A message that starts again under a used id gets a key of its own.
 */
export class MessageIds {
  readonly #known = new Map<string, Known>();

  /** The stream begins a message. */
  start(messageId: string): string {
    const known = this.#known.get(messageId);
    const key = known === undefined || known.next === 0 ? (known?.key ?? messageId) : renewed(known.key, messageId);
    this.#known.set(messageId, { key, next: 0 });
    return key;
  }

  /** The id for a finished block; `index` where the source knows its place, else the next free one. */
  finished(messageId: string, index?: number): string {
    let known = this.#known.get(messageId);
    if (!known) {
      known = { key: messageId, next: 0 };
      this.#known.set(messageId, known);
    }
    const place = index ?? known.next;
    known.next = Math.max(known.next, place + 1);
    return `${known.key}:${place}`;
  }

  forget(): void {
    this.#known.clear();
  }
}

function renewed(key: string, messageId: string): string {
  const copy = Number(key.slice(messageId.length + 1)) || 1;
  return `${messageId}~${copy + 1}`;
}
