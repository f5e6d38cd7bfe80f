import type { ViewApp } from '../app/viewApp.ts';
import type { ScrollPlace } from '../app/viewState.ts';
import type { Anchor } from './listModel.ts';

/**
 * Where the reader was in a conversation, over hiding, reloading and going to another session and back. A place is known by
 * its message: how many there are before it changes while the host reads older ones from disk.
 */
export class PlaceKeeper {
  readonly #app: ViewApp;
  readonly #go: (anchor: Anchor | undefined) => void;
  #wanted: ScrollPlace | undefined;
  #asks = false;

  /** `go` brings the reader to a place, or to the end. */
  constructor(app: ViewApp, go: (anchor: Anchor | undefined) => void) {
    this.#app = app;
    this.#go = go;
  }

  /** Another conversation is shown. */
  begin(): void {
    const session = this.#session();
    this.#wanted = session === undefined ? undefined : this.#app.state.placeOf(session);
  }

  /** The person goes somewhere themselves: no coming back any more. */
  giveUp(): void {
    this.#wanted = undefined;
  }

  /** There are more or other rows than before: perhaps the place is among them. */
  seek(): void {
    const place = this.#wanted;
    const total = this.#app.conversation.total.peek();
    if (!place || total === 0) return;
    const known = this.#app.conversation.indexOf(place.id);
    if (known >= 0) {
      this.#arrive(place, known);
      return;
    }
    // Not loaded, so perhaps it is still where it was. The host knows.
    if (place.index < total && this.#app.conversation.idAt(place.index) === undefined) {
      this.#go({ index: place.index, offset: place.offset });
    }
    void this.#ask(place);
  }

  /** The reader is at a row, or at the end. */
  remember(anchor: Anchor | undefined): void {
    const session = this.#session();
    if (this.#wanted || session === undefined) return;
    const id = anchor && this.#app.conversation.idAt(anchor.index);
    // A row that is not loaded yet has no name; it is remembered when it is.
    if (anchor && id === undefined) return;
    this.#app.state.keepPlace(session, anchor && id !== undefined ? { id, ...anchor } : undefined);
  }

  async #ask(place: ScrollPlace): Promise<void> {
    if (this.#asks) return;
    this.#asks = true;
    try {
      const { index, total } = await this.#app.locate(place.id);
      if (this.#wanted !== place) return;
      // Of another moment than what is shown: the change that is on its way asks again.
      if (index >= 0 && total === this.#app.conversation.total.peek()) this.#arrive(place, index);
      else if (index < 0) this.#go(undefined);
    } catch (error) {
      this.#app.fault(error);
    } finally {
      this.#asks = false;
    }
  }

  #arrive({ offset }: ScrollPlace, index: number): void {
    this.#wanted = undefined;
    this.#go({ index, offset });
  }

  #session(): string | undefined {
    return this.#app.sync.session.peek().resume?.sessionId;
  }
}
