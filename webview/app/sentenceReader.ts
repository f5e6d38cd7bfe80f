/** The end of a sentence or of a line, in the scripts we know: what follows a stop, or a line break. */
const sentenceEnd = /[.!?…](?=\s)|[。！？]|\n/g;
const fence = /^\s*(`{3,}|~{3,})\s*([^\s`]*)/;

/** A sentence as it was written, or that code begins, which nobody wants to hear. */
export type Heard = { readonly sentence: string } | { readonly code: string };

/** Cuts a growing text into sentences and hands out each once, when it is finished. */
export class SentenceReader {
  #id: string | undefined;
  #read = 0;
  /** The marks that the code being written is fenced with. */
  #fence: string | undefined;

  /** A text seen first when it is already finished is history and is not read out. */
  read(id: string, text: string, finished: boolean): Heard[] {
    if (id !== this.#id) {
      this.#id = id;
      this.#fence = undefined;
      this.#read = finished ? text.length : 0;
    }
    const heard: Heard[] = [];
    sentenceEnd.lastIndex = this.#read;
    for (let end = sentenceEnd.exec(text); end; end = sentenceEnd.exec(text)) {
      const piece = text.slice(this.#read, sentenceEnd.lastIndex);
      if (end[0] === '\n' || (this.#fence === undefined && isWhole(piece))) this.#take(piece, heard);
    }
    if (finished) this.#take(text.slice(this.#read), heard);
    return heard;
  }

  #take(piece: string, heard: Heard[]): void {
    this.#read += piece.length;
    const mark = fence.exec(piece);
    if (this.#fence !== undefined) {
      if (mark?.[1]?.startsWith(this.#fence) === true) this.#fence = undefined;
    } else if (mark) {
      this.#fence = mark[1];
      heard.push({ code: mark[2] ?? '' });
    } else if (/[\p{L}\p{N}]/u.test(piece)) {
      heard.push({ sentence: piece.trim() });
    }
  }
}

/** Not cut in the middle of code, of a link or of its address. */
function isWhole(piece: string): boolean {
  const ticks = piece.split('`').length - 1;
  return ticks % 2 === 0 && piece.lastIndexOf('[') <= piece.lastIndexOf(']') && !/\]\([^)]*$/.test(piece);
}
