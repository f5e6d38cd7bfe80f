import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTranscriptLine, isTranscriptNode } from '../../../../src/protocol/transcriptLine.ts';
import { itemsFromLines } from '../../../../src/session/transcript/fromLines.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import type { TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import type { Wire } from './frames.ts';
import { frame, init, lifecycle, result } from './frames.ts';

type Step =
  | { readonly kind: 'say' | 'think'; readonly words: string; readonly streamed: boolean }
  | {
      readonly kind: 'tool';
      readonly outcome: 'done' | 'failed' | 'denied';
      readonly streamed: boolean;
      readonly folds: boolean;
    }
  | { readonly kind: 'retry'; readonly words: string };

interface Turn {
  readonly prompt: string;
  readonly steps: readonly Step[];
  readonly ending: 'done' | 'stopped' | 'failed';
}

const words = fc.string({ minLength: 1, maxLength: 12 }).map(text => `w${text}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('say' as const, 'think' as const), words, streamed: fc.boolean() }),
  fc.record({
    kind: fc.constant('tool' as const),
    outcome: fc.constantFrom('done' as const, 'failed' as const, 'denied' as const),
    streamed: fc.boolean(),
    folds: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('retry' as const), words }),
);
const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: words,
  steps: fc.array(step, { maxLength: 5 }),
  ending: fc.constantFrom('done' as const, 'stopped' as const, 'failed' as const),
});

/** A CLI of few words: it plays a conversation and writes it down, as the real one does. */
class PretendCli {
  readonly transcript = new Transcript();
  readonly lines: Wire[] = [];
  #count = 0;
  #time = Date.UTC(2026, 0, 1);

  play(one: Turn): void {
    const prompt = this.#id('p');
    this.transcript.promptSent({ uuid: prompt, text: one.prompt, attachments: [], queued: false });
    this.#out(lifecycle(prompt, 'queued'), lifecycle(prompt, 'started'), init({ user_message_uuids: [prompt] }));
    this.#user([{ type: 'text', text: one.prompt }], prompt, { isReplay: true });
    for (const next of one.steps) this.#step(next);
    if (one.ending === 'stopped') {
      this.#user([{ type: 'text', text: '[Request interrupted by user]' }], this.#id('s'));
      this.#out(result({ is_error: true, subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' }));
    } else if (one.ending === 'failed') {
      const broken = { error: 'server_error', status: 500 };
      this.#block({ type: 'text', text: 'API Error' }, '<synthetic>', 0, broken);
      this.#out(result({ is_error: true, result: 'API Error', terminal_reason: 'api_error', api_error_status: 500 }));
    } else this.#out(result());
    this.#out(lifecycle(prompt, one.ending === 'done' ? 'completed' : 'cancelled'));
  }

  #step(next: Step): void {
    if (next.kind === 'retry') {
      // Heard, never written: the attempt is lost.
      this.#stream(this.#id('m'), { type: 'text', text: '' }, { type: 'text_delta', text: next.words });
      return;
    }
    if (next.kind === 'tool') {
      this.#tool(next);
      return;
    }
    const said = next.kind === 'say';
    const block = said
      ? { type: 'text', text: next.words }
      : { type: 'thinking', thinking: next.words, signature: 's' };
    const message = this.#id('m');
    if (next.streamed) {
      const empty = said ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' };
      const delta = said ? { type: 'text_delta', text: next.words } : { type: 'thinking_delta', thinking: next.words };
      this.#stream(message, empty, delta);
    }
    this.#block(block, 'm', 0, undefined, message);
  }

  #tool(next: Extract<Step, { kind: 'tool' }>): void {
    const id = this.#id('t');
    const message = this.#id('m');
    if (next.streamed) {
      this.#stream(
        message,
        { type: 'tool_use', id, name: 'Bash', input: {} },
        { type: 'input_json_delta', partial_json: '{"command":"l' },
      );
    }
    this.#block({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }, 'm', 0, undefined, message);
    const folded = this.#id('f');
    if (next.folds) {
      this.transcript.promptSent({ uuid: folded, text: 'steer', attachments: [], queued: true });
      this.#out(lifecycle(folded, 'queued'));
    }
    const accepted = next.outcome !== 'denied';
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'output', is_error: next.outcome !== 'done' }];
    const decision = { decision: accepted ? 'accept' : 'reject', source: 'config' };
    this.#user(
      content,
      this.#id('r'),
      { tool_use_result: { stdout: 'output' }, tool_result_meta: [{ id, permission_decision: decision }] },
      { toolUseResult: { stdout: 'output' }, permissionDecision: decision },
    );
    if (!next.folds) return;
    this.#out({ type: 'user', message: { role: 'user', content: 'steer' }, uuid: folded, isReplay: true });
    this.#out(lifecycle(folded, 'started'), lifecycle(folded, 'completed'));
    const attachment = {
      type: 'queued_command',
      prompt: [{ type: 'text', text: 'steer' }],
      source_uuid: folded,
      commandMode: 'prompt',
    };
    this.#line({ type: 'attachment', uuid: this.#id('x'), attachment });
  }

  #stream(id: string, block: Wire, delta: Wire): void {
    const events = [
      { type: 'message_start', message: { id, role: 'assistant', model: 'm', content: [] } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
    ];
    for (const event of events) this.#out({ type: 'stream_event', event, parent_tool_use_id: null });
  }

  #block(
    block: Wire,
    model: string,
    index: number,
    failure?: { error: string; status: number },
    id = this.#id('m'),
  ): void {
    const uuid = this.#id('a');
    const message = { id, role: 'assistant', model, content: [block] };
    const wire = failure ? { error: failure.error, is_api_error_message: true, api_error_status: failure.status } : {};
    const disk = failure
      ? { error: failure.error, isApiErrorMessage: true, apiErrorStatus: failure.status }
      : { apiBlockIndex: index };
    this.#out({ type: 'assistant', message, uuid, parent_tool_use_id: null, thinking_duration_ms: 1, ...wire });
    this.#line({ type: 'assistant', message, uuid, thinkingDurationMs: 1, ...disk });
  }

  #user(content: unknown, uuid: string, wire: Wire = {}, disk: Wire = {}): void {
    const message = { role: 'user', content };
    this.#out({ type: 'user', message, uuid, parent_tool_use_id: null, ...wire });
    this.#line({ type: 'user', message, uuid, ...disk });
  }

  #out(...frames: readonly Wire[]): void {
    for (const wire of frames) this.transcript.apply(frame(wire));
  }

  #line(line: Wire): void {
    this.#time += 1000;
    this.lines.push({ parentUuid: null, isSidechain: false, timestamp: new Date(this.#time).toISOString(), ...line });
  }

  #id(prefix: string): string {
    return `${prefix}-${this.#count++}`;
  }
}

/** Without times: the lines and the frames were not made by one clock here. */
function timeless(item: TranscriptItem): TranscriptItem {
  return item.kind === 'tool' && item.endedAt !== undefined ? { ...item, at: 0, endedAt: 0 } : { ...item, at: 0 };
}

it('any conversation gives the same items live and from its transcript', () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 6 }), turns => {
      const cli = new PretendCli();
      for (const one of turns) cli.play(one);
      const nodes = cli.lines.map(line => readTranscriptLine({ ...line }, () => undefined)).filter(isTranscriptNode);
      expect(nodes).toHaveLength(cli.lines.length);
      // Text of a lost attempt at the very end of a turn stays where a person read it; no file has it.
      const live = cli.transcript.items.filter(item => item.kind !== 'text' || !item.aborted);
      expect(itemsFromLines(nodes).items.map(timeless)).toEqual(live.map(timeless));
    }),
    { numRuns: 300 },
  );
});
