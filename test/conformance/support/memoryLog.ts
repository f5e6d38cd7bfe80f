import type { Logger } from '../../../src/base/logger.ts';

export class MemoryLog implements Logger {
  readonly lines: string[] = [];
  readonly #take = (message: string): void => {
    this.lines.push(message);
  };
  readonly trace = this.#take;
  readonly debug = this.#take;
  readonly info = this.#take;
  readonly warn = this.#take;
  readonly error = this.#take;
}
