import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { ModelRequest } from '../../support/model/request.ts';
import { promptOf, toolResultsOf } from '../../support/model/request.ts';
import type { ToolStep, Turn } from '../../support/model/script.ts';
import { say, tool } from '../../support/model/script.ts';

export type Kind = 'write' | 'edit' | 'bash';
export type Place = 'card' | 'notification' | 'title' | 'palette';
export type Verdict = 'allow' | 'deny';
export type Fault = 'interrupt' | 'newSession' | 'crash' | 'reload';

/** What happens to one question. */
export type Move =
  | {
      readonly type: 'answer';
      readonly place: Place;
      readonly verdict: Verdict;
      /** The person changes what runs before they answer. */
      readonly shaped: boolean;
      /** A button of its notification is pressed once more when all is over. */
      readonly stale: boolean;
    }
  /** Yes on the card and no in the notification, at the same moment. */
  | { readonly type: 'race' }
  | { readonly type: 'fault'; readonly fault: Fault };

export interface Sequence {
  /** Asked by subagents that work side by side, instead of one after the other. */
  readonly together: boolean;
  readonly asks: readonly { readonly kind: Kind; readonly move: Move }[];
}

const place = fc.constantFrom<Place>('card', 'notification', 'title', 'palette');
const answer = fc.record({
  type: fc.constant('answer' as const),
  place,
  verdict: fc.constantFrom<Verdict>('allow', 'allow', 'deny'),
  shaped: fc.boolean(),
  stale: fc.boolean(),
});
const fault = fc.record({
  type: fc.constant('fault' as const),
  fault: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Fault>('interrupt') },
    { weight: 3, arbitrary: fc.constant<Fault>('crash') },
    { weight: 2, arbitrary: fc.constant<Fault>('newSession') },
    // A window that reloads takes as long as several of the others.
    { weight: 1, arbitrary: fc.constant<Fault>('reload') },
  ),
});
const move = fc.oneof(
  { weight: 8, arbitrary: answer },
  { weight: 2, arbitrary: fc.constant({ type: 'race' } as const) },
  { weight: 3, arbitrary: fault },
);

const ask = fc.record({ kind: fc.constantFrom<Kind>('write', 'edit', 'bash'), move });

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  together: fc.boolean(),
  asks: fc.oneof(
    { weight: 3, arbitrary: fc.array(ask, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(ask, { minLength: 2, maxLength: 3 }) },
  ),
});

const before = 'one\ntwo\nthree\n';

/** One tool of a sequence: what the model asks for, and what it leaves on disk if it runs. */
export class ScriptedTool {
  readonly id: string;
  readonly toolUseId: string;
  readonly kind: Kind;
  readonly move: Move;
  readonly #folder: string;

  constructor(id: string, { kind, move: moved }: Sequence['asks'][number], folder: string) {
    this.id = id;
    this.toolUseId = `toolu_${id.replace('-', '_')}`;
    this.kind = kind;
    this.move = moved;
    this.#folder = folder;
    if (kind === 'edit') writeFileSync(this.file, before);
  }

  get name(): 'Write' | 'Edit' | 'Bash' {
    return this.kind === 'write' ? 'Write' : this.kind === 'edit' ? 'Edit' : 'Bash';
  }

  get file(): string {
    return path.join(this.#folder, `${this.id}.txt`);
  }

  /** The words of the tool that a person may change before they allow it. */
  static readonly proposed = 'as proposed';
  static readonly shaped = 'as the person wants it';

  /** The file once the tool has run. */
  #after(words: string): string {
    return this.kind === 'edit' ? before.replace('two', words) : `${words}\n`;
  }

  /** What the disk tells: which of the inputs ran, none, or something that nobody can have allowed. */
  get ran(): 'proposed' | 'shaped' | 'nothing' | { readonly unexpected: string } {
    const text = existsSync(this.file) ? readFileSync(this.file, 'utf8') : undefined;
    if (text === (this.kind === 'edit' ? before : undefined)) return 'nothing';
    if (text === this.#after(ScriptedTool.proposed)) return 'proposed';
    if (text === this.#after(ScriptedTool.shaped)) return 'shaped';
    return { unexpected: text ?? 'The file is gone.' };
  }

  get steps(): ToolStep[] {
    const { file, toolUseId: id } = this;
    switch (this.kind) {
      case 'write':
        return [tool('Write', { file_path: file, content: this.#after(ScriptedTool.proposed) }, id)];
      case 'edit':
        return [
          tool('Read', { file_path: file }, `${id}_read`),
          tool('Edit', { file_path: file, old_string: 'two', new_string: ScriptedTool.proposed }, id),
        ];
      case 'bash':
        return [tool('Bash', { command: this.command(ScriptedTool.proposed), description: `Run ${this.id}` }, id)];
    }
  }

  /** Adds to the file: a command that ran twice would show. */
  command(words: string): string {
    return `echo ${words} >> ${this.id}.txt`;
  }
}

/** A sequence as it is played: its tools, and the model's side of it. */
export class PlayedSequence {
  readonly id: string;
  readonly tools: readonly ScriptedTool[];
  readonly #together: boolean;

  constructor(id: string, { asks, together }: Sequence, folder: string) {
    this.id = id;
    this.#together = together;
    this.tools = asks.map((ask, at) => new ScriptedTool(`${id}-${at}`, ask, folder));
  }

  get isTogether(): boolean {
    return this.#together && this.tools.length > 1;
  }

  get prompt(): string {
    return `Play ${this.id}.`;
  }

  get lastWords(): string {
    return `The end of ${this.id}.`;
  }

  /** The model's answer; undefined: the request is not about this sequence. */
  turnFor(request: ModelRequest): Turn | undefined {
    const done = new Set(toolResultsOf(request).map(({ id }) => id));
    const isDone = ({ toolUseId }: ScriptedTool): boolean => done.has(toolUseId);
    if (request.kind === 'subagent') {
      const mine = this.tools.find(({ id }) => JSON.stringify(request.messages).includes(`Work on ${id}.`));
      return mine && (isDone(mine) ? say('Finished.') : mine.steps);
    }
    if (request.kind !== 'main' || !promptOf(request).includes(this.prompt)) return undefined;
    if (!this.isTogether) {
      return this.tools.every(isDone) ? say(this.lastWords) : this.tools.flatMap(({ steps }) => steps);
    }
    const agents = this.tools.map(({ id }) => `toolu_agent_${id.replace('-', '_')}`);
    if (agents.every(id => done.has(id))) return say(this.lastWords);
    return this.tools.map(({ id }, at) =>
      tool(
        'Agent',
        {
          description: id,
          prompt: `Work on ${id}.`,
          subagent_type: 'general-purpose',
          run_in_background: false,
        },
        agents[at],
      ),
    );
  }
}
