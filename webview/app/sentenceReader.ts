/** The end of a sentence or of a line, in the scripts we know: what follows a stop, or a line break. */
const sentenceEnd = /[.!?…](?=\s)|[。！？]|\n/g;

/** Cuts a growing text into sentences and hands out each once, when it is finished. */
export class SentenceReader {
  #id: string | undefined;
  #read = 0;

  /** A text seen first when it is already finished is history and is not read out. */
  read(id: string, text: string, finished: boolean): string[] {
    if (id !== this.#id) {
      this.#id = id;
      this.#read = finished ? text.length : 0;
    }
    const sentences: string[] = [];
    sentenceEnd.lastIndex = this.#read;
    for (let end = sentenceEnd.exec(text); end; end = sentenceEnd.exec(text)) {
      this.#take(text, sentenceEnd.lastIndex, sentences);
    }
    if (finished) this.#take(text, text.length, sentences);
    return sentences;
  }

  #take(text: string, to: number, sentences: string[]): void {
    const sentence = text.slice(this.#read, to).trim();
    this.#read = to;
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(sentence);
  }
}
