import type { CliFrame } from '../protocol/cliFrame.ts';
import { decodeFrame } from '../protocol/decodeFrame.ts';
import type { WireProblem } from '../protocol/transport.ts';
import type { LineSink } from './lineSplitter.ts';
import { LineSplitter } from './lineSplitter.ts';

export interface FrameSink {
  onFrame(frame: CliFrame): void;
  onProblem(problem: WireProblem): void;
}

/** Bytes in, frames out: the splitter and the decoder joined, in the one place that every transport uses. */
export class FrameReader implements LineSink {
  readonly #sink: FrameSink;
  readonly #splitter: LineSplitter;
  readonly #report = (problem: WireProblem): void => this.#sink.onProblem(problem);
  /** For a last line without LF: not being JSON then means that it was cut, which says more than "invalid". */
  readonly #reportCut = (problem: WireProblem): void =>
    this.#sink.onProblem(
      problem.code === 'invalidJson'
        ? { ...problem, code: 'truncatedLine', message: 'The stream ended in the middle of a record.' }
        : problem,
    );

  constructor(sink: FrameSink, maxLineBytes?: number) {
    this.#sink = sink;
    this.#splitter = new LineSplitter(this, maxLineBytes);
  }

  /** False once a line was longer than allowed; see `LineSplitter.push`. */
  push(chunk: Buffer): boolean {
    return this.#splitter.push(chunk);
  }

  end(): void {
    this.#splitter.end();
  }

  onLine(line: string, terminated: boolean): void {
    const frame = decodeFrame(line, terminated ? this.#report : this.#reportCut);
    if (frame !== undefined) this.#sink.onFrame(frame);
  }

  onProblem(problem: WireProblem): void {
    this.#sink.onProblem(problem);
  }
}
