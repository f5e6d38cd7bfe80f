import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import { AgentSession } from '../../../src/session/agentSession.ts';
import type { PermissionDecision } from '../../../src/session/permissionAsk.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import type { MemoryLine } from '../../support/memoryTransport.ts';
import { memoryLine } from '../../support/memoryTransport.ts';
import { ask, cancel, init, ManualClock, result, success } from './sessionKit.ts';

type Step =
  | { readonly do: 'ask' }
  | { readonly do: 'askAgain'; readonly pick: number; readonly how: 'live' | 'pending' }
  | { readonly do: 'settle'; readonly pick: number; readonly decision: PermissionDecision }
  | { readonly do: 'withdraw'; readonly pick: number }
  | { readonly do: 'interrupt' }
  | { readonly do: 'endTurn' }
  | { readonly do: 'close' }
  | { readonly do: 'stop' }
  | { readonly do: 'pause' };

const pick = fc.nat({ max: 7 });
const decision: fc.Arbitrary<PermissionDecision> = fc.oneof(
  fc.constant<PermissionDecision>({ type: 'allow' }),
  fc.string({ maxLength: 4 }).map((content): PermissionDecision => ({ type: 'allow', updatedInput: { content } })),
  fc.boolean().map((interrupt): PermissionDecision => ({ type: 'deny', message: 'no', interrupt })),
  fc.constant<PermissionDecision>({ type: 'error', message: 'the card broke' }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Step>({ do: 'ask' }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('settle' as const), pick, decision }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('withdraw' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('askAgain' as const), pick, how: fc.constantFrom('live', 'pending') }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'interrupt' }, { do: 'endTurn' }, { do: 'pause' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'close' }, { do: 'stop' }, { do: 'pause' }) },
);

/** Plays the CLI, and keeps book of what it asked and what it was told. */
class World {
  readonly line: MemoryLine = memoryLine();
  readonly session: AgentSession;
  /** Questions the CLI waits for. */
  readonly open = new Set<string>();
  readonly answers = new Map<string, HostFrame>();
  readonly outcomes = new Map<string, string[]>();
  readonly wrongs: string[] = [];
  asked = 0;
  over = false;

  constructor() {
    const clock = new ManualClock();
    const transcript = new Transcript({ clock });
    this.session = new AgentSession({ transport: this.line.host, transcript, cwd: '/project', clock });
    this.line.peer.onHeard = frame => this.#hear(frame);
    this.line.peer.onStop = () => this.close();
    this.session.desk.onDidChange(change => {
      if (change.type === 'opened') this.outcomes.set(change.ask.id, this.outcomes.get(change.ask.id) ?? []);
      else this.outcomes.get(change.ask.id)?.push(change.outcome.type);
    });
  }

  #hear(frame: HostFrame): void {
    if (this.over) this.wrongs.push('written after the end');
    if (frame.type === 'control_response') {
      const id = frame.response.request_id;
      if (!this.open.delete(id)) this.wrongs.push(`answer to ${id}, which is not open`);
      if (this.answers.has(id)) this.wrongs.push(`second answer to ${id}`);
      this.answers.set(id, frame);
    }
    if (frame.type !== 'control_request') return;
    if (frame.request.subtype === 'interrupt') for (const id of [...this.open]) this.withdraw(id);
    this.line.peer.say(success(frame.request_id, frame.request.subtype === 'initialize' ? { commands: [] } : {}));
  }

  name(index: number): string {
    return `r${index % Math.max(1, this.asked)}`;
  }

  ask(id = `r${this.asked++}`): void {
    this.open.add(id);
    this.line.peer.say(ask(id));
  }

  withdraw(id: string): void {
    this.open.delete(id);
    this.line.peer.say(cancel(id));
  }

  close(): void {
    if (this.over) return;
    this.over = true;
    this.open.clear();
    this.line.peer.close({ exitCode: 0 });
  }

  async play(each: Step): Promise<void> {
    switch (each.do) {
      case 'settle':
        this.settle(this.name(each.pick), each.decision);
        return;
      case 'stop':
        void this.session.stop();
        return;
      case 'pause':
        await Promise.resolve();
        return;
      case 'close':
        this.close();
        return;
      case 'interrupt':
        this.session.interrupt().catch(() => undefined);
        return;
      default:
        if (!this.over) this.#say(each);
    }
  }

  #say(each: Extract<Step, { do: 'ask' | 'askAgain' | 'withdraw' | 'endTurn' }>): void {
    const { peer } = this.line;
    if (each.do === 'ask') this.ask();
    else if (each.do === 'withdraw') this.withdraw(this.name(each.pick));
    else if (each.do === 'endTurn') for (const frame of [init(), result()]) peer.say(frame);
    else if (this.asked > 0 && each.how === 'live') peer.say(ask(this.name(each.pick)));
    else if (this.asked > 0) this.#sayPending(this.name(each.pick));
  }

  /** A list of open questions comes beside an answer; it may name some that were answered meanwhile. */
  #sayPending(id: string): void {
    const hear = this.line.peer.onHeard;
    this.line.peer.onHeard = frame => {
      this.line.peer.onHeard = hear;
      if (frame.type !== 'control_request') return;
      this.line.peer.say(success(frame.request_id, {}, { pending_permission_requests: [ask(id)] }));
    };
    this.session.requests.reloadSkills().catch(() => undefined);
    this.line.peer.onHeard = hear;
  }

  settle(id: string, how: PermissionDecision): void {
    const waits = this.open.has(id);
    const taken = this.session.desk.settle(id, how);
    if (taken !== waits)
      this.wrongs.push(`${id}: settle said ${taken} while the CLI ${waits ? 'waited' : 'did not wait'}`);
    if (!taken) return;
    const answer = this.answers.get(id);
    const said = answer?.type === 'control_response' ? answer.response : undefined;
    const behavior = said?.subtype === 'success' ? JSON.stringify(said.response) : 'error';
    const expected = how.type === 'error' ? 'error' : `"behavior":"${how.type}"`;
    if (!behavior.includes(expected)) this.wrongs.push(`${id}: ${how.type} was sent as ${behavior}`);
    if (how.type === 'allow') {
      const input = JSON.stringify(how.updatedInput ?? { file_path: '/project/a.txt', content: 'a' });
      if (!behavior.includes(`"updatedInput":${input}`)) this.wrongs.push(`${id}: other input than decided`);
    }
  }
}

describe('any order of asks, answers, cancels, interrupts and the end', () => {
  it(
    'settles every question exactly once, sends what was decided, and writes nothing after an abort',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 24 }), async steps => {
          const world = new World();
          const started = world.session.start().catch(() => undefined);
          for (const each of steps) await world.play(each);
          world.close();
          await started;
          await world.session.ended;
          expect(world.wrongs).toEqual([]);
          expect(world.session.desk.asks).toEqual([]);
          expect([...world.outcomes.values()].every(outcomes => outcomes.length === 1)).toBe(true);
          expect(world.outcomes.size).toBe(world.asked);
          const answered = [...world.outcomes].filter(([, [outcome]]) =>
            /^(allowed|denied|failed)$/.test(outcome ?? ''),
          );
          expect(new Set(answered.map(([id]) => id))).toEqual(new Set(world.answers.keys()));
        }),
        { numRuns: 10_000 },
      );
    },
  );
});
