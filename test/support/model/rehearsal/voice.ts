import { thinkSlowly, slowly, tool } from '../script.ts';
import type { Step, TextStep, ThinkStep, ToolStep } from '../script.ts';

/** How the rehearsal speaks: about forty pieces a second, the pace of a quick model. Tests set the pause to nothing. */
export class Voice {
  readonly #deltaMs: number;

  constructor(deltaMs: number) {
    this.#deltaMs = deltaMs;
  }

  say(text: string): TextStep {
    return slowly(text, { chunk: 6, deltaMs: this.#deltaMs });
  }

  think(text: string): ThinkStep {
    return thinkSlowly(text, { chunk: 6, deltaMs: this.#deltaMs });
  }

  tool(name: string, input: Readonly<Record<string, unknown>>): ToolStep {
    return { ...tool(name, input), pace: { chunk: 40, deltaMs: this.#deltaMs } };
  }

  /** A sentence and a tool call: the usual shape of a working step. */
  act(text: string, name: string, input: Readonly<Record<string, unknown>>): Step[] {
    return [this.say(text), this.tool(name, input)];
  }
}
