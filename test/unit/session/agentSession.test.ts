import { describe, expect, it } from 'vitest';
import { SessionError } from '../../../src/session/errors.ts';
import type { UndeliveredPrompt } from '../../../src/session/prompt.ts';
import { TransportError } from '../../../src/protocol/transport.ts';
import {
  ask,
  assistant,
  cancel,
  failure,
  init,
  lifecycle,
  newSession,
  promptsOf,
  readySession,
  requestOf,
  requestsOf,
  result,
  settle,
  success,
  system,
} from './sessionKit.ts';

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the start', () => {
  it('does nothing before it is asked to', () => {
    const { session, peer } = newSession();
    expect(peer.heard).toEqual([]);
    expect(session.state).toEqual({ type: 'starting' });
  });

  it('is ready when initialize is answered, and knows what the answer said', async () => {
    const { session, states } = await readySession(
      {},
      {
        commands: [{ name: 'compact', description: 'd', argumentHint: '' }],
        agents: [{ name: 'Explore', description: 'looks' }],
        models: [{ value: 'default', displayName: 'Default', description: '', supportedEffortLevels: ['low', 'high'] }],
        account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
        pid: 42,
        claude_code_version: '2.1.326',
        current_permission_mode: 'acceptEdits',
        capabilities: ['x_v1'],
      },
    );
    expect(states).toEqual(['starting', 'idle']);
    expect(session.info).toMatchObject({
      pid: 42,
      mode: 'acceptEdits',
      cliVersion: '2.1.326',
      loggedIn: true,
      models: [{ value: 'default', effortLevels: ['low', 'high'] }],
      agents: [{ name: 'Explore' }],
      commands: [{ name: 'compact' }],
    });
    expect(session.info.capabilities.has('x_v1')).toBe(true);
  });

  it('knows before the first prompt that nobody is signed in', async () => {
    const { session } = await readySession({}, { commands: [], account: { tokenSource: 'none' } });
    expect(session.info.loggedIn).toBe(false);
  });

  it('takes prompts before initialize is answered, even before the line is open, in order', async () => {
    const { session, peer } = newSession();
    session.prompt('first');
    const started = session.start();
    session.prompt('second');
    expect(peer.heard.map(frame => frame.type)).toEqual(['control_request', 'user', 'user']);
    peer.say(success(requestOf(peer, 'initialize').request_id, { commands: [] }));
    await started;
    expect(session.state).toMatchObject({ type: 'working' });
  });

  it('goes on with a CLI that does not know initialize', async () => {
    const { session, peer } = newSession();
    const started = session.start();
    peer.say(failure(requestOf(peer, 'initialize').request_id, 'no', 'unsupported_request'));
    await started;
    expect(session.state).toEqual({ type: 'idle' });
  });

  it.each([
    [
      'is refused',
      (made: ReturnType<typeof newSession>) => {
        made.peer.say(failure(requestOf(made.peer, 'initialize').request_id, 'bad schema'));
      },
      'bad schema',
    ],
    ['is never answered', (made: ReturnType<typeof newSession>) => made.clock.advance(180_000), 'No answer'],
  ])('fails, and ends the process, when initialize %s', async (_how, act, message) => {
    const made = newSession();
    const started = made.session.start();
    act(made);
    await expect(started).rejects.toThrow(message);
    expect(made.session.state).toMatchObject({ type: 'stopped', reason: { code: 'failedToStart' } });
  });

  it('happens once', async () => {
    const { session } = await readySession();
    await expect(session.start()).rejects.toMatchObject({ code: 'invalidState' });
  });
});

it('takes up missed questions after a gap in the line, and none twice', async () => {
  const { session, peer } = await readySession();
  peer.say(ask('r1'));
  const synced = session.resync();
  const { request_id } = requestOf(peer, 'initialize');
  peer.say(success(request_id, { commands: [] }, { pending_permission_requests: [ask('r1'), ask('r2')] }));
  await synced;
  expect(session.desk.asks.map(each => each.id)).toEqual(['r1', 'r2']);
});

describe('a turn', () => {
  it('runs from the prompt to the result', async () => {
    const { session, peer, states, clock } = await readySession();
    clock.advance(500);
    const { uuid, done } = session.prompt('go');
    expect(session.state).toEqual({ type: 'working', since: 1_500, promptIds: [uuid] });
    for (const frame of [lifecycle(uuid, 'queued'), lifecycle(uuid, 'started'), init(), assistant('hi')])
      peer.say(frame);
    expect(session.state.type).toBe('working');
    peer.say(result({ user_message_uuids: [uuid] }));
    expect(session.state).toEqual({ type: 'idle' });
    peer.say(lifecycle(uuid, 'completed'));
    expect(await done).toBe('completed');
    expect(states.at(-1)).toBe('idle');
  });

  it('is not reopened by frames after its result, only by a new init or a prompt taken up', async () => {
    const { session, peer } = await readySession();
    const { uuid } = session.prompt('go');
    for (const frame of [lifecycle(uuid, 'started'), init(), result({ user_message_uuids: [uuid] })]) peer.say(frame);
    for (const frame of [
      lifecycle(uuid, 'completed'),
      assistant('late'),
      system('status', { status: 'requesting' }),
      { type: 'prompt_suggestion', suggestion: 'next?', session_id: 's1' },
      system('task_progress', { task_id: 't', description: 'd' }),
    ]) {
      peer.say(frame);
      expect(session.state.type).toBe('idle');
    }
    peer.say(init());
    expect(session.state.type).toBe('working');
  });

  it('nobody asked for starts and ends the busy state', async () => {
    const { session, peer } = await readySession();
    peer.say(init());
    expect(session.state).toMatchObject({ type: 'working', promptIds: [] });
    peer.say(assistant('the task is done'));
    peer.say(result({ origin: { kind: 'task-notification' } }));
    expect(session.state).toEqual({ type: 'idle' });
  });

  it('that the CLI itself reports as running or idle is believed', async () => {
    const { session, peer } = await readySession();
    peer.say(system('session_state_changed', { state: 'running' }));
    expect(session.state.type).toBe('working');
    peer.say(system('session_state_changed', { state: 'idle' }));
    expect(session.state.type).toBe('idle');
  });

  it('does not end with an unknown frame, and unknown words change nothing', async () => {
    const { session, peer } = await readySession();
    peer.say(init());
    peer.say({ type: 'telepathy', session_id: 's1' });
    peer.say(system('session_state_changed', { state: 'dreaming' }));
    peer.say(lifecycle('x', 'dreaming'));
    expect(session.state.type).toBe('working');
  });

  it('ends for an older CLI that says nothing about its queue', async () => {
    const { session, peer } = await readySession();
    const prompts = [session.prompt('a'), session.prompt('b')];
    peer.say(init());
    peer.say(result());
    expect(session.state.type).toBe('idle');
    expect(await Promise.all(prompts.map(prompt => prompt.done))).toEqual(['completed', 'completed']);
  });

  it('counts as waiting while a question is open, and goes on after it', async () => {
    const { session, peer, states } = await readySession();
    peer.say(init());
    peer.say(ask('r1'));
    expect(session.state).toMatchObject({ type: 'awaitingPermission', askIds: ['r1'] });
    peer.say(cancel('r1'));
    expect(session.state.type).toBe('working');
    expect(states).toEqual(['starting', 'idle', 'working', 'awaitingPermission', 'working']);
  });
});

describe('prompts', () => {
  it('go out, and their turns end, also when whoever draws the conversation fails', async () => {
    const { session, peer } = await readySession();
    session.transcript.onDidChange(() => {
      throw new Error('cannot draw this');
    });
    const { uuid, done } = session.prompt('hello');
    expect(promptsOf(peer)).toHaveLength(1);
    peer.say(lifecycle(uuid, 'started'));
    peer.say(init());
    peer.say(result());
    peer.say(lifecycle(uuid, 'completed'));
    expect(await done).toBe('completed');
    expect(session.state).toEqual({ type: 'idle' });
  });

  it('go out with a fresh v4 uuid each and as typed by a person', async () => {
    const { session, peer } = await readySession();
    const handles = [session.prompt('a'), session.prompt('a', { priority: 'later' })];
    const [first, second] = promptsOf(peer);
    expect(new Set(handles.map(handle => handle.uuid)).size).toBe(2);
    expect(first).toMatchObject({
      uuid: handles[0]?.uuid,
      origin: { kind: 'human' },
      session_id: '',
      parent_tool_use_id: null,
      message: { role: 'user', content: [{ type: 'text', text: 'a' }] },
    });
    expect(first?.uuid).toMatch(v4);
    expect(second).toMatchObject({ priority: 'later' });
  });

  it('sent while busy are queued, started and completed by the word of the CLI', async () => {
    const { session, peer } = await readySession();
    const a = session.prompt('a');
    for (const frame of [lifecycle(a.uuid, 'queued'), lifecycle(a.uuid, 'started'), init()]) peer.say(frame);
    const b = session.prompt('b');
    peer.say(lifecycle(b.uuid, 'queued'));
    expect(session.openPrompts.map(prompt => [prompt.text, prompt.state])).toEqual([
      ['a', 'started'],
      ['b', 'queued'],
    ]);
    expect(session.transcript.find(b.uuid)).toMatchObject({ kind: 'prompt', state: 'queued' });
    peer.say(result({ user_message_uuids: [a.uuid] }));
    expect(session.state).toMatchObject({ type: 'working', promptIds: [b.uuid] });
    for (const frame of [lifecycle(a.uuid, 'completed'), lifecycle(b.uuid, 'started'), init()]) peer.say(frame);
    peer.say(result({ user_message_uuids: [b.uuid] }));
    peer.say(lifecycle(b.uuid, 'completed'));
    expect(session.state.type).toBe('idle');
    expect(await Promise.all([a.done, b.done])).toEqual(['completed', 'completed']);
  });

  it('folded into a running turn make no second one', async () => {
    const { session, peer, states } = await readySession();
    const a = session.prompt('a');
    for (const frame of [lifecycle(a.uuid, 'started'), init()]) peer.say(frame);
    const b = session.prompt('b');
    for (const state of ['queued', 'started', 'completed']) peer.say(lifecycle(b.uuid, state));
    expect(await b.done).toBe('completed');
    expect(session.state).toMatchObject({ type: 'working', promptIds: [a.uuid] });
    peer.say(result({ user_message_uuids: [a.uuid, b.uuid] }));
    expect(session.state.type).toBe('idle');
    expect(states.filter(state => state === 'idle')).toHaveLength(2);
  });

  it('are taken back from the queue unless it is too late', async () => {
    const { session, peer } = await readySession();
    const a = session.prompt('a');
    peer.say(lifecycle(a.uuid, 'queued'));
    const tooLate = session.cancelQueued(a.uuid);
    peer.say(success(requestOf(peer, 'cancel_async_message').request_id, { cancelled: false }));
    expect(await tooLate).toBe(false);
    const inTime = session.cancelQueued(a.uuid);
    peer.say(lifecycle(a.uuid, 'cancelled'));
    peer.say(success(requestOf(peer, 'cancel_async_message').request_id, { cancelled: true, message_uuid: a.uuid }));
    expect(await inTime).toBe(true);
    expect(await a.done).toBe('cancelled');
    expect(session.state.type).toBe('idle');
  });

  it('the CLI never began with come back whole when it dies, those it began with do not', async () => {
    const { session, peer } = await readySession();
    const lost: UndeliveredPrompt[] = [];
    session.onDidNotDeliver(prompts => lost.push(...prompts));
    const started = session.prompt('started');
    for (const frame of [lifecycle(started.uuid, 'started'), init()]) peer.say(frame);
    const queued = session.prompt('queued');
    peer.say(lifecycle(queued.uuid, 'queued'));
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;
    const sent = session.prompt([{ type: 'text', text: 'look' }, image]);
    peer.close({ signal: 'SIGKILL' });
    expect(lost.map(prompt => prompt.text)).toEqual(['queued', 'look']);
    expect(lost[1]?.content).toEqual([{ type: 'text', text: 'look' }, image]);
    expect(await Promise.all([started.done, queued.done, sent.done])).toEqual([
      'cancelled',
      'undelivered',
      'undelivered',
    ]);
  });

  it('that cannot be written, or come after the end, come back too', async () => {
    const { session, peer } = await readySession();
    const lost: string[] = [];
    session.onDidNotDeliver(prompts => lost.push(...prompts.map(prompt => prompt.text)));
    peer.refuseWrites(new TransportError('writeFailed', 'EPIPE'));
    const refused = session.prompt('refused');
    expect(await refused.done).toBe('undelivered');
    expect(session.state.type).toBe('idle');
    peer.close({ exitCode: 0 });
    expect(await session.prompt('late').done).toBe('undelivered');
    expect(lost).toEqual(['refused', 'late']);
  });

  it('have begun when their turn fails, also if the CLI says nothing about its queue', async () => {
    const { session, peer } = await readySession();
    const a = session.prompt('a');
    const b = session.prompt('b');
    peer.say(init());
    peer.say(result({ is_error: true }));
    expect([await a.begun, await a.done]).toEqual([true, 'cancelled']);
    // Nobody knows whether it was part of that turn: its words are not given up.
    expect([await b.begun, await b.done]).toEqual([false, 'cancelled']);
  });

  it('that wait in the queue when the chat is closed come back', async () => {
    const { session, peer } = await readySession();
    const lost: string[] = [];
    session.onDidNotDeliver(prompts => lost.push(...prompts.map(prompt => prompt.text)));
    const a = session.prompt('a');
    for (const frame of [lifecycle(a.uuid, 'started'), init()]) peer.say(frame);
    const b = session.prompt('b');
    peer.say(lifecycle(b.uuid, 'queued'));
    const stopped = session.stop();
    peer.say(lifecycle(b.uuid, 'cancelled'));
    peer.say(success(requestOf(peer, 'interrupt').request_id, { still_queued: [], cancelled: [b.uuid] }));
    peer.say(result({ is_error: true, user_message_uuids: [a.uuid] }));
    expect(await stopped).toEqual({ code: 'asked' });
    expect(lost).toEqual(['b']);
    expect(await b.done).toBe('undelivered');
  });
});

describe('an interrupt', () => {
  it('tells what is still queued and what was cancelled, leaving out ids it does not know', async () => {
    const { session, peer } = await readySession();
    const a = session.prompt('a');
    const b = session.prompt('b');
    const plain = session.interrupt();
    const answer = { still_queued: [a.uuid, 'stranger'] };
    peer.say(success(requestOf(peer, 'interrupt').request_id, answer));
    expect(await plain).toEqual({ stillQueued: [a.uuid], cancelled: [] });
    const all = session.interrupt({ cancelQueued: true });
    expect(requestOf(peer, 'interrupt').request).toMatchObject({ cancel_queued: true });
    for (const { uuid } of [a, b]) peer.say(lifecycle(uuid, 'cancelled'));
    peer.say(success(requestOf(peer, 'interrupt').request_id, { still_queued: [], cancelled: [a.uuid, b.uuid, 'x'] }));
    expect((await all).cancelled.map(prompt => prompt.text)).toEqual(['a', 'b']);
    expect(session.state.type).toBe('idle');
  });

  it('cancels one by one where the CLI cannot drop the queue with the turn', async () => {
    const { session, peer } = await readySession();
    const a = session.prompt('a');
    peer.say(lifecycle(a.uuid, 'queued'));
    const done = session.interrupt({ cancelQueued: true });
    peer.say(success(requestOf(peer, 'interrupt').request_id, { still_queued: [a.uuid] }));
    await settle();
    peer.say(success(requestOf(peer, 'cancel_async_message').request_id, { cancelled: true }));
    expect(await done).toMatchObject({ stillQueued: [], cancelled: [{ uuid: a.uuid, text: 'a' }] });
  });

  it('closes the open question before it is acknowledged, and nothing is answered', async () => {
    const { session, peer } = await readySession();
    peer.say(init());
    peer.say(ask('r1'));
    const done = session.interrupt();
    peer.say(cancel('r1'));
    peer.say(success(requestOf(peer, 'interrupt').request_id, { still_queued: [] }));
    await done;
    expect(session.desk.asks).toEqual([]);
    expect(peer.heard.filter(frame => frame.type === 'control_response')).toEqual([]);
    peer.say(result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' }));
    expect(session.state.type).toBe('idle');
  });
});

describe('what is known', () => {
  it('has one mode, whoever changed it', async () => {
    const { session, peer } = await readySession();
    peer.say(system('status', { status: null, permissionMode: 'plan' }));
    expect(session.info.mode).toBe('plan');
    peer.say(init({ permissionMode: 'acceptEdits' }));
    expect(session.info.mode).toBe('acceptEdits');
    const set = session.settings.setPermissionMode('manual');
    expect(session.info.mode).toBe('acceptEdits');
    peer.say(success(requestOf(peer, 'set_permission_mode').request_id, { mode: 'default' }));
    await set;
    expect(session.info.mode).toBe('default');
  });

  it('keeps the mode when a change is refused, and says so again for the picker', async () => {
    const { session, peer } = await readySession();
    const told: string[] = [];
    session.onDidChangeInfo(info => told.push(info.mode));
    const set = session.settings.setPermissionMode('bypassPermissions');
    peer.say(failure(requestOf(peer, 'set_permission_mode').request_id, 'not launched', 'bypass_not_launched'));
    await expect(set).rejects.toMatchObject({ code: 'refused', wireCode: 'bypass_not_launched' });
    expect(told).toEqual(['default']);
  });

  it('has the model the CLI resolved, and the old one when the new is refused', async () => {
    const { session, peer } = await readySession();
    const set = session.settings.setModel('haiku');
    peer.say(success(requestOf(peer, 'set_model').request_id, { model: 'model-h' }));
    await set;
    expect(session.info.model).toBe('model-h');
    const bad = session.settings.setModel('nonsense');
    peer.say(failure(requestOf(peer, 'set_model').request_id, 'not found', 'not_found'));
    await expect(bad).rejects.toMatchObject({ code: 'refused' });
    expect(session.info.model).toBe('model-h');
  });

  it('has the model and the effort in force before the first turn', async () => {
    const { session, peer } = await readySession();
    expect(session.info.model).toBeUndefined();
    peer.say(success(requestOf(peer, 'get_settings').request_id, { applied: { model: 'model-a', effort: 'medium' } }));
    await settle();
    expect(session.info).toMatchObject({ model: 'model-a', effort: 'medium' });
  });

  it('has the effort the CLI took, and an error when it took another', async () => {
    const { session, peer } = await readySession();
    const change = async (wish: string | null, applied: object): Promise<void> => {
      const set = session.settings.setEffort(wish);
      expect(requestOf(peer, 'apply_flag_settings').request).toMatchObject({ settings: { effortLevel: wish } });
      peer.say(success(requestOf(peer, 'apply_flag_settings').request_id));
      await settle();
      peer.say(success(requestOf(peer, 'get_settings').request_id, { applied }));
      await set;
    };
    await change('high', { effort: 'high' });
    expect(session.info.effort).toBe('high');
    await expect(change('bogus', { effort: 'medium' })).rejects.toMatchObject({ code: 'refused' });
    expect(session.info.effort).toBe('medium');
    await change(null, { effort: null });
    expect(session.info.effort).toBeUndefined();
  });

  it('changes only when something changed', async () => {
    const { session, peer } = await readySession();
    peer.say(init());
    const before = session.info;
    peer.say(init());
    expect(session.info).toBe(before);
  });

  it('takes the new session id from later frames when the conversation was reset', async () => {
    const { session, peer } = await readySession();
    peer.say(init());
    peer.say(system('session_title_changed', { title: 'old' }));
    peer.say({ type: 'conversation_reset', new_conversation_id: 'not-the-session', session_id: 's1', uuid: 'u' });
    peer.say(system('background_tasks_changed', { tasks: [] }));
    expect(session.info.sessionId).toBe('s1');
    expect(session.info.title).toBeUndefined();
    peer.say(system('session_title_changed', { title: 'new' }, 's2'));
    expect(session.info.sessionId).toBe('s2');
    expect(session.info.title).toBe('new');
    expect(session.transcript.items).toEqual([]);
  });

  it('replaces the set of background tasks, and empties it with the process', async () => {
    const { session, peer } = await readySession();
    const tasks = (...ids: string[]) =>
      system('background_tasks_changed', {
        tasks: ids.map(id => ({ task_id: id, task_type: 'local_bash', description: id })),
      });
    const running = () => [...session.transcript.tasks.values()].filter(task => task.status === 'running').length;
    peer.say(tasks('a', 'b'));
    expect(running()).toBe(2);
    peer.say(tasks('b'));
    expect(running()).toBe(1);
    peer.close({ exitCode: 0 });
    expect(running()).toBe(0);
  });

  it('has the cost of the newest result, and logs a result that was lost', async () => {
    const { session, peer, log } = await readySession();
    peer.say(result({ total_cost_usd: 1, result_index: 0 }));
    peer.say(result({ total_cost_usd: 3, result_index: 2 }));
    expect(session.transcript.usage.totalCostUsd).toBe(3);
    expect(log.lines.some(line => line.includes('result was lost'))).toBe(true);
  });
});

it('shows no internal frame to transcript or listeners', async () => {
  const { session, peer } = await readySession();
  const seen: string[] = [];
  session.onDidReceiveFrame(frame => seen.push(frame.type));
  peer.say({ type: 'keep_alive' });
  peer.say({ type: 'transcript_mirror', filePath: '/x', entries: [] });
  peer.say({ type: 'env_manager_log', session_id: 's1' });
  peer.say(success('nobody', {}));
  peer.say(assistant('hello'));
  expect(seen).toEqual(['assistant']);
  expect(session.transcript.items).toHaveLength(1);
});

describe('a rewind', () => {
  it('says what a dry run found, and gives both forms of "no" as one', async () => {
    const { session, peer } = await readySession();
    const dry = session.rewindFiles('p1', { dryRun: true });
    expect(requestOf(peer, 'rewind_files').request).toMatchObject({ user_message_id: 'p1', dry_run: true });
    const found = { canRewind: true, filesChanged: ['/project/a.txt'], insertions: 1, deletions: 2 };
    peer.say(success(requestOf(peer, 'rewind_files').request_id, found));
    expect(await dry).toEqual({ ...found, skippedLinks: 0 });
    const off = session.rewindFiles('p1', { dryRun: true });
    peer.say(success(requestOf(peer, 'rewind_files').request_id, { canRewind: false, error: 'not enabled' }));
    expect(await off).toEqual({ canRewind: false, message: 'not enabled' });
    const unknown = session.rewindFiles('p1', { dryRun: false });
    peer.say(failure(requestOf(peer, 'rewind_files').request_id, 'No file checkpoint found'));
    expect(await unknown).toEqual({ canRewind: false, message: 'No file checkpoint found' });
  });
});

describe('the end', () => {
  const reasonAfter = async (act: (made: Awaited<ReturnType<typeof readySession>>) => void) => {
    const made = await readySession();
    act(made);
    const { state } = made.session;
    return state.type === 'stopped' ? state.reason : state;
  };

  it('with exit 1 after a result that was an error is no crash', async () => {
    const reason = await reasonAfter(({ peer }) => {
      peer.say(init());
      peer.say(result({ is_error: true }));
      peer.close({ exitCode: 1 });
    });
    expect(reason).toEqual({ code: 'exited', exitCode: 1, stderrTail: '' });
  });

  it('without a result while a turn runs is a crash, whatever the exit code', async () => {
    const reason = await reasonAfter(({ peer }) => {
      peer.say(init());
      peer.close({ exitCode: 0, stderrTail: 'oops' });
    });
    expect(reason).toEqual({ code: 'crashed', exitCode: 0, stderrTail: 'oops', duringTurn: true });
  });

  it('with exit 1 that no result explains, or by a signal, is a crash', async () => {
    expect(await reasonAfter(({ peer }) => peer.close({ exitCode: 1 }))).toMatchObject({
      code: 'crashed',
      duringTurn: false,
    });
    expect(await reasonAfter(({ peer }) => peer.close({ signal: 'SIGKILL' }))).toMatchObject({ signal: 'SIGKILL' });
    expect(await reasonAfter(({ peer }) => peer.close({ exitCode: 0 }))).toMatchObject({ code: 'exited' });
  });

  it.each([{ exitCode: 143 }, { signal: 'SIGKILL' }])('by our own stop is normal, also as %o', async close => {
    const { session, peer } = await readySession();
    peer.onStop = () => peer.close({ reason: 'exited', ...close });
    expect(await session.stop()).toEqual({ code: 'asked' });
    expect(session.state).toEqual({ type: 'stopped', reason: { code: 'asked' } });
  });

  it('interrupts a running turn first, and waits for its result', async () => {
    const { session, peer } = await readySession();
    peer.say(init());
    let stopped = false;
    peer.onStop = () => {
      stopped = true;
      peer.close({ reason: 'stopped' });
    };
    const done = session.stop();
    peer.say(success(requestOf(peer, 'interrupt').request_id, { still_queued: [] }));
    await settle();
    expect(stopped).toBe(false);
    peer.say(result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' }));
    expect(await done).toEqual({ code: 'asked' });
    expect(stopped).toBe(true);
  });

  it('does not wait for a CLI that does not react', async () => {
    const { session, peer, clock } = await readySession();
    peer.say(init());
    const done = session.stop();
    expect(session.stop()).toBe(done);
    await settle();
    expect(session.state.type).toBe('working');
    clock.advance(2_000);
    expect(await done).toEqual({ code: 'asked' });
    expect(requestsOf(peer.heard, 'interrupt')).toHaveLength(1);
  });

  it('of a resume that was refused tells the text of the CLI', async () => {
    const { session, peer } = newSession({ resuming: true });
    const started = session.start();
    peer.say(result({ subtype: 'error_during_execution', is_error: true, errors: ['No conversation found'] }));
    peer.close({ exitCode: 1, stderrTail: 'No conversation found\n' });
    await expect(started).rejects.toMatchObject({ code: 'closed' });
    expect(session.state).toMatchObject({
      reason: { code: 'resumeFailed', message: 'No conversation found', cutRejected: false },
    });
  });

  it('of a cut that was refused without a frame takes the words from stderr, and says that it was the cut', async () => {
    const { session, peer } = newSession({ resuming: true });
    const started = session.start();
    peer.close({ exitCode: 1, stderrTail: 'warning\nResume rejected by --resume-drops-turn: more would be lost\n' });
    await expect(started).rejects.toMatchObject({ code: 'closed' });
    expect(session.state).toMatchObject({
      reason: {
        code: 'resumeFailed',
        message: 'Resume rejected by --resume-drops-turn: more would be lost',
        cutRejected: true,
      },
    });
  });

  it('before it was ready is a failed start, and a broken line is called so', async () => {
    const early = newSession();
    const started = early.session.start();
    early.peer.close({ exitCode: 1, stderrTail: 'error: unknown option --x\n' });
    await expect(started).rejects.toMatchObject({ code: 'closed' });
    expect(early.session.state).toMatchObject({
      reason: { code: 'failedToStart', message: 'error: unknown option --x', exitCode: 1 },
    });
    const reason = await reasonAfter(({ peer }) => peer.close({ reason: 'broken', detail: 'line too long' }));
    expect(reason).toMatchObject({ code: 'broken', message: 'line too long' });
  });

  it('rejects everything that was asked, once', async () => {
    const { session, peer } = await readySession();
    const asked = [session.settings.setModel('a'), session.interrupt(), session.requests.mcpStatus()];
    peer.close({ exitCode: 0 });
    const codes = await Promise.allSettled(asked);
    expect(
      codes.map(each => each.status === 'rejected' && each.reason instanceof SessionError && each.reason.code),
    ).toEqual(['closed', 'closed', 'closed']);
    expect(await session.ended).toMatchObject({ code: 'exited' });
  });

  it('of a session that was never started stops the line all the same', async () => {
    const { session } = newSession();
    const handle = session.prompt('never sent');
    expect(await session.stop()).toEqual({ code: 'asked' });
    expect(await handle.done).toBe('undelivered');
  });
});
