import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Deferred } from '../../../src/base/deferred.ts';
import { SessionError } from '../../../src/session/errors.ts';
import type { McpServerDefinition } from '../../../src/session/mcpHost.ts';
import { McpHost } from '../../../src/session/mcpHost.ts';
import { answersOf, cancel, newSession, readySession, requestOf, requestsOf, settle, success } from './sessionKit.ts';

interface Probe {
  built: number;
  readonly stopped: Deferred<undefined>;
  announce: () => void;
}

function greeter(): { definition: McpServerDefinition; probe: Probe } {
  const probe: Probe = { built: 0, stopped: new Deferred(), announce: () => undefined };
  const definition: McpServerDefinition = {
    name: 'greeter',
    create: sdk => {
      probe.built++;
      const server = new sdk.McpServer({ name: 'greeter', version: '1.0.0' });
      server.registerTool('greet', { description: 'greets', inputSchema: { who: z.string() } }, ({ who }) => ({
        content: [{ type: 'text', text: `hello ${who}` }],
      }));
      server.registerTool('wait', { description: 'waits', inputSchema: {} }, (_input, extra) => {
        return new Promise((_resolve, reject) => {
          extra.signal.addEventListener('abort', () => {
            probe.stopped.resolve(undefined);
            reject(new Error('aborted'));
          });
        });
      });
      probe.announce = () => server.sendToolListChanged();
      return server;
    },
  };
  return { definition, probe };
}

const message = (request_id: string, body: object, server_name = 'greeter') => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'mcp_message', server_name, message: { jsonrpc: '2.0', ...body } },
});

const hello = {
  id: '0',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'cli', version: '1' } },
};

type Peer = Parameters<typeof answersOf>[0];

/** Resolves when the host has written what the test looks for; the test's own time-out is the bound. */
function heard<T>(peer: Peer, look: () => T | undefined): Promise<T> {
  const found = look();
  if (found !== undefined) return Promise.resolve(found);
  return new Promise(resolve => {
    const before = peer.onHeard;
    peer.onHeard = frame => {
      before(frame);
      const now = look();
      if (now !== undefined) resolve(now);
    };
  });
}

async function answerTo(peer: Peer, id: string): Promise<unknown> {
  const answer = await heard(peer, () => answersOf(peer, id)[0]);
  return answer.subtype === 'success' ? answer.response : answer;
}

describe('a server in this process', () => {
  it('is named in initialize and serves the handshake before initialize is answered', async () => {
    const { definition } = greeter();
    const { session, peer } = newSession({ mcpServers: [definition] });
    const started = session.start();
    expect(requestOf(peer, 'initialize').request).toMatchObject({ sdkMcpServers: ['greeter'] });
    peer.say(message('r1', hello));
    expect(await answerTo(peer, 'r1')).toMatchObject({
      mcp_response: { jsonrpc: '2.0', id: '0', result: { serverInfo: { name: 'greeter' } } },
    });
    peer.say(success(requestOf(peer, 'initialize').request_id, { commands: [] }));
    await started;
  });

  it('is built once, when first spoken to, lists its tools and calls them', async () => {
    const { definition, probe } = greeter();
    const { peer } = await readySession({ mcpServers: [definition] });
    expect(probe.built).toBe(0);
    peer.say(message('r1', hello));
    await answerTo(peer, 'r1');
    peer.say(message('r2', { method: 'notifications/initialized' }));
    expect(await answerTo(peer, 'r2')).toEqual({ mcp_response: { jsonrpc: '2.0', result: {} } });
    peer.say(message('r3', { id: '1', method: 'tools/list' }));
    expect(await answerTo(peer, 'r3')).toMatchObject({
      mcp_response: { id: '1', result: { tools: [{ name: 'greet' }, { name: 'wait' }] } },
    });
    peer.say(message('r4', { id: '2', method: 'tools/call', params: { name: 'greet', arguments: { who: 'you' } } }));
    expect(await answerTo(peer, 'r4')).toMatchObject({
      mcp_response: { id: '2', result: { content: [{ type: 'text', text: 'hello you' }] } },
    });
    expect(probe.built).toBe(1);
  });

  it('answers a cancelled call once, and its tool is told to stop', async () => {
    const { definition, probe } = greeter();
    const { peer } = await readySession({ mcpServers: [definition] });
    peer.say(message('r1', hello));
    await answerTo(peer, 'r1');
    peer.say(message('r2', { id: '9', method: 'tools/call', params: { name: 'wait', arguments: {} } }));
    await settle();
    peer.say(message('r3', { method: 'notifications/cancelled', params: { requestId: '9' } }));
    await answerTo(peer, 'r3');
    expect(await answerTo(peer, 'r2')).toMatchObject({ mcp_response: { id: '9', error: { code: -32_000 } } });
    await settle();
    expect(answersOf(peer, 'r2')).toHaveLength(1);
    await probe.stopped.promise;
  });

  it('stops a tool whose message the CLI withdrew, and answers nothing', async () => {
    const { definition, probe } = greeter();
    const { peer } = await readySession({ mcpServers: [definition] });
    peer.say(message('r1', hello));
    await answerTo(peer, 'r1');
    peer.say(message('r2', { id: '9', method: 'tools/call', params: { name: 'wait', arguments: {} } }));
    await settle();
    peer.say(cancel('r2'));
    await probe.stopped.promise;
    await settle();
    expect(answersOf(peer, 'r2')).toEqual([]);
  });

  it('may speak of its own accord', async () => {
    const { definition, probe } = greeter();
    const { peer } = await readySession({ mcpServers: [definition] });
    peer.say(message('r1', hello));
    await answerTo(peer, 'r1');
    probe.announce();
    await heard(peer, () => requestsOf(peer.heard, 'mcp_message')[0]);
    expect(requestOf(peer, 'mcp_message').request).toMatchObject({
      server_name: 'greeter',
      message: { method: 'notifications/tools/list_changed' },
    });
    peer.say(success(requestOf(peer, 'mcp_message').request_id, {}));
  });

  it('that cannot be built is an error to the CLI, which would otherwise wait in silence', async () => {
    const broken: McpServerDefinition = {
      name: 'greeter',
      create: () => {
        throw new Error('no such server');
      },
    };
    const { peer } = await readySession({ mcpServers: [broken] });
    peer.say(message('r1', hello));
    expect(await answerTo(peer, 'r1')).toMatchObject({ subtype: 'error', error: 'no such server' });
  });
});

it('answers for a server it does not host with "method not found", inside a success', async () => {
  const { peer } = await readySession();
  peer.say(message('r1', { id: 5, method: 'tools/list' }, 'stranger'));
  expect(await answerTo(peer, 'r1')).toMatchObject({
    mcp_response: { jsonrpc: '2.0', id: 5, error: { code: -32_601 } },
  });
});

it('refuses the name whose tools the CLI would not offer', () => {
  const servers = [{ ...greeter().definition, name: 'ide' }];
  expect(() => new McpHost({ servers, carry: () => Promise.resolve() })).toThrow(SessionError);
});
