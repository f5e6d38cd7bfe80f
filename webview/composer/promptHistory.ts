/**
 * Walks through what was sent before. What was being typed when the walk began is the newest entry, so that coming
 * back down always returns it.
 */
export class PromptHistory {
  #entries: readonly string[] = [];
  #place = 0;
  #draft = '';
  #shown: string | undefined;

  /** Whether the text is the one the walk put there, untouched. */
  isWalking(text: string): boolean {
    return this.#shown !== undefined && this.#shown === text;
  }

  /** One step back; `entries` are oldest first and read only when a walk begins. */
  older(text: string, entries: () => readonly string[]): string | undefined {
    if (!this.isWalking(text)) {
      this.#entries = entries();
      this.#place = this.#entries.length;
      this.#draft = text;
    }
    for (let place = this.#place - 1; place >= 0; place--) {
      const entry = this.#entries[place];
      if (entry !== undefined && entry !== text) return this.#show(place, entry);
    }
    return undefined;
  }

  newer(text: string): string | undefined {
    if (!this.isWalking(text)) return undefined;
    const place = this.#place + 1;
    const entry = this.#entries[place];
    if (entry !== undefined) return this.#show(place, entry);
    const draft = this.#draft;
    this.leave();
    return draft;
  }

  leave(): void {
    this.#shown = undefined;
    this.#entries = [];
    this.#draft = '';
  }

  #show(place: number, text: string): string {
    this.#place = place;
    this.#shown = text;
    return text;
  }
}
