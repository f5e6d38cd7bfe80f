import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import type { TransportClose, WireProblem } from '../../../src/protocol/transport.ts';
import type { HistoryPage } from '../../../src/transport/sessionHistory.ts';
import { HistoryError, readAllHistory, RestSessionHistory } from '../../../src/transport/sessionHistory.ts';
import type { WebSocketTransport, WebSocketTransportOptions } from '../../../src/transport/webSocketTransport.ts';
import { startWebSocketTransport } from '../../../src/transport/webSocketTransport.ts';
import type { FakeCliScript } from '../../support/cli/fakeCli.ts';
import { fakeCli } from '../../support/cli/fakeCli.ts';
import { until, untilGone } from '../../support/processes.ts';
import { Relay } from '../../support/relay/relay.ts';

const home = mkdtempSync(join(tmpdir(), 'handrail-socket-'));
const token = 'secret-of-the-test';
const sessionId = 'session-1';
const times = { connectMs: 2000, pingMs: 100, pongMs: 100, closeMs: 500 };
const backOff = { firstMs: 10, factor: 1.5, maxMs: 50, attempts: 8 };
const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

async function startRelay(script: FakeCliScript): Promise<Relay> {
  const relay = new Relay({ cli: fakeCli({ sessionId, ...script }, { home }), token, sessionId });
  await relay.listen();
  cleanUp.push(() => relay.close());
  return relay;
}

function connect(relay: Relay, options: Partial<WebSocketTransportOptions> = {}) {
  const source = new RestSessionHistory({ baseUrl: relay.baseUrl, token, pageSize: 3 });
  const transport = startWebSocketTransport({
    url: relay.url,
    token,
    times,
    backOff,
    history: { source, sessionId },
    ...options,
  });
  cleanUp.push(() => transport.stop());
  return { transport, ...listen(transport) };
}

function listen(transport: WebSocketTransport) {
  const frames: CliFrame[] = [];
  const problems: WireProblem[] = [];
  const closed = new Promise<TransportClose>(resolve => {
    transport.open({
      onFrame: frame => frames.push(frame),
      onProblem: problem => problems.push(problem),
      onClose: resolve,
    });
  });
  const count = (type: CliFrame['type']): number => frames.filter(frame => frame.type === type).length;
  const ids = (): string[] =>
    frames.flatMap(frame => ('uuid' in frame && typeof frame.uuid === 'string' ? [frame.uuid] : []));
  return { frames, problems, closed, count, ids };
}

const prompt = (uuid: string = randomUUID()): HostFrame => ({
  type: 'user',
  message: { role: 'user', content: 'hi' },
  parent_tool_use_id: null,
  session_id: '',
  uuid,
});
async function pagesOf(source: AsyncIterable<HistoryPage>): Promise<HistoryPage[]> {
  const pages: HistoryPage[] = [];
  for await (const page of source) pages.push(page);
  return pages;
}
const promptsTo = (relay: Relay): string[] => relay.linesToCli.filter(line => line.includes('"type":"user"'));

describe('a socket transport', () => {
  it('carries turns both ways and ends the agent when it is stopped', async () => {
    const relay = await startRelay({ turns: { text: 'one two three' } });
    const { transport, closed, count } = connect(relay);
    await transport.send(prompt());
    await until('the turn is over', () => count('result') === 1);
    await transport.send(prompt());
    await until('the second turn is over', () => count('result') === 2);
    const pid = Number(relay.cliPid);
    expect(await transport.stop()).toMatchObject({ reason: 'stopped' });
    expect((await closed).reason).toBe('stopped');
    await untilGone(pid);
  });

  it('reports the exit of the agent with its code', async () => {
    const relay = await startRelay({ steps: [{ do: 'exit', code: 3 }] });
    const { closed, transport } = connect(relay);
    expect(await closed).toMatchObject({ reason: 'exited', exitCode: 3 });
    await expect(transport.send(prompt())).rejects.toMatchObject({ code: 'closed' });
  });

  it('does not try again with a token that was refused', async () => {
    const relay = await startRelay({});
    const { closed } = connect(relay, { token: 'wrong' });
    expect(await closed).toMatchObject({ reason: 'failedToStart', detail: 'HTTP 401' });
    expect(relay.connections).toBe(0);
  });

  it('sends the token only over TLS or to this machine', async () => {
    for (const url of ['ws://example.test/x', 'http://127.0.0.1/x', 'not a url']) {
      const { closed } = listen(startWebSocketTransport({ url, token }));
      expect((await closed).reason).toBe('failedToStart');
    }
  });

  it('says so when the token cannot stand in a header', async () => {
    const relay = await startRelay({});
    const { closed } = connect(relay, { token: 'a\nb' });
    expect(await closed).toMatchObject({ reason: 'failedToStart', detail: 'invalidToken' });
  });

  it('comes back after a break, loses no frame, doubles none and sends no prompt twice', async () => {
    const relay = await startRelay({ turns: { text: 'word '.repeat(200) } });
    const { transport, count, ids, frames } = connect(relay);
    for (let round = 1; round <= 4; round += 1) {
      const soFar = frames.length;
      await transport.send(prompt());
      await until('it streams', () => frames.length > soFar + 20);
      relay.dropConnection();
      await until('the turn is over', () => count('result') === round);
    }
    await until('the last prompt is done', () => frames.at(-1)?.type === 'command_lifecycle');
    await until('it is back after the last break', () => relay.connections === 5);
    expect(promptsTo(relay)).toHaveLength(4);
    expect(new Set(ids()).size).toBe(ids().length);
    expect(count('stream_event')).toBe(4 * 205);
  });

  it('sends what was put in while it was away, in order, when it is back', async () => {
    const relay = await startRelay({ turns: { text: 'ok' } });
    const { transport, count } = connect(relay);
    await transport.send(prompt());
    await until('the turn is over', () => count('result') === 1);
    relay.refuseConnections(3);
    relay.dropConnection();
    const uuids = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all(uuids.map(uuid => transport.send(prompt(uuid))));
    await until('all turns are over', () => count('result') === 4);
    expect(
      promptsTo(relay)
        .slice(1)
        .map(line => uuids.findIndex(uuid => line.includes(uuid))),
    ).toEqual([0, 1, 2]);
  });

  it('sends a prompt that was lost on the way again, and the agent runs it once', async () => {
    const relay = await startRelay({ turns: { text: 'ok' } });
    const { transport, count } = connect(relay);
    await transport.send(prompt());
    await until('the turn is over', () => count('result') === 1);
    relay.goDeaf();
    const sending = transport.send(prompt());
    await until('the silence was noticed', () => relay.connections === 2);
    relay.goDeaf(false);
    await sending;
    await until('the second turn is over', () => count('result') === 2);
    expect(count('result')).toBe(2);
  });

  it('asks for the token anew for every connection', async () => {
    const relay = await startRelay({});
    let asked = 0;
    connect(relay, {
      token: () => {
        asked += 1;
        return asked === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve(token);
      },
    });
    await until('it is connected', () => relay.connections === 1);
    relay.dropConnection();
    await until('it is connected again', () => relay.connections === 2);
    expect(asked).toBe(3);
  });

  it('gives up after so many attempts, and rejects what waits', async () => {
    const relay = await startRelay({});
    const { transport, closed } = connect(relay);
    await until('it is connected', () => relay.connections === 1);
    relay.refuseConnections(1000);
    relay.dropConnection();
    await until('the loss was noticed', () => relay.refusals > 0);
    const waiting = expect(transport.send(prompt())).rejects.toMatchObject({ code: 'closed' });
    expect(await closed).toMatchObject({ reason: 'broken', detail: 'HTTP 503' });
    await waiting;
  });

  it('calls it a failed start if there never was a connection', async () => {
    const relay = await startRelay({});
    relay.refuseConnections(1000);
    expect((await connect(relay).closed).reason).toBe('failedToStart');
  });

  it('stops at once while it waits to try again', async () => {
    const relay = await startRelay({});
    const { transport } = connect(relay, { backOff: { ...backOff, firstMs: 60_000, maxMs: 60_000 } });
    await until('it is connected', () => relay.connections === 1);
    relay.dropConnection();
    expect((await transport.stop()).reason).toBe('stopped');
  });

  it('breaks at a line above the limit', async () => {
    const relay = await startRelay({ steps: [{ do: 'huge', bytes: 300_000 }] });
    const { closed } = connect(relay, { maxLineBytes: 100_000 });
    expect(await closed).toMatchObject({ reason: 'broken', detail: 'A line from the agent was longer than allowed.' });
  });

  it('tells a question that was open during the break again', async () => {
    const relay = await startRelay({
      steps: [{ do: 'ask', requestId: 'q1', tool: 'Write', input: { file_path: '/a' } }],
    });
    const { count } = connect(relay);
    await until('it was asked', () => count('control_request') === 1);
    relay.dropConnection();
    await until('it was asked again', () => count('control_request') === 2);
  });
});

describe('the history over REST', () => {
  it('is read page by page, oldest first, and from a place on', async () => {
    const relay = await startRelay({ turns: { text: 'one two three four' } });
    const { transport, count, frames } = connect(relay);
    await transport.send(prompt());
    await until('the turn is over', () => count('command_lifecycle') === 3);
    const history = new RestSessionHistory({ baseUrl: relay.baseUrl, token, pageSize: 4 });
    const pages = await pagesOf(readAllHistory(history, sessionId));
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flatMap(page => page.frames)).toEqual(frames);
    const first = await history.read(sessionId);
    const after = await pagesOf(
      readAllHistory(history, sessionId, first.endCursor === undefined ? {} : { cursor: first.endCursor }),
    );
    expect(after.flatMap(page => page.frames)).toEqual(frames.slice(4));
  });

  const reading = (options: { token?: string; body?: string; status?: number; session?: string }) => async () => {
    const answer = () =>
      Promise.resolve(new Response(options.body ?? '{"data":[]}', { status: options.status ?? 200 }));
    const history = new RestSessionHistory({ baseUrl: 'http://127.0.0.1:1', token, fetch: answer, maxPageBytes: 1000 });
    return history.read('s');
  };

  it.each([
    [{ status: 401 }, 'unauthorized'],
    [{ status: 404 }, 'notFound'],
    [{ status: 500 }, 'unavailable'],
    [{ body: '{' }, 'malformed'],
    [{ body: '[]' }, 'malformed'],
    [{ body: ' '.repeat(2000) }, 'tooLarge'],
  ])('fails with a code on %j: %s', async (options, code) => {
    const error: unknown = await reading(options)().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HistoryError);
    expect(error).toMatchObject({ code });
  });

  it('keeps the events it knows and reports those it cannot read', async () => {
    const problems: string[] = [];
    const answer = () => Promise.resolve(new Response('{"data":[{"type":"keep_alive"},7,null],"has_more":true}'));
    const history = new RestSessionHistory({
      baseUrl: 'http://127.0.0.1:1',
      token,
      fetch: answer,
      onProblem: one => problems.push(one.code),
    });
    const page = await history.read('a/b');
    expect(page.frames.map(frame => frame.type)).toEqual(['keep_alive']);
    expect(page.nextCursor).toBeUndefined();
    expect(problems).toEqual(['notAnObject', 'notAnObject']);
  });

  it('does not follow for ever a service that always has more', async () => {
    const endless = { read: () => Promise.resolve({ frames: [], nextCursor: randomUUID() }) };
    expect(await pagesOf(readAllHistory(endless, 's', { maxPages: 5 }))).toHaveLength(5);
  });
});
