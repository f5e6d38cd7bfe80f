import type { Clock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { HostControlRequest, HostFrame } from '../../../src/protocol/hostFrame.ts';
import { AgentSession } from '../../../src/session/agentSession.ts';
import type { AgentSessionOptions } from '../../../src/session/agentSessionOptions.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import type { MemoryPeer } from '../../support/memoryTransport.ts';
import { memoryLine } from '../../support/memoryTransport.ts';

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
  #now = 1_000;
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, call: () => void): { dispose(): void } {
    const timer = { at: this.#now + delayMs, call };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.call();
    }
  }

  get waiting(): number {
    return this.#timers.size;
  }
}

export class MemoryLog implements Logger {
  readonly lines: string[] = [];
  readonly #take = (message: string): void => {
    this.lines.push(message);
  };
  trace = this.#take;
  debug = this.#take;
  info = this.#take;
  warn = this.#take;
  error = this.#take;
}

export interface SessionUnderTest {
  readonly session: AgentSession;
  readonly peer: MemoryPeer;
  readonly clock: ManualClock;
  readonly log: MemoryLog;
  /** Every state since the beginning, by name. */
  readonly states: string[];
}

/** A session on a line in memory. The peer answers nothing by itself. */
export function newSession(options: Partial<AgentSessionOptions> = {}): SessionUnderTest {
  const { host, peer } = memoryLine();
  const clock = new ManualClock();
  const log = new MemoryLog();
  const transcript = new Transcript({ clock, logger: log });
  const session = new AgentSession({ transport: host, transcript, cwd: '/project', clock, logger: log, ...options });
  const states: string[] = [session.state.type];
  session.onDidChangeState(state => states.push(state.type));
  return { session, peer, clock, log, states };
}

/** A session whose CLI has answered `initialize`. */
export async function readySession(
  options: Partial<AgentSessionOptions> = {},
  answer: object = { commands: [] },
): Promise<SessionUnderTest> {
  const made = newSession(options);
  const started = made.session.start();
  made.peer.say(success(requestOf(made.peer, 'initialize').request_id, answer));
  await started;
  return made;
}

/** The newest request of this kind the host has written. */
export function requestOf(peer: MemoryPeer, subtype: string): HostControlRequest {
  const found = requestsOf(peer.heard, subtype).at(-1);
  if (found === undefined) throw new Error(`no ${subtype} request was written`);
  return found;
}

export function requestsOf(frames: readonly HostFrame[], subtype: string): HostControlRequest[] {
  return frames.filter(frame => frame.type === 'control_request').filter(frame => frame.request.subtype === subtype);
}

export function promptsOf(peer: MemoryPeer) {
  return peer.heard.filter(frame => frame.type === 'user');
}

export function answersOf(peer: MemoryPeer, requestId?: string) {
  return peer.heard
    .filter(frame => frame.type === 'control_response')
    .map(frame => frame.response)
    .filter(response => requestId === undefined || response.request_id === requestId);
}

export const success = (request_id: string, response?: object, beside: object = {}) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, ...(response === undefined ? {} : { response }), ...beside },
});

export const failure = (request_id: string, error: string, error_code?: string) => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error, ...(error_code === undefined ? {} : { error_code }) },
});

export const ask = (request_id: string, fields: object = {}) => ({
  type: 'control_request',
  request_id,
  request: {
    subtype: 'can_use_tool',
    tool_name: 'Write',
    input: { file_path: '/project/a.txt', content: 'a' },
    tool_use_id: `tool-${request_id}`,
    ...fields,
  },
});

export const cancel = (request_id: string) => ({ type: 'control_cancel_request', request_id });

let frames = 0;
const envelope = (session_id: string) => ({ session_id, uuid: `frame-${++frames}` });

export const lifecycle = (command_uuid: string, state: string, session = 's1') => ({
  type: 'command_lifecycle',
  command_uuid,
  state,
  ...envelope(session),
});

export const init = (fields: object = {}, session = 's1') => ({
  type: 'system',
  subtype: 'init',
  cwd: '/project',
  model: 'model-a',
  permissionMode: 'default',
  tools: ['Write'],
  mcp_servers: [],
  slash_commands: [],
  ...envelope(session),
  ...fields,
});

export const system = (subtype: string, fields: object = {}, session = 's1') => ({
  type: 'system',
  subtype,
  ...envelope(session),
  ...fields,
});

export const assistant = (text: string, session = 's1') => ({
  type: 'assistant',
  message: { id: `message-${++frames}`, model: 'model-a', role: 'assistant', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  ...envelope(session),
});

export const result = (fields: object = {}, session = 's1') => ({
  subtype: 'success',
  is_error: false,
  result: 'done',
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: 'end_turn',
  terminal_reason: 'completed',
  total_cost_usd: 0.5,
  modelUsage: {},
  permission_denials: [],
  ...envelope(session),
  ...fields,
  type: 'result',
});

/** Lets everything that is already settled run its course. */
export async function settle(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
}
