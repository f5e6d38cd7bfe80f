import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deferred } from '../../../../src/base/deferred.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { HostMessage } from '../../../../src/bridge/hostMessages.ts';
import { englishStrings } from '../../../../src/bridge/strings.ts';
import type { SessionView } from '../../../../src/bridge/sessionView.ts';
import { Chat } from '../../../../src/host/chat/chat.ts';
import type { ChatContext, ChatOptions } from '../../../../src/host/chat/chatOptions.ts';
import type { ChatRewind } from '../../../../src/host/rewind/chatRewind.ts';
import type { PendingState } from '../../../../src/host/rewind/promptStates.ts';
import { Chats } from '../../../../src/host/chat/chats.ts';
import type { ChatServices } from '../../../../src/host/chat/chatServices.ts';
import type { StartOutcome, StartRequest } from '../../../../src/host/sessions/sessionStarter.ts';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import { DraftBook } from '../../../../src/host/sessions/draftBook.ts';
import { PastSessions } from '../../../../src/host/sessions/pastSessions.ts';
import { AgentSession } from '../../../../src/session/agentSession.ts';
import { SessionStore } from '../../../../src/session/store/sessionStore.ts';
import type { MemoryPeer } from '../../../support/memoryTransport.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { ManualClock, MemoryLog, requestOf, success } from '../../session/sessionKit.ts';
import { fill } from './fill.ts';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

function newChat(found: boolean | Error = true, more: Partial<ChatOptions> = {}) {
  const clock = new ManualClock();
  const log = new MemoryLog();
  const told: string[] = [];
  const posts: HostMessage[] = [];
  const peers: MemoryPeer[] = [];
  const starts: StartRequest[] = [];
  const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'));
  const services: ChatServices = {
    openFile: unused,
    openLink: unused,
    copy: unused,
    insertAtCursor: unused,
    completeFile: unused,
    showLog: () => undefined,
    openSettings: unused,
    signIn: unused,
    diagnose: unused,
    tell: message => told.push(message),
  };
  const start = (request: StartRequest): Promise<StartOutcome> => {
    starts.push(request);
    if (found instanceof Error) return Promise.reject(found);
    if (!found) {
      const tried = [{ path: '/usr/bin/claude', source: 'path', outcome: 'notFound' }] as const;
      return Promise.resolve({ type: 'notFound', search: { tried } });
    }
    const { host, peer } = memoryLine();
    peers.push(peer);
    const session = new AgentSession({
      transport: host,
      transcript: request.transcript,
      cwd: request.cwd,
      clock,
      logger: log,
    });
    session.start().catch((error: unknown) => log.debug(String(error)));
    peer.say(
      success(requestOf(peer, 'initialize').request_id, {
        commands: [],
        models: [],
        current_permission_mode: 'default',
      }),
    );
    return Promise.resolve({ type: 'started', session });
  };
  const chat = new Chat({
    cwd: '/project',
    start,
    services,
    strings: () => englishStrings,
    drafts: new DraftBook('/nonexistent', log),
    draftKey: 'new-test',
    newId: () => 'id',
    past: new PastSessions(new SessionStore(new DiskSessionFiles('/nonexistent'))),
    viewOptions: () => ({ sendKey: 'enter', placement: 'sideBar' }),
    initial: () => ({ model: '', mode: 'default' }),
    t: fill,
    logger: log,
    clock,
    ...more,
  });
  chat.attach(message => posts.push(message));
  const lastSession = (): SessionView | undefined => {
    for (const message of posts.toReversed()) {
      if (message.type === 'snapshot') return message.session;
      const op = message.type === 'patch' ? message.ops.find(one => one.op === 'session') : undefined;
      if (op?.op === 'session') return op.session;
    }
    return undefined;
  };
  /** One frame passes and the view keeps up. */
  const paint = async (): Promise<void> => {
    await settle();
    clock.advance(20);
    for (const message of posts) if ('revision' in message) chat.onMessage({ type: 'ack', revision: message.revision });
    await settle();
  };
  const send = (text: string): void => {
    const { key } = chat.composer.drafts;
    void chat.onRequest({ name: 'send', key, text, attachments: [], now: false });
  };
  return { chat, posts, peers, starts, told, log, paint, send, lastSession };
}

const prompts = (peer: MemoryPeer | undefined): unknown[] =>
  (peer?.heard ?? []).flatMap(frame => (frame.type === 'user' ? [frame.message.content] : []));

describe('a chat', () => {
  it('starts with the model that was chosen, and tells the page to remember it', async () => {
    const { chat, starts, paint, lastSession } = newChat();
    let told = 0;
    chat.onDidChange(() => (told += 1));
    chat.onMessage({ type: 'setModel', value: 'opus' });
    await paint();
    expect([chat.chosenModel, told]).toEqual(['opus', 1]);
    chat.onMessage({ type: 'ready' });
    await paint();
    expect(starts).toMatchObject([{ model: 'opus' }]);
    expect(lastSession()).toMatchObject({ model: { value: 'opus' }, resume: { model: 'opus' } });
  });

  it('calls a session that it opens by its first words, as while it was new', async () => {
    const home = await mkdtemp(join(tmpdir(), 'chat-'));
    const sessionId = '0f6b1c1e-6a55-4f0c-9b1e-2f6d3c1a0001';
    const said = (uuid: string, parentUuid: string | null, content: string) => ({
      ...{ type: 'user', uuid, parentUuid, sessionId, isSidechain: false, cwd: '/project', version: '2' },
      ...{ timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content } },
    });
    const lines = [
      said('u1', null, 'Cap the retries'),
      said('u2', 'u1', 'ok'),
      { type: 'last-prompt', lastPrompt: 'ok' },
    ];
    await mkdir(join(home, 'projects', '-project'), { recursive: true });
    await writeFile(
      join(home, 'projects', '-project', `${sessionId}.jsonl`),
      lines.map(line => `${JSON.stringify(line)}\n`).join(''),
    );
    try {
      const { chat } = newChat(true, { past: new PastSessions(new SessionStore(new DiskSessionFiles(home))) });
      await chat.openSession({ sessionId });
      expect(chat.title).toBe('Cap the retries');
    } finally {
      await rm(home, { recursive: true });
    }
  });

  it('greets a page with its words and a snapshot, and starts the agent', async () => {
    const { chat, posts, paint, lastSession } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    expect(posts.map(message => message.type).slice(0, 2)).toEqual(['hello', 'snapshot']);
    expect(lastSession()?.state).toBe('idle');
  });

  it('starts one process however often it is asked', async () => {
    const { chat, starts, send, paint } = newChat();
    chat.wake();
    chat.wake();
    send('one');
    await paint();
    expect(starts).toHaveLength(1);
  });

  it('keeps the wish for the cursor until the page is ready', async () => {
    const { chat, posts, paint } = newChat();
    chat.composer.focus();
    chat.composer.focus();
    expect(posts).toEqual([]);
    chat.onMessage({ type: 'ready' });
    await paint();
    expect(posts.filter(message => message.type === 'focus')).toEqual([{ type: 'focus', target: 'composer' }]);
    expect(posts.findIndex(message => message.type === 'focus')).toBeGreaterThan(1);
  });

  it('says where it looked when the program is not found, and gives the words back', async () => {
    const { chat, posts, send, paint, lastSession } = newChat(false);
    chat.onMessage({ type: 'ready' });
    send('hello');
    await paint();
    expect(lastSession()).toMatchObject({
      state: 'none',
      error: { title: 'The claude program was not found', tried: ['PATH: /usr/bin/claude – not there'] },
    });
    await expect
      .poll(() => posts)
      .toContainEqual({ type: 'composer', action: { type: 'giveBack', text: 'hello', attachments: [] } });
  });

  it('shows a card when the agent dies in a turn and goes on with the same session after a restart', async () => {
    const { chat, peers, starts, send, paint, lastSession } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    send('work');
    await paint();
    const session = { session_id: '11111111-1111-4111-8111-111111111111', uuid: 'u' };
    peers[0]?.say({
      type: 'system',
      subtype: 'init',
      cwd: '/project',
      model: 'm',
      permissionMode: 'default',
      ...session,
    });
    const sent = peers[0]?.heard.find(frame => frame.type === 'user');
    peers[0]?.say({ type: 'command_lifecycle', state: 'started', command_uuid: sent?.uuid, ...session });
    peers[0]?.close({ reason: 'exited', signal: 'SIGKILL', stderrTail: 'killed' });
    await paint();
    expect(lastSession()).toMatchObject({
      state: 'stopped',
      error: {
        title: 'The agent ended in the middle of a turn',
        detail: 'killed',
        actions: [{ action: 'restart' }, { action: 'continue' }, { action: 'showLog' }],
      },
    });
    chat.onMessage({ type: 'action', action: 'restart' });
    await paint();
    expect(starts[1]?.from).toEqual({ kind: 'resume', session: session.session_id });
    expect(starts[1]?.transcript).toBe(starts[0]?.transcript);
    expect(lastSession()).not.toHaveProperty('error');
  });

  it('goes on in the mode that was chosen when a new process takes over', async () => {
    const { chat, peers, starts, send, paint, lastSession } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    const [first] = peers;
    if (first === undefined) throw new Error('no process');
    first.onHeard = frame => {
      if (frame.type === 'control_request') first.say(success(frame.request_id, { mode: 'plan' }));
    };
    chat.onMessage({ type: 'setMode', value: 'plan' });
    await paint();
    first.close({ reason: 'exited', exitCode: 1 });
    await paint();
    expect(lastSession()?.mode).toBe('plan');
    send('go on');
    await paint();
    expect(starts[1]?.mode).toBe('plan');
  });

  it('keeps a mode chosen while no process runs', async () => {
    const { chat, starts, send, paint } = newChat();
    chat.onMessage({ type: 'setMode', value: 'acceptEdits' });
    await paint();
    send('hello');
    await paint();
    expect(starts[0]?.mode).toBe('acceptEdits');
  });

  it('gives a mode and a model chosen while a process starts to that process', async () => {
    const { chat, peers, paint, starts } = newChat();
    chat.onMessage({ type: 'ready' });
    chat.onMessage({ type: 'setMode', value: 'plan' });
    chat.onMessage({ type: 'setModel', value: 'opus' });
    await paint();
    expect(starts).toHaveLength(1);
    const [peer] = peers;
    if (peer === undefined) throw new Error('no process');
    expect(requestOf(peer, 'set_permission_mode').request).toMatchObject({ mode: 'plan' });
    expect(requestOf(peer, 'set_model').request).toMatchObject({ model: 'opus' });
  });

  it('starts in the mode without questions when the person confirmed it before there was a process', async () => {
    const bypass = { offered: () => true, confirm: () => Promise.resolve(true) };
    const { chat, starts, send, paint } = newChat(true, { bypass });
    chat.onMessage({ type: 'setMode', value: 'bypassPermissions' });
    await paint();
    send('hello');
    await paint();
    expect(starts[0]?.mode).toBe('bypassPermissions');
  });

  it('never leaves questions out unasked', async () => {
    const refused = { offered: () => true, confirm: () => Promise.resolve(false) };
    const notOffered = { offered: () => false, confirm: () => Promise.resolve(true) };
    for (const bypass of [refused, notOffered]) {
      const { chat, starts, send, paint } = newChat(true, { bypass });
      chat.onMessage({ type: 'setMode', value: 'bypassPermissions' });
      await paint();
      send('hello');
      await paint();
      expect(starts[0]?.mode).toBe('default');
    }
  });

  it('shows a card and gives the words back when a start cannot even be tried', async () => {
    const { chat, posts, send, paint, lastSession } = newChat(new Error('--print is not for extra arguments'));
    chat.onMessage({ type: 'ready' });
    send('hello');
    await paint();
    expect(lastSession()?.error).toMatchObject({
      title: 'The agent could not be started',
      message: '--print is not for extra arguments',
    });
    await expect
      .poll(() => posts)
      .toContainEqual({ type: 'composer', action: { type: 'giveBack', text: 'hello', attachments: [] } });
  });

  it('sends prompts in the order they were typed, also before the agent runs', async () => {
    const { peers, send, paint } = newChat();
    for (const words of ['one', 'two', 'three']) send(words);
    await paint();
    await paint();
    expect(prompts(peers[0])).toEqual(['one', 'two', 'three'].map(text => [{ type: 'text', text }]));
  });

  it('sends a prompt only when the one before it is out, however long the folder is looked at', async () => {
    const looks: Deferred<PendingState>[] = [];
    const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'));
    const rewind: ChatRewind<Chat> = {
      before: () => {
        const look = new Deferred<PendingState>();
        looks.push(look);
        return look.promise;
      },
      sent: () => undefined,
      rows: () => Promise.resolve([]),
      rewindTo: unused,
      undo: unused,
    };
    const { peers, send, paint } = newChat(true, { rewind });
    send('slow');
    send('fast');
    await paint();
    // The later look is done first, if it was begun at all.
    for (const look of looks.toReversed()) {
      look.reject(new Error('no state'));
      await paint();
    }
    await paint();
    for (const look of looks) look.reject(new Error('no state'));
    await paint();
    expect(prompts(peers[0])).toEqual(['slow', 'fast'].map(text => [{ type: 'text', text }]));
  });

  it('begins anew without what was said before, and ends the old process', async () => {
    const { chat, posts, peers, send, paint } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    send('old words');
    await paint();
    let stopped = false;
    const [first] = peers;
    if (first === undefined) throw new Error('no process');
    first.onStop = () => {
      stopped = true;
      first.close({ reason: 'stopped' });
    };
    first.onHeard = frame => {
      if (frame.type === 'control_request') first.say(success(frame.request_id, {}));
    };
    first.say({ type: 'result', subtype: 'success', is_error: false, result: '', session_id: 's', uuid: 'r' });
    await chat.newSession();
    await paint();
    expect(stopped).toBe(true);
    expect(posts.findLast(message => message.type === 'snapshot')).toMatchObject({ total: 0, items: [] });
    send('new words');
    await paint();
    expect(prompts(peers[1])).toEqual([[{ type: 'text', text: 'new words' }]]);
  });

  it('ends a turn that runs only at the word of the person who goes to another conversation', async () => {
    const asked: string[] = [];
    const tabs: unknown[] = [];
    let way: 'stop' | 'tab' | 'stay' = 'stay';
    const { chat, peers, paint, send } = newChat(true, {
      leaving: () => {
        asked.push(way);
        return Promise.resolve(way);
      },
      openTab: (target, folder) => tabs.push({ target, folder }),
    });
    chat.onMessage({ type: 'ready' });
    await paint();
    expect(chat.isBusy).toBe(false);
    send('work');
    await paint();
    const [first] = peers;
    if (first === undefined) throw new Error('no process');
    first.onHeard = frame => {
      if (frame.type === 'control_request') first.say(success(frame.request_id, {}));
    };
    first.onStop = () => first.close({ reason: 'stopped' });
    expect(chat.isBusy).toBe(true);

    expect(await chat.newSession()).toBe(false);
    way = 'tab';
    expect(await chat.newSession()).toBe(false);
    expect(await chat.openSession({ sessionId: 'other' })).toBe(false);
    expect(tabs).toEqual([
      { target: undefined, folder: '/project' },
      { target: { sessionId: 'other' }, folder: '/project' },
    ]);
    expect(chat.session?.state.type).not.toBe('stopped');
    expect(prompts(first)).toHaveLength(1);

    way = 'stop';
    expect(await chat.newSession()).toBe(true);
    await paint();
    expect(peers).toHaveLength(2);
    const [, second] = peers;
    if (second !== undefined) second.onStop = () => second.close({ reason: 'stopped' });
    // Nothing runs in the new one: nobody is asked.
    expect(await chat.newSession()).toBe(true);
    expect(asked).toEqual(['stay', 'tab', 'tab', 'stop']);
  });

  it('says so when the session to open is no longer there, and stays with what it shows', async () => {
    const { chat, told, paint, send, peers } = newChat();
    send('here');
    await paint();
    expect(await chat.openSession({ sessionId: 'gone', fork: true, at: 'x' })).toBe(false);
    expect(told).toEqual(['This session is no longer there.']);
    expect(prompts(peers[0])).toHaveLength(1);
    expect(chat.session?.state.type).not.toBe('stopped');
  });

  it('takes a new name also when its process has ended', async () => {
    const { chat, peers, paint, send } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    send('first words');
    await paint();
    peers[0]?.say({ type: 'system', subtype: 'session_title_changed', title: 'As the agent says' });
    await paint();
    expect(chat.title).toBe('As the agent says');
    peers[0]?.close({ reason: 'exited', exitCode: 0 });
    await paint();
    expect(chat.state?.type).toBe('stopped');
    await chat.rename('As the person says');
    expect(chat.title).toBe('As the person says');
  });

  it('answers a question once, and a late answer only says so', async () => {
    const { chat, peers, told, paint, lastSession } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: { command: 'ls' } };
    peers[0]?.say({ type: 'control_request', request_id: 'q1', request });
    await paint();
    expect(lastSession()).toMatchObject({ state: 'awaitingPermission', openAsks: ['q1'] });
    chat.onMessage({ type: 'answer', askId: 'q1', answer: { type: 'allow' } });
    chat.onMessage({ type: 'answer', askId: 'q1', answer: { type: 'deny', reason: '', stop: false } });
    await paint();
    const answers = peers[0]?.heard.filter(frame => frame.type === 'control_response');
    expect(answers).toMatchObject([
      { response: { request_id: 'q1', response: { behavior: 'allow', updatedInput: { command: 'ls' } } } },
    ]);
    expect(told).toEqual(['This question is already answered.']);
  });

  it('leaves a question open when the edited text cannot be what runs', async () => {
    const { chat, peers, told, paint, lastSession } = newChat();
    chat.onMessage({ type: 'ready' });
    await paint();
    const request = { subtype: 'can_use_tool', tool_name: 'mcp__a__b', tool_use_id: 't1', input: { a: 1 } };
    peers[0]?.say({ type: 'control_request', request_id: 'q1', request });
    chat.onMessage({ type: 'answer', askId: 'q1', answer: { type: 'allow', edited: '{"a":' } });
    await paint();
    expect(told).toEqual(['The edited input is not valid JSON.']);
    expect(lastSession()?.openAsks).toEqual(['q1']);
  });
});

describe('words that the agent never began with', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hr-words-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const book = (): DraftBook => new DraftBook(folder, silentLogger);
  const nothing = { text: '', attachments: [] };
  const sessionId = '11111111-1111-4111-8111-111111111111';

  const given = (posts: readonly HostMessage[]): string[] =>
    posts.flatMap(message =>
      message.type === 'composer' && message.action.type === 'giveBack' ? [message.action.text] : [],
    );
  const idOf = (peer: MemoryPeer, text: string): string => {
    const sent = peer.heard.find(frame => frame.type === 'user' && JSON.stringify(frame.message).includes(text));
    if (sent?.type !== 'user' || sent.uuid === undefined) throw new Error(`${text} was not sent`);
    return sent.uuid;
  };
  /** As the CLI does it: before it answers the request. */
  const letGo = (peer: MemoryPeer, ...texts: string[]): string[] => {
    const ids = texts.map(text => idOf(peer, text));
    for (const id of ids)
      peer.say({ type: 'command_lifecycle', state: 'cancelled', command_uuid: id, session_id: sessionId, uuid: 'l' });
    return ids;
  };

  /** A chat with a session whose agent works on the first message while the second one waits. */
  async function busy(drafts: DraftBook) {
    const all = newChat(true, { drafts });
    const { chat, peers, send, paint } = all;
    chat.onMessage({ type: 'ready' });
    await paint();
    send('first');
    await paint();
    const [peer] = peers;
    if (peer === undefined) throw new Error('no process');
    const session = { session_id: sessionId, uuid: 'u' };
    const first = peer.heard.find(frame => frame.type === 'user');
    peer.say({ type: 'command_lifecycle', state: 'started', command_uuid: first?.uuid, ...session });
    peer.say({
      type: 'system',
      subtype: 'init',
      cwd: '/project',
      model: 'm',
      permissionMode: 'default',
      ...session,
    });
    send('second');
    await paint();
    await drafts.settled();
    const result = { type: 'result', subtype: 'success', is_error: false, result: '', ...session } as const;
    peer.onHeard = frame => {
      if (frame.type !== 'control_request') return;
      peer.say(success(frame.request_id, {}));
      if (frame.request.subtype === 'interrupt') peer.say(result);
    };
    peer.onStop = () => peer.close({ reason: 'stopped' });
    return { ...all, peer };
  }

  it('are on disk before there is a process to take them', async () => {
    const drafts = book();
    const start = new Deferred<StartOutcome>();
    const { chat } = newChat(true, { drafts, start: () => start.promise });
    const sent = chat.send('hello');
    await drafts.settled();
    expect(await book().read('new-test')).toMatchObject({ text: 'hello', attachments: [] });
    start.resolve({ type: 'notFound', search: { tried: [] } });
    await sent;
    await drafts.settled();
  });

  it('are on disk while they wait, and gone once the agent begins', async () => {
    const drafts = book();
    const { peer } = await busy(drafts);
    expect(await readdir(folder)).toEqual([`${sessionId}.${process.pid}.outgoing.json`]);
    const second = peer.heard.filter(frame => frame.type === 'user').at(-1);
    peer.say({
      type: 'command_lifecycle',
      state: 'started',
      command_uuid: second?.uuid,
      session_id: sessionId,
      uuid: 'l',
    });
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  it('come back once when the process dies', async () => {
    const drafts = book();
    const { peer, posts, paint } = await busy(drafts);
    peer.close({ reason: 'exited', signal: 'SIGKILL' });
    await paint();
    await drafts.settled();
    const given = posts.filter(message => message.type === 'composer');
    expect(given).toEqual([{ type: 'composer', action: { type: 'giveBack', text: 'second', attachments: [] } }]);
    expect(await book().read(sessionId)).toMatchObject({ text: 'second', attachments: [] });
  });

  it('come back to the composer when the person stops the turn', async () => {
    const drafts = book();
    const { chat, peer, posts, send, paint } = await busy(drafts);
    send('third');
    await paint();
    const asked: unknown[] = [];
    peer.onHeard = frame => {
      if (frame.type !== 'control_request') return;
      asked.push(frame.request);
      const cancelled = letGo(peer, 'second', 'third');
      peer.say(success(frame.request_id, { still_queued: [], cancelled }));
    };
    chat.onMessage({ type: 'stop' });
    await paint();
    await drafts.settled();
    expect(asked).toEqual([{ subtype: 'interrupt', cancel_queued: true }]);
    expect(given(posts)).toEqual(['second\n\nthird']);
    expect(await book().read(sessionId)).toMatchObject({ text: 'second\n\nthird' });
    expect(chat.session?.openPrompts.map(prompt => prompt.text)).toEqual(['first']);
  });

  it('come back when the agent lets go of them and ends before it has answered', async () => {
    for (const type of ['stop', 'editQueued', 'cancelQueued', 'sendQueuedNow'] as const) {
      const drafts = book();
      const { chat, peer, posts, paint, told } = await busy(drafts);
      peer.onHeard = frame => {
        if (frame.type !== 'control_request') return;
        letGo(peer, 'second');
        peer.close({ reason: 'exited', signal: 'SIGKILL' });
      };
      chat.onMessage(type === 'stop' ? { type } : { type, id: idOf(peer, 'second') });
      await paint();
      await drafts.settled();
      expect(given(posts), type).toEqual(['second']);
      expect(await book().read(sessionId), type).toMatchObject({ text: 'second' });
      expect(told, type).toHaveLength(1);
      await rm(folder, { recursive: true });
    }
  });

  it('come back as far as an older agent has let go of them one by one', async () => {
    const drafts = book();
    const { chat, peer, posts, send, paint } = await busy(drafts);
    send('third');
    await paint();
    const [second, third] = [idOf(peer, 'second'), idOf(peer, 'third')];
    peer.onHeard = frame => {
      if (frame.type !== 'control_request') return;
      const { request, request_id: id } = frame;
      if (request.subtype === 'interrupt') peer.say(success(id, { still_queued: [second, third] }));
      else if (request.subtype === 'cancel_async_message' && request.message_uuid === second)
        peer.say(success(id, { cancelled: true }));
      else peer.say({ type: 'control_response', response: { subtype: 'error', request_id: id, error: 'not now' } });
    };
    chat.onMessage({ type: 'stop' });
    await paint();
    await drafts.settled();
    expect(given(posts)).toEqual(['second']);
    expect(chat.session?.openPrompts.map(prompt => prompt.text)).toEqual(['first', 'third']);
  });

  it('go back to their own conversation when another one is shown before the agent has answered', async () => {
    for (const type of ['stop', 'editQueued'] as const) {
      const drafts = book();
      const { chat, peer, posts, paint } = await busy(drafts);
      const requests: string[] = [];
      peer.onHeard = frame => {
        if (frame.type === 'control_request') requests.push(frame.request_id);
      };
      peer.onStop = () => undefined;
      chat.onMessage(type === 'stop' ? { type } : { type, id: idOf(peer, 'second') });
      const cancelled = letGo(peer, 'second');
      void chat.newSession();
      await paint();
      for (const id of requests) {
        peer.say(success(id, type === 'stop' ? { still_queued: [], cancelled } : { cancelled: true }));
      }
      await paint();
      await drafts.settled();
      expect(given(posts), type).toEqual([]);
      expect(await book().read(sessionId), type).toMatchObject({ text: 'second' });
      expect(await book().read('new-test'), type).toEqual(nothing);
      peer.close({ reason: 'stopped' });
      await paint();
      await drafts.settled();
      await rm(folder, { recursive: true });
    }
  });

  it('come back once when the session is closed before a stop is answered', async () => {
    const drafts = book();
    const { chat, peer, posts, paint } = await busy(drafts);
    const cancelled = [idOf(peer, 'second')];
    const session = chat.session;
    peer.onHeard = () => undefined;
    chat.onMessage({ type: 'stop' });
    void session?.stop();
    await paint();
    letGo(peer, 'second');
    const ids = peer.heard.flatMap(frame =>
      frame.type === 'control_request' && frame.request.subtype === 'interrupt' ? [frame.request_id] : [],
    );
    for (const id of ids) peer.say(success(id, { still_queued: [], cancelled }));
    peer.close({ reason: 'stopped' });
    await session?.ended;
    await paint();
    await drafts.settled();
    expect(given(posts)).toEqual(['second']);
    expect(await book().read(sessionId)).toMatchObject({ text: 'second' });
  });

  it('are gone when the person takes them back for good', async () => {
    const drafts = book();
    const { chat, peer, posts, paint } = await busy(drafts);
    peer.onHeard = frame => {
      if (frame.type !== 'control_request') return;
      letGo(peer, 'second');
      peer.say(success(frame.request_id, { cancelled: true }));
    };
    chat.onMessage({ type: 'cancelQueued', id: idOf(peer, 'second') });
    await paint();
    await drafts.settled();
    expect(given(posts)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are not sent into another session than the one they were typed for, and its draft stays', async () => {
    const drafts = book();
    const { chat, peers, paint } = await busy(drafts);
    await chat.newSession();
    chat.onMessage({ type: 'draft', key: 'new-test', text: 'a draft', revision: 1 });
    await paint();
    const answer = await chat.onRequest({ name: 'send', key: sessionId, text: 'late', attachments: [], now: false });
    await paint();
    await drafts.settled();
    expect(answer).toEqual({ problem: expect.stringContaining('another session is open') as unknown });
    expect(prompts(peers[1])).toEqual([]);
    expect(await book().read('new-test')).toMatchObject({ text: 'a draft' });
  });

  it('do not follow into a session that is begun while earlier words are on their way', async () => {
    const drafts = book();
    const { chat, peers, paint } = await busy(drafts);
    void chat.send('late');
    void chat.newSession();
    await paint();
    await paint();
    await drafts.settled();
    expect(peers.slice(1).flatMap(prompts)).toEqual([]);
    expect((await book().read(sessionId)).text).toContain('late');
  });

  it('stay with their conversation when another one is begun', async () => {
    const drafts = book();
    const { chat, posts, paint } = await busy(drafts);
    await chat.newSession();
    await paint();
    await drafts.settled();
    expect(posts.filter(message => message.type === 'composer')).toEqual([]);
    expect(await book().read(sessionId)).toMatchObject({ text: 'second', attachments: [] });
    expect(await book().read('new-test')).toEqual(nothing);
  });

  it('stay with their conversation when the chat is closed', async () => {
    const drafts = book();
    const { chat, paint } = await busy(drafts);
    chat.dispose();
    await paint();
    expect(await drafts.read(sessionId)).toMatchObject({ text: 'second', attachments: [] });
    await drafts.settled();
  });
});

describe('the deny list', () => {
  const context: ChatContext = {
    onDidChange: () => ({ dispose: () => undefined }),
    chip: () => undefined,
    take: () => undefined,
    remove: () => undefined,
    deniesPath: path => path.endsWith('.pem'),
  };
  const key = { kind: 'file', id: 'a', name: 'key.pem', path: 'certs/key.pem' } as const;

  it('keeps a message with such a file in the composer, and says why', async () => {
    const { chat, peers, paint } = newChat(true, { context });
    const send = (attachments: (typeof key)[]) =>
      chat.onRequest({ name: 'send', key: 'new-test', text: 'Look.', attachments, now: false });
    expect(await send([key])).toEqual({ problem: expect.stringContaining('key.pem is on the deny list') as unknown });
    await paint();
    expect(prompts(peers[0])).toEqual([]);
    expect(await send([])).toEqual({});
    await paint();
    expect(prompts(peers[0])).toHaveLength(1);
  });

  it('keeps a message that mentions such a file in the composer, too', async () => {
    const { chat, peers, paint } = newChat(true, { context });
    for (const text of [
      'See @certs/key.pem',
      '@certs/key.pem, please',
      'See @"my certs/key.pem"',
      '@/etc/key.pem#L1',
    ]) {
      const answer = await chat.onRequest({ name: 'send', key: 'new-test', text, attachments: [], now: false });
      expect(answer, text).toEqual({ problem: expect.stringContaining('key.pem is on the deny list') as unknown });
    }
    const text = 'Write to me@key.pem';
    expect(await chat.onRequest({ name: 'send', key: 'new-test', text, attachments: [], now: false })).toEqual({});
    await paint();
    expect(prompts(peers[0])).toHaveLength(1);
  });

  it('keeps a file out of what a mention is offered', async () => {
    const { chat } = newChat(true, { context });
    const found = [
      { path: 'certs/key.pem', folder: false },
      { path: 'src/key.ts', folder: false },
    ];
    chat.services.completeFile = () => Promise.resolve(found);
    expect(await chat.onRequest({ name: 'completeFile', query: 'key' })).toEqual({ paths: [found[1]] });
  });
});

describe('the chats of a window', () => {
  it('mean the one that a person was in last, and the side bar when that one is gone', () => {
    const chats = new Chats();
    const [sideBar, tab] = [newChat().chat, newChat().chat];
    const place = (active: boolean) => ({ visible: () => true, active: () => active, reveal: () => Promise.resolve() });
    chats.add(sideBar, place(false));
    const closing = chats.add(tab, place(true));
    expect(chats.active).toBe(tab);
    // The tab is still the active editor while a person types in the side bar.
    chats.focused(sideBar);
    expect(chats.active).toBe(sideBar);
    chats.focused(tab);
    expect(chats.active).toBe(tab);
    closing.dispose();
    expect(chats.active).toBe(sideBar);
    chats.focused(tab);
    expect(chats.active).toBe(sideBar);
  });
});
