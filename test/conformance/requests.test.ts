import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionError } from '../../src/session/errors.ts';
import type { McpSdk } from '../../src/session/mcpBridge.ts';
import { say, tool } from '../support/model/script.ts';
import { inMemory, success } from './support/memoryPeer.ts';
import { ask } from './support/records.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.set({ 'notes.txt': 'one\n' });
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

const codeOf = (error: unknown) => (error instanceof SessionError ? error.code : `not one of ours: ${String(error)}`);
const write = (name: string) => tool('Write', { file_path: stage.path(name), content: 'x\n' });

describe('requests', () => {
  it('S11: answers find their own question though they overtake each other, and echoes of our own answers are nobody’s', async () => {
    stage.model.enqueue(write('a.txt'), say('Written.'));
    const live = await stage.open();
    const [version, rules, cost] = await Promise.all([
      live.session.requests.getBinaryVersion(),
      live.session.requests.listPermissionRules(),
      live.session.requests.getSessionCost(),
    ]);
    expect(version.version).toBe('2.1.326');
    expect(rules).toHaveProperty('state.rules');
    expect(cost.text).toContain('cost');
    const done = live.turn('write');
    const question = await live.ask();
    expect(live.session.desk.settle(question.id, { type: 'allow' })).toBe(true);
    expect(await done).toBe('completed');
    const echoes = live.tap.ofType('control_response').filter(frame => frame.response.request_id === question.id);
    expect(echoes).toHaveLength(1);
    expect(live.tap.answers.filter(answer => answer.request_id === question.id)).toHaveLength(1);
  });

  it('S12: a refusal rejects with the words and the code of the CLI; everything else resolves', async () => {
    const live = await stage.open();
    const refused = await live.session.settings.setPermissionMode('no-such-mode').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'refused', wireCode: 'invalid_mode' });
    expect(refused instanceof Error ? refused.message : '').toContain('must be one of');
    const bypass = await live.session.settings.setPermissionMode('bypassPermissions').catch((error: unknown) => error);
    expect(bypass).toMatchObject({ code: 'refused', wireCode: 'bypass_not_launched' });
    await live.session.settings.setPermissionMode('plan');
    expect(live.session.info.mode).toBe('plan');
  });

  it('S13: a bare acknowledgement resolves to an empty object', async () => {
    const live = await stage.open();
    const id = () =>
      live.tap.sent.flatMap(frame => (frame.type === 'control_request' ? [frame.request_id] : [])).at(-1);
    expect(await live.session.requests.setMaxThinkingTokens(1024)).toEqual({});
    const answer = live.tap.ofType('control_response').find(frame => frame.response.request_id === id());
    expect(answer?.response).not.toHaveProperty('response');
  });

  it('S14: a request nobody answers times out, frees its place, and its late answer changes nothing', async () => {
    const { session, peer, timers, idsOf, start } = inMemory();
    await start();
    const asked = session.requests.getSessionCost();
    timers.at(-1)?.call();
    expect(await asked.catch(codeOf)).toBe('timedOut');
    const [late] = idsOf('get_session_cost');
    expect(peer.heard.at(-1)).toEqual({ type: 'control_cancel_request', request_id: late });
    peer.say(success(late ?? '', { text: 'too late' }));
    const again = session.requests.getSessionCost();
    peer.say(success(idsOf('get_session_cost')[1] ?? '', { text: 'in time' }));
    expect((await again).text).toBe('in time');
  });

  it('S15: questions of the CLI are served while initialize is open', async () => {
    const create = ({ McpServer }: McpSdk) => {
      const server = new McpServer({ name: 'clock', version: '1.0.0' });
      server.registerTool('now', { description: 'The time' }, () => ({ content: [{ type: 'text', text: 'noon' }] }));
      return server;
    };
    const live = await stage.open({ session: { mcpServers: [{ name: 'clock', create }] } });
    const types = live.tap.received.map(frame => frame.type);
    expect(types.indexOf('control_request')).toBeLessThan(types.indexOf('control_response'));
    expect(live.tap.asked[0]?.request.subtype).toBe('mcp_message');
    await live.sees('the handshake is over', () => live.tap.answers.length >= 3);
    await live.session.settings.refreshMcpServers();
    expect(live.session.info.mcpServers).toMatchObject([{ name: 'clock', status: 'connected' }]);

    const { session, peer, idsOf, end } = inMemory();
    const started = session.start();
    peer.say(ask('early'));
    expect(session.desk.settle('early', { type: 'allow' })).toBe(true);
    expect(peer.heard.at(-1)).toMatchObject({ type: 'control_response', response: { request_id: 'early' } });
    peer.say(success(idsOf('initialize')[0] ?? '', { commands: [] }));
    await started;
    await end();
  });

  it('S16: every question of the CLI is answered once, or withdrawn, or closed with the process; never twice', async () => {
    stage.model.enqueue([
      tool('WebFetch', { url: 'https://a.invalid/', prompt: 'p' }),
      tool('WebFetch', { url: 'https://b.invalid/', prompt: 'p' }),
    ]);
    const live = await stage.open();
    void live.turn('fetch both');
    const [first, second] = await live.asks(2);
    const { desk } = live.session;
    expect(desk.settle(first?.id ?? '', { type: 'deny', message: 'no' })).toBe(true);
    expect(desk.settle(first?.id ?? '', { type: 'allow' })).toBe(false);
    await live.session.interrupt();
    await live.sees('the other is withdrawn', () => desk.asks.length === 0);
    expect(desk.settle(second?.id ?? '', { type: 'allow' })).toBe(false);
    await live.idle();
    stage.model.enqueue(write('c.txt'));
    void live.turn('write');
    const third = await live.ask();
    process.kill(live.pid, 'SIGKILL');
    await live.session.ended;
    expect(desk.asks).toEqual([]);
    expect(desk.settle(third.id, { type: 'allow' })).toBe(false);
    const ids = live.tap.answers.map(answer => answer.request_id);
    expect(ids).toEqual([first?.id]);
  });

  it('S17: an unknown question is answered with an error, a dialog nobody declared is left alone', async () => {
    const { peer, start, end } = inMemory();
    await start();
    const heard = peer.heard.length;
    peer.say({ type: 'control_request', request_id: 'new', request: { subtype: 'read_minds', depth: 3 } });
    peer.say({
      type: 'control_request',
      request_id: 'dialog',
      request: { subtype: 'request_user_dialog', dialog_kind: 'quiz', payload: {} },
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(peer.heard.slice(heard)).toEqual([
      {
        type: 'control_response',
        response: { subtype: 'error', request_id: 'new', error: expect.stringContaining('read_minds') as string },
      },
    ]);
    await end();
  });

  it('S18: a withdrawn question closes its card and is not answered; a withdrawal of nothing is nothing', async () => {
    stage.model.enqueue(write('a.txt'), say('Next.'));
    const live = await stage.open();
    const outcomes: string[] = [];
    live.session.desk.onDidChange(change => {
      if (change.type === 'closed') outcomes.push(change.outcome.type);
    });
    void live.turn('write');
    const question = await live.ask();
    await live.session.interrupt();
    await live.idle();
    expect(outcomes).toEqual(['withdrawn']);
    expect(live.session.desk.settle(question.id, { type: 'allow' })).toBe(false);
    expect(live.tap.answers).toEqual([]);
    const cancels = live.tap.ofType('control_cancel_request').map(frame => frame.request_id);
    expect(cancels).toContain(question.id);
    expect(await live.turn('go on')).toBe('completed');

    const { session, peer, end } = inMemory();
    void session.start().catch(() => undefined);
    peer.say({ type: 'control_cancel_request', request_id: 'nobody' });
    peer.say(ask('real'));
    expect(session.desk.asks.map(each => each.id)).toEqual(['real']);
    await end();
  });

  it('S19: a question that a second initialize lists again is still one card', async () => {
    stage.model.enqueue(write('a.txt'), say('Written.'));
    const live = await stage.open();
    let opened = 0;
    live.session.desk.onDidChange(change => {
      if (change.type === 'opened') opened += 1;
    });
    const done = live.turn('write');
    const question = await live.ask();
    await live.session.requests.initialize({});
    const lists = live.tap.ofType('control_response').map(frame => frame.response);
    const listed = lists.flatMap(each => each.pending_permission_requests ?? []).map(frame => frame.request_id);
    expect(listed).toContain(question.id);
    expect(opened).toBe(1);
    expect(live.session.desk.asks).toHaveLength(1);
    live.session.desk.settle(question.id, { type: 'allow' });
    expect(await done).toBe('completed');
    expect(live.tap.answers.filter(answer => answer.request_id === question.id)).toHaveLength(1);
  });

  it('S20: a request this CLI does not know says so by its code, and the session lives on', async () => {
    stage.model.enqueue(say('Still here.'));
    const live = await stage.open();
    expect(await live.session.requests.setColor('red').catch(codeOf)).toBe('unsupported');
    expect(await live.turn('are you there?')).toBe('completed');
    expect(live.said).toBe('Still here.');
  });
});
