import { ScriptedModel } from './scriptedModel.ts';
import type { ModelRequest } from './request.ts';
import { say } from './script.ts';
import type { Step, Turn } from './script.ts';
import { Failures } from './rehearsal/failures.ts';
import { readStage } from './rehearsal/stage.ts';
import type { Stage } from './rehearsal/stage.ts';
import { helpText, longText, markdownText } from './rehearsal/texts.ts';
import { Voice } from './rehearsal/voice.ts';
import * as scenes from './rehearsal/scenes.ts';
import type { Scene } from './rehearsal/scenes.ts';

export interface Rehearsal {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface RehearsalOptions {
  /** Without it, or with 0, the system chooses. */
  readonly port?: number;
  /** The pause before each piece of text; 25 ms reads like a quick model, tests use 0. */
  readonly deltaMs?: number;
}

/** The model behind `npm start`: reacts to what a person types, so that each flow can be tried by hand. */
export async function startRehearsal(options: RehearsalOptions = {}): Promise<Rehearsal> {
  const script = new RehearsalScript(options.deltaMs ?? 25);
  const model = new ScriptedModel({ remember: 0 });
  model.onRequest(request => script.answer(request));
  await model.start(options.port === undefined ? {} : { port: options.port });
  return { url: model.url, stop: () => model.stop() };
}

/** Which words start which scene; the first match wins, so the special stands before the general. */
const programme: readonly (readonly [words: RegExp, scene: Scene])[] = [
  [/^\W*(?:help|hilfe|\?)\W*$/i, help],
  [/\bbackground\b/i, scenes.subagent(true)],
  [/\b(?:sub-?agents?|agents?)\b/i, scenes.subagent(false)],
  [/\bplan\b/i, scenes.plan],
  [/\b(?:question|ask)\b/i, scenes.question],
  [/\bparallel\b/i, scenes.parallel],
  [/\b(?:todo|todos|tasks?)\b/i, scenes.todo],
  [/\bthink/i, think],
  [/\blong\b/i, (_, voice) => voice.say(longText())],
  [/\bbig\b/i, scenes.big],
  [/\b(?:rewrite|hunks?)\b/i, scenes.rewrite],
  [/\b(?:create|new file)\b/i, scenes.create],
  [/\b(?:edit|change|fix)\b/i, scenes.edit],
  [/\b(?:run|shell|tests?)\b/i, scenes.run],
  [/\b(?:markdown|table|answer|explain)\b/i, (stage, voice) => voice.say(markdownText(scenes.fileOf(stage)))],
];

export class RehearsalScript {
  readonly #voice: Voice;
  readonly #failures = new Failures();

  constructor(deltaMs: number) {
    this.#voice = new Voice(deltaMs);
  }

  answer(request: ModelRequest): Turn | undefined {
    const stage = readStage(request);
    switch (request.kind) {
      case 'main':
        return this.#failures.take(request, stage.prompt) ?? this.#perform(stage);
      case 'subagent':
        return scenes.reader(stage, this.#voice);
      case 'title':
        return say(JSON.stringify({ title: titleOf(request) }));
      case 'side':
        return this.#voice.say('This is a rehearsal: a side question gets this scripted answer.');
      case 'compact':
        return say('<analysis>Rehearsal.</analysis>\n<summary>A rehearsal of the flows of the panel.</summary>');
      case 'probe':
      case 'countTokens':
      case 'other':
        return undefined;
    }
  }

  #perform(stage: Stage): Turn {
    if (stage.notification !== undefined) {
      return this.#voice.say(`A background task has ended: ${stage.notification}.`);
    }
    const scene = programme.find(([words]) => words.test(stage.prompt))?.[1] ?? help;
    // Parallel calls are told together, refused ones among them.
    const denied = scene === scenes.parallel ? undefined : this.#denied(stage);
    return this.#withRemarks(stage, denied ?? scene(stage, this.#voice));
  }

  /** A refusal ends the flow: politely, with the reason, and nothing is tried again. */
  #denied(stage: Stage): Turn | undefined {
    const last = stage.steps.at(-1);
    if (last?.outcome !== 'denied') return undefined;
    const reason = last.result.trim();
    if (last.tool === 'ExitPlanMode')
      return this.#voice.say(`You said no: ${reason}\n\nI stay in plan mode; tell me more.`);
    return this.#voice.say(`You said no: ${reason}\n\nI have left it alone.`);
  }

  /** Quotes what the person changed in a proposal, wrote meanwhile or attached, before the scene goes on. */
  #withRemarks(stage: Stage, turn: Turn): Turn {
    const remarks: string[] = [];
    if (stage.note !== undefined) remarks.push(`I see what you changed:\n\n${fenced(stage.note)}\n\n`);
    if (stage.interjection !== undefined) remarks.push(`You also wrote:\n\n${quote(stage.interjection)}\n\n`);
    if (stage.images > 0 && stage.steps.length === 0) {
      remarks.push(`You attached ${stage.images === 1 ? 'an image' : `${stage.images} images`}; it arrived.\n\n`);
    }
    if (remarks.length === 0) return turn;
    const steps: readonly Step[] = 'kind' in turn ? [turn] : turn;
    return [this.#voice.say(remarks.join('')), ...steps];
  }
}

function help(_: Stage, voice: Voice): Turn {
  return voice.say(helpText());
}

function think(_: Stage, voice: Voice): Turn {
  const thoughts =
    'The person wants to see how thinking looks. First I weigh what there is to say. Then I choose the short version. ' +
    'A real model would turn the problem around here and look at it from the other side.';
  return [voice.think(thoughts), voice.say('I have thought about it: **five attempts** are enough.')];
}

function titleOf(request: ModelRequest): string {
  const text = request.messages.flatMap(message =>
    message.blocks.map(block => (block.type === 'text' ? block.text : '')),
  );
  const said = /<session>([\s\S]*?)<\/session>/.exec(text.join('\n'))?.[1]?.trim() ?? '';
  const words = said.split(/\s+/).slice(0, 5).join(' ');
  return words === '' ? 'Rehearsal' : `Rehearsal: ${words}`;
}

/** As it is, line by line. The fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n');
}
