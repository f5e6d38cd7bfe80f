import type { ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Deferred } from '../../../src/base/deferred.ts';
import { assertNever } from '../../../src/base/assertNever.ts';
import { failures } from './script.ts';
import type { FailStep, Pace, Part, Step, StopReason, UsageNumbers } from './script.ts';
import { Gate } from './gate.ts';
import type { ReadRequest } from './readRequest.ts';
import { applyDelta, chunksOf, estimateTokens, readInput, untilAborted } from './blocks.ts';
import type { Block, Delta } from './blocks.ts';

/** Time and ids of the answers; tests may give their own. */
export interface AnswerTools {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newId: (prefix: 'msg' | 'toolu' | 'req') => string;
}

export const realAnswerTools: AnswerTools = {
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
  newId: prefix => `${prefix}_${randomUUID().replaceAll('-', '')}`,
};

/** Thrown inside an answer to leave it: the script broke the line, or nobody listens any more. */
class Broken extends Error {
  readonly how: 'cut' | 'gone';

  constructor(how: 'cut' | 'gone') {
    super(`The answer ended early: ${how}`);
    this.how = how;
  }
}

/**
 * Plays one turn into one HTTP response, as a stream of events or as one JSON message, whichever was asked for.
 * Resolves with how it went; never rejects for a client that hangs up or a signal that aborts.
 */
export async function playAnswer(
  steps: readonly Step[],
  request: ReadRequest,
  response: ServerResponse,
  signal: AbortSignal,
  tools: AnswerTools,
): Promise<'answered' | 'cut' | 'gone'> {
  const failure = steps.find(step => step.kind === 'fail');
  try {
    if (failure) sendFailure(failure, response, tools);
    else await new Answer(steps, request, response, signal, tools).play();
    return signal.aborted ? 'gone' : 'answered';
  } catch (error) {
    if (error instanceof Broken && error.how === 'cut') {
      response.destroy();
      return 'cut';
    }
    if (error instanceof Broken || signal.aborted) return 'gone';
    throw error;
  }
}

function sendFailure(step: FailStep, response: ServerResponse, tools: AnswerTools): void {
  const headers = {
    'content-type': 'application/json',
    'request-id': tools.newId('req'),
    ...(step.retryAfter === undefined ? {} : { 'retry-after': String(step.retryAfter) }),
    ...step.headers,
  };
  response.writeHead(step.status, headers);
  response.end(JSON.stringify({ type: 'error', error: { type: failures[step.status].type, message: step.message } }));
}

class Answer {
  readonly #steps: readonly Step[];
  readonly #request: ReadRequest;
  readonly #response: ServerResponse;
  readonly #signal: AbortSignal;
  readonly #tools: AnswerTools;
  readonly #content: Block[] = [];
  #deltasLeft = Infinity;
  #written = 0;
  #flushed: Promise<unknown> = Promise.resolve();

  constructor(
    steps: readonly Step[],
    request: ReadRequest,
    response: ServerResponse,
    signal: AbortSignal,
    tools: AnswerTools,
  ) {
    this.#steps = steps;
    this.#request = request;
    this.#response = response;
    this.#signal = signal;
    this.#tools = tools;
  }

  async play(): Promise<void> {
    const start = this.#message(null, { ...this.#usage(), output_tokens: 1 });
    if (this.#request.stream) {
      this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': this.#tools.newId('req') });
      await this.#event('message_start', { message: start });
      await this.#event('ping', {});
    }
    for (const step of this.#steps) {
      if (await this.#take(step)) return;
    }
    const stopReason = this.#stopReason();
    const usage = this.#usage();
    if (this.#request.stream) {
      await this.#event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
      await this.#event('message_stop', {});
      this.#response.end();
    } else {
      const message = { ...start, content: this.#content, stop_reason: stopReason, usage };
      this.#response.writeHead(200, { 'content-type': 'application/json' });
      this.#response.end(JSON.stringify(message));
    }
  }

  /** Plays a step; true if the answer ended with it. */
  async #take(step: Step): Promise<boolean> {
    switch (step.kind) {
      case 'text':
        await this.#block({ type: 'text', text: '' }, step.parts, step.pace, text => ({ type: 'text_delta', text }));
        return false;
      case 'think': {
        const open = { type: 'thinking', thinking: '', signature: '' };
        const signature = { type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' };
        const delta = (thinking: string) => ({ type: 'thinking_delta', thinking });
        await this.#block(open, step.parts, step.pace, delta, signature);
        return false;
      }
      case 'redacted':
        await this.#block({ type: 'redacted_thinking', data: step.data }, [], { chunk: 1, deltaMs: 0 }, () => ({}));
        return false;
      case 'tool': {
        const open = { type: 'tool_use', id: step.id ?? this.#tools.newId('toolu'), name: step.name, input: {} };
        const delta = (partial: string) => ({ type: 'input_json_delta', partial_json: partial });
        const block = await this.#block(open, [step.json], step.pace, delta);
        block['input'] = readInput(step.json);
        return false;
      }
      case 'wait':
        await this.#pass(step.gate);
        return false;
      case 'cut':
        return this.#cut();
      case 'cutAfter':
        this.#deltasLeft = step.deltas;
        return false;
      case 'sseError':
        await this.#errorEvent(step.type, step.message);
        return true;
      case 'stop':
      case 'usage':
      case 'fail':
        return false;
      default:
        return assertNever(step);
    }
  }

  async #block(
    open: Block,
    parts: readonly Part[],
    pace: Pace,
    deltaOf: (text: string) => Delta,
    last?: Delta,
  ): Promise<Block> {
    const index = this.#content.length;
    const block: Block = { ...open };
    this.#content.push(block);
    await this.#event('content_block_start', { index, content_block: open });
    for (const part of parts) {
      if (part instanceof Gate) await this.#pass(part);
      else await this.#deltas(index, block, part, pace, deltaOf);
    }
    if (last) await this.#delta(index, block, last);
    await this.#event('content_block_stop', { index });
    return block;
  }

  async #deltas(
    index: number,
    block: Block,
    text: string,
    pace: Pace,
    deltaOf: (text: string) => Delta,
  ): Promise<void> {
    for (const chunk of chunksOf(text, pace.chunk)) {
      if (pace.deltaMs > 0) await this.#tools.sleep(pace.deltaMs, this.#signal);
      await this.#delta(index, block, deltaOf(chunk));
    }
  }

  async #delta(index: number, block: Block, delta: Delta): Promise<void> {
    if (this.#deltasLeft <= 0) await this.#cut();
    this.#deltasLeft -= 1;
    this.#written += applyDelta(block, delta);
    await this.#event('content_block_delta', { index, delta });
  }

  /** What was written before the cut still arrives: Node would drop it together with the socket. */
  async #cut(): Promise<never> {
    await untilAborted(this.#flushed, this.#signal);
    throw new Broken('cut');
  }

  async #pass(gate: Gate): Promise<void> {
    await untilAborted(this.#flushed, this.#signal);
    await untilAborted(gate.pass(), this.#signal);
    this.#checkListening();
  }

  async #errorEvent(type: string, message: string): Promise<void> {
    const body = { error: { type, message } };
    if (this.#request.stream) {
      await this.#event('error', body);
      this.#response.end();
      return;
    }
    this.#response.writeHead(500, { 'content-type': 'application/json' });
    this.#response.end(JSON.stringify({ type: 'error', ...body }));
  }

  /** Writes an event and waits while the client is slow; a JSON answer keeps it for the end. */
  async #event(type: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    this.#checkListening();
    if (!this.#request.stream) return;
    const text = `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const flushed = new Deferred<undefined>();
    const hasRoom = this.#response.write(text, () => flushed.resolve(undefined));
    this.#flushed = flushed.promise;
    if (hasRoom) return;
    const drained = new Promise<void>(resolve => {
      this.#response.once('drain', resolve);
    });
    await untilAborted(drained, this.#signal);
    this.#checkListening();
  }

  #checkListening(): void {
    if (this.#signal.aborted) throw new Broken('gone');
  }

  #message(stopReason: StopReason | null, usage: Readonly<Record<string, unknown>>): Block {
    return {
      id: this.#tools.newId('msg'),
      type: 'message',
      role: 'assistant',
      model: this.#request.model,
      content: [],
      stop_reason: stopReason,
      stop_sequence: null,
      usage,
    };
  }

  #stopReason(): StopReason {
    const asked = this.#steps.findLast(step => step.kind === 'stop');
    return asked?.reason ?? (this.#steps.some(step => step.kind === 'tool') ? 'tool_use' : 'end_turn');
  }

  #usage(): Record<string, unknown> {
    const given: UsageNumbers = this.#steps.findLast(step => step.kind === 'usage')?.usage ?? {};
    return {
      input_tokens: given.input ?? estimateTokens(this.#request.bodyBytes),
      output_tokens: given.output ?? estimateTokens(this.#written),
      cache_read_input_tokens: given.cacheRead ?? 0,
      cache_creation_input_tokens: given.cacheWrite ?? 0,
      service_tier: 'standard',
    };
  }
}
