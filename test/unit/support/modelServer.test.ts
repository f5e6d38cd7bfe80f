import { createConnection } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realAnswerTools } from '../../support/model/answer.ts';
import { chunksOf } from '../../support/model/blocks.ts';
import { Gate } from '../../support/model/gate.ts';
import { ScriptedModel } from '../../support/model/scriptedModel.ts';
import {
  big,
  cut,
  cutAfter,
  fail,
  rawTool,
  redactedThinking,
  say,
  slowly,
  sseError,
  stop,
  think,
  times,
  tool,
  usage,
  wait,
} from '../../support/model/script.ts';

let model: ScriptedModel;

beforeEach(async () => {
  model = await new ScriptedModel().start();
});

afterEach(() => model.stop());

const conversation = { model: 'm', max_tokens: 100, tools: [{ name: 'Write' }] };

function post(body: unknown, path = '/v1/messages?beta=true', signal?: AbortSignal): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(model.url + path, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json' },
    ...(signal ? { signal } : {}),
  });
}

const ask = (content: unknown = 'hello', extra: object = {}) =>
  post({ ...conversation, messages: [{ role: 'user', content }], ...extra });

const askStreaming = (content: unknown = 'hello') => ask(content, { stream: true });

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function eventsOf(text: string): Record<string, unknown>[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(match => parse(match[1] ?? '')).filter(isFields);
}

function parse(json: string): unknown {
  return JSON.parse(json);
}

function joined(events: readonly Record<string, unknown>[], key: string): string {
  return events
    .map(event => (isFields(event['delta']) ? event['delta'][key] : undefined))
    .filter(piece => typeof piece === 'string')
    .join('');
}

async function reader(response: Response): Promise<{ until(text: string): Promise<string> }> {
  const body = response.body?.getReader();
  if (!body) throw new Error('no body');
  const decoder = new TextDecoder();
  let seen = '';
  return Promise.resolve({
    async until(text) {
      while (!seen.includes(text)) {
        const { done, value } = await body.read();
        if (done) throw new Error(`The stream ended before ${text}: ${seen}`);
        seen += decoder.decode(value, { stream: true });
      }
      return seen;
    },
  });
}

describe('an answer', () => {
  it('is a stream of events with one block per step', async () => {
    model.enqueue([think('Hm.'), redactedThinking(), say('Hello ', 'you'), tool('Write', { a: [1, 2] }, 'toolu_1')]);
    const response = await askStreaming();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsOf(await response.text());
    const starts = events.filter(event => event['type'] === 'content_block_start');
    expect(starts.map(event => event['index'])).toEqual([0, 1, 2, 3]);
    expect(starts[3]).toMatchObject({ content_block: { type: 'tool_use', id: 'toolu_1', name: 'Write', input: {} } });
    expect(joined(events, 'thinking')).toBe('Hm.');
    expect(joined(events, 'signature')).not.toBe('');
    expect(joined(events, 'text')).toBe('Hello you');
    expect(joined(events, 'partial_json')).toBe('{"a":[1,2]}');
    expect(events.at(0)).toMatchObject({ type: 'message_start', message: { model: 'm', role: 'assistant' } });
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  it('is one JSON message when no stream was asked for', async () => {
    model.enqueue([think('Hm.'), say('Hello'), tool('Write', { a: 1 }, 'toolu_1')]);
    const message: unknown = await (await ask()).json();
    expect(message).toMatchObject({
      type: 'message',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'toolu_1', name: 'Write', input: { a: 1 } },
      ],
    });
  });

  it('carries the usage and the stop reason of the script', async () => {
    model.enqueue([say('cut short'), stop('max_tokens'), usage({ input: 11, output: 7, cacheRead: 5, cacheWrite: 3 })]);
    expect(await (await ask()).json()).toMatchObject({
      stop_reason: 'max_tokens',
      usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 5, cache_creation_input_tokens: 3 },
    });
  });

  it('sends the broken input of a raw tool call as it is', async () => {
    model.enqueue(rawTool('Write', '{"a": '));
    expect(joined(eventsOf(await (await askStreaming()).text()), 'partial_json')).toBe('{"a": ');
  });

  it('has exactly the bytes that were asked for', async () => {
    model.enqueue(big(1_000_003));
    const text = joined(eventsOf(await (await askStreaming()).text()), 'text');
    expect(Buffer.byteLength(text)).toBe(1_000_003);
  });

  it('pauses before each piece when it is slow', async () => {
    const pauses: number[] = [];
    const sleep = (ms: number) => Promise.resolve(void pauses.push(ms));
    await model.stop();
    model = await new ScriptedModel({ tools: { ...realAnswerTools, sleep } }).start();
    model.enqueue(slowly('abcdefghij', { chunk: 4, deltaMs: 30 }));
    await (await askStreaming()).text();
    expect(pauses).toEqual([30, 30, 30]);
  });

  it('never breaks a character in two', () => {
    expect(chunksOf('a😀b😀', 1)).toEqual(['a', '😀', 'b', '😀']);
    expect(chunksOf('😀😀', 3).join('')).toBe('😀😀');
    expect(chunksOf('', 4)).toEqual([]);
  });
});

describe('a gate', () => {
  it('holds the stream inside a block until it is opened', async () => {
    const gate = new Gate();
    model.enqueue(say('before ', gate, 'after'));
    const stream = await reader(await askStreaming());
    await gate.reached;
    expect(await stream.until('before ')).not.toContain('after');
    expect(gate.isOpen).toBe(false);
    gate.open();
    await stream.until('after');
    await stream.until('message_stop');
  });

  it('holds the answer between blocks, in JSON too', async () => {
    const gate = new Gate();
    model.enqueue([say('one'), wait(gate), say('two')]);
    const answer = ask();
    await gate.reached;
    gate.open();
    expect(await (await answer).json()).toMatchObject({ content: [{ text: 'one' }, { text: 'two' }] });
  });
});

describe('failures', () => {
  it.each([400, 401, 403, 404, 413, 429, 500, 529] as const)(
    'answers with status %i and the error body',
    async status => {
      model.enqueue(fail(status, { retryAfter: 3, message: 'no luck' }));
      const response = await ask();
      expect(response.status).toBe(status);
      expect(response.headers.get('retry-after')).toBe('3');
      expect(await response.json()).toMatchObject({ type: 'error', error: { message: 'no luck' } });
    },
  );

  it('come as often as the script says', async () => {
    model.enqueue(...times(2, fail(529)), say('back'));
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([529, 529, 200]);
  });

  it('cut the line after so many deltas', async () => {
    model.enqueue([cutAfter(2), slowly('abcdef', { chunk: 1, deltaMs: 0 })]);
    const response = await askStreaming();
    const stream = await reader(response);
    await stream.until('"text":"b"');
    await expect(stream.until('"text":"c"')).rejects.toThrow();
    expect(await model.requests[0]?.ended).toBe('cut');
  });

  it('cut the line where the script says, in JSON before anything was sent', async () => {
    model.enqueue([say('x'), cut()]);
    await expect(ask()).rejects.toThrow();
  });

  it('come as an event inside a stream, and as a status in JSON', async () => {
    model.enqueue([say('x'), sseError('overloaded_error', 'too much')], sseError());
    const events = eventsOf(await (await askStreaming()).text());
    expect(events.at(-1)).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'too much' } });
    expect((await ask()).status).toBe(500);
  });
});

describe('who answers', () => {
  it('is the newest handler with an answer, then the queue in order', async () => {
    model.enqueue(say('first'), say('second'));
    model.onRequest(request => (request.bodyBytes < 0 ? say('never') : undefined));
    model.onRequest(async request =>
      Promise.resolve(JSON.stringify(request.body).includes('special') ? say('handled') : undefined),
    );
    expect(await (await ask()).text()).toContain('first');
    expect(await (await ask('special')).text()).toContain('handled');
    expect(await (await ask()).text()).toContain('second');
    expect(model.queued).toBe(0);
    expect(model.problems).toEqual([]);
  });

  it('never takes from the queue for a title, a probe, a count, a side question or a summary', async () => {
    model.enqueue(say('kept'));
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const title = await ask('<session>x</session>', { output_config: { format: { type: 'json_schema', schema } } });
    expect(await title.text()).toContain('Scripted session');
    await ask('Hi', { max_tokens: 1 });
    await ask([{ type: 'text', text: '<system-reminder>This is a side question from the user.</system-reminder>' }]);
    await ask('Your task is to create a detailed summary of the conversation so far');
    const counted: unknown = await (await post({ messages: [] }, '/v1/messages/count_tokens?beta=true')).json();
    expect(counted).toEqual({ input_tokens: 4 });
    expect(model.requests.map(request => request.kind)).toEqual(['title', 'probe', 'side', 'compact', 'countTokens']);
    expect(model.conversation).toEqual([]);
    expect(model.queued).toBe(1);
    expect(model.problems).toEqual([]);
  });

  it('tells subagents from the main conversation', async () => {
    model.enqueue(say('x'));
    await fetch(`${model.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-claude-code-agent-id': 'a1' },
      body: JSON.stringify({ ...conversation, messages: [] }),
    });
    expect(model.requests[0]?.kind).toBe('subagent');
  });

  it('is a text that says so, and a problem, when nobody has an answer', async () => {
    expect(await (await ask('what now?')).text()).toContain('has no answer for this request');
    expect(model.problems).toEqual(['No scripted answer for request 0 (main): what now?']);
  });

  it('is an error with a reason for unknown paths and broken bodies', async () => {
    expect((await fetch(`${model.url}/v1/strange`)).status).toBe(404);
    expect((await post('{"messages": [')).status).toBe(400);
    expect(model.problems).toHaveLength(2);
  });

  it('is nobody for the probes of a connection', async () => {
    expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
    expect(model.problems).toEqual([]);
  });

  it('is an error, not silence, when a handler throws', async () => {
    model.onRequest(() => {
      throw new Error('bug in the script');
    });
    const response = await ask();
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('bug in the script');
    expect(model.problems.join()).toContain('bug in the script');
  });
});

describe('the record', () => {
  it('holds what was asked, read tolerantly', async () => {
    model.enqueue(say('x'));
    await ask(
      [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'out' }], is_error: true }, 7],
      {
        system: 'Be brief.',
      },
    );
    expect(model.requests[0]).toMatchObject({
      index: 0,
      kind: 'main',
      method: 'POST',
      model: 'm',
      stream: false,
      tools: ['Write'],
      messages: [{ role: 'user', blocks: [{ type: 'toolResult', id: 't', text: 'out', isError: true }] }],
    });
    expect(model.requests[0]?.system).toContain('Be brief.');
  });

  it('gives out each request once, also those that came before the question', async () => {
    model.enqueue(say('1'), say('2'));
    await ask('one');
    const first = await model.nextRequest();
    const waiting = model.nextRequest();
    await ask('two');
    expect([first.index, (await waiting).index]).toEqual([0, 1]);
  });

  it('stops waiting for a request in time and says what came instead', async () => {
    await post({ messages: [] }, '/v1/messages/count_tokens');
    await expect(model.nextRequest({ timeoutMs: 10 })).rejects.toThrow(/within 10 ms.*countTokens/);
  });

  it('keeps as many requests as it is told to', async () => {
    await model.stop();
    model = await new ScriptedModel({ remember: 1 }).start();
    model.enqueue(say('1'), say('2'));
    await ask('one');
    await ask('two');
    expect(model.requests.map(request => request.index)).toEqual([1]);
  });
});

describe('the end', () => {
  it('notices a client that goes away, and serves the next', async () => {
    const gate = new Gate();
    const abort = new AbortController();
    model.enqueue(say('one ', gate, 'two'), say('fine'));
    const body = { ...conversation, stream: true, messages: [] };
    const response = await post(body, '/v1/messages', abort.signal);
    await gate.reached;
    abort.abort();
    expect(await model.requests[0]?.ended).toBe('aborted');
    await expect(response.text()).rejects.toThrow();
    expect(await (await ask()).text()).toContain('fine');
    expect(model.problems).toEqual([]);
  });

  it('survives a client that leaves in the middle of its request', async () => {
    const socket = createConnection(model.port, '127.0.0.1');
    await new Promise(resolve => socket.once('connect', resolve));
    socket.write('POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"mess');
    await new Promise<void>(resolve => {
      socket.once('close', () => resolve());
      socket.destroy();
    });
    model.enqueue(say('fine'));
    expect(await (await ask()).text()).toContain('fine');
  });

  it('ends every answer and every socket when it is stopped, once or twice', async () => {
    const gate = new Gate();
    model.enqueue(say('one ', gate, 'two'));
    const response = await askStreaming();
    await gate.reached;
    await model.stop();
    await model.stop();
    expect(await model.requests[0]?.ended).toBe('stopped');
    await expect(response.text()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
  });

  it('refuses a port that is taken, with the code of the system', async () => {
    const second = new ScriptedModel();
    await expect(second.start({ port: model.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(() => second.url).toThrow('not been started');
    await second.stop();
  });
});
