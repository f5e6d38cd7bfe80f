import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presentItem } from '../../src/host/chat/presentItem.ts';
import { Gate } from '../support/model/gate.ts';
import { fail, say, think, tool } from '../support/model/script.ts';
import { promptOf, toolResultsOf } from '../support/model/request.ts';
import { inMemory, success } from './support/memoryPeer.ts';
import {
  assistant,
  delta,
  init,
  messageStart,
  result,
  said,
  system,
  textStart,
  toolResult,
} from './support/records.ts';
import type { LiveSession } from './support/stage.ts';
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

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const write = (name: string) => tool('Write', { file_path: stage.path(name), content: 'x\n' });
const fetchPage = (host: string, id: string) => tool('WebFetch', { url: `https://${host}.invalid/`, prompt: 'p' }, id);
const promptState = (live: LiveSession, uuid: string) => live.kind('prompt').find(item => item.id === uuid)?.state;

/** A subagent that says one thing; the main thread sends it and later hears of its end. */
function scriptOneAgent(options: { readonly background: boolean; readonly gate?: Gate }): void {
  stage.model.onRequest(request => {
    if (request.kind === 'subagent') {
      const gate = options.gate === undefined ? [] : [options.gate];
      return toolResultsOf(request).length > 0
        ? say('The notes say one.')
        : [say('I look. ', ...gate), tool('Read', { file_path: stage.path('notes.txt') }, 'toolu_inner')];
    }
    if (JSON.stringify(request.messages.at(-1)).includes('<task-notification>')) return say('It has ended.');
    if (toolResultsOf(request).length > 0) return say('It is sent.');
    const input = { description: 'look', prompt: 'look at the notes', subagent_type: 'general-purpose' };
    return tool('Agent', { ...input, run_in_background: options.background }, 'toolu_outer');
  });
}

describe('turns', () => {
  it('S30: a turn ends with its result; what comes after it opens none, the next prompt does', async () => {
    stage.model.enqueue(say('One.'), say('Two.'));
    const live = await stage.open();
    expect(await live.turn('first')).toBe('completed');
    await live.idle();
    const types = live.tap.received.map(frame => frame.type);
    expect(types.slice(types.indexOf('result') + 1)).toContain('command_lifecycle');
    expect(live.states).toEqual(['idle', 'working', 'idle']);
    expect(await live.turn('second')).toBe('completed');
    await live.idle();
    expect(live.states).toEqual(['idle', 'working', 'idle', 'working', 'idle']);
    expect(live.tap.ofType('result')).toHaveLength(2);
  });

  it('S31: a failed request is an error with its text though it is called success; a stop is a stop and never an error', async () => {
    const gate = new Gate();
    stage.model.enqueue(fail(403), say('A long ', gate, 'answer'));
    const live = await stage.open();
    expect(await live.turn('fail')).toBe('cancelled');
    expect(live.tap.ofType('result')[0]).toMatchObject({ subtype: 'success', is_error: true });
    expect(live.notices).toEqual(['turnFailed']);
    expect(JSON.stringify(live.kind('notice'))).toContain('does not have permission');
    void live.turn('stop me');
    await gate.reached;
    await live.sees('the draft', () => live.said.includes('A long'));
    await live.session.interrupt();
    await live.idle();
    expect(live.tap.ofType('result')[1]).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' });
    expect(JSON.stringify(live.tap.ofType('result')[1])).toContain('[ede_diagnostic]');
    expect(live.notices).toEqual(['turnFailed', 'stopped']);
    expect(JSON.stringify(live.items)).not.toContain('ede_diagnostic');
  });

  it('S32: the blocks of one message become its parts in order, and drafts are replaced, not repeated', async () => {
    stage.model.enqueue(
      [
        think('Let me think.'),
        say('First I read what is written in the notes, then I tell.'),
        tool('Read', { file_path: stage.path('notes.txt') }, 'toolu_1'),
      ],
      say('It says one.'),
    );
    const live = await stage.open();
    const grown: string[] = [];
    live.session.transcript.onDidChange(change => {
      if (change.type === 'grew') grown.push(change.item.kind);
    });
    expect(await live.turn('read')).toBe('completed');
    expect(live.items.map(item => item.kind)).toEqual(['prompt', 'thinking', 'text', 'tool', 'text']);
    expect(live.kind('text').map(item => [item.text, item.streaming])).toEqual([
      ['First I read what is written in the notes, then I tell.', false],
      ['It says one.', false],
    ]);
    expect(new Set(grown)).toEqual(new Set(['thinking', 'text']));
    const frames = live.tap.ofType('assistant');
    expect(frames.slice(0, 3).map(frame => frame.message.id)).toEqual(Array(3).fill(frames[0]?.message.id));
  });

  it('S33: a draft that never became final does not stay as if it were still being written', async () => {
    const { session, peer, start, end } = inMemory();
    await start();
    session.prompt('go');
    for (const frame of [init(), messageStart('m1'), textStart(), delta('half a sen')]) peer.say(frame);
    expect(session.transcript.items.at(-1)).toMatchObject({ kind: 'text', streaming: true });
    peer.say(result());
    const left = session.transcript.items.filter(item => item.kind === 'text');
    expect(left.every(item => !item.streaming && item.aborted)).toBe(true);
    await end();
  });

  it('S34: results find their tools by id, also when they come in another order', async () => {
    stage.model.enqueue([fetchPage('first', 'toolu_first'), fetchPage('second', 'toolu_second')], say('Neither.'));
    const live = await stage.open();
    const done = live.turn('fetch');
    for (const question of [...(await live.asks(2))].reverse()) {
      live.session.desk.settle(question.id, { type: 'deny', message: `no ${String(question.toolUseId)}` });
    }
    expect(await done).toBe('completed');
    for (const id of ['toolu_first', 'toolu_second']) {
      expect(JSON.stringify(live.session.transcript.find(id))).toContain(`no ${id}`);
    }
    const { session, peer, start, end } = inMemory();
    await start();
    const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } });
    for (const frame of [init(), said([use('t1'), use('t2')]), result(), init(), assistant('another turn')])
      peer.say(frame);
    for (const id of ['t2', 't1']) peer.say(toolResult(id, `output of ${id}`));
    for (const id of ['t1', 't2']) {
      expect(session.transcript.find(id)).toMatchObject({
        state: 'done',
        resultContent: [{ type: 'text', text: `output of ${id}` }],
      });
    }
    await end();
  });

  it('S35: a structured result may be a string, a list, an object or missing: the tool is shown', async () => {
    const { session, peer, start, end } = inMemory();
    await start();
    const shapes = [
      'Error: Exit code 1\nno',
      [{ type: 'text', text: 'a' }],
      { stdout: 'out', stderr: '' },
      undefined,
      7,
      null,
    ];
    peer.say(init());
    shapes.forEach((shape, index) => {
      peer.say(said([{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: 'x' } }]));
      peer.say(toolResult(`t${index}`, 'told', shape === undefined ? {} : { tool_use_result: shape }));
    });
    const context = {
      t: (message: string) => message,
      cwd: '/project',
      task: () => undefined,
      step: () => undefined,
      ask: () => undefined,
      outcome: () => undefined,
    };
    const views = session.transcript.items.map(item => presentItem(item, context));
    expect(views.map(view => view.kind)).toEqual(shapes.map(() => 'tool'));
    expect(session.transcript.items.map(item => item.kind === 'tool' && item.state)).not.toContain('pending');
    await end();
  });

  it('S36: a heartbeat counts for the tool it stands for', async () => {
    const { session, peer, start, end } = inMemory();
    await start();
    peer.say(init());
    peer.say(said([{ type: 'tool_use', id: 'toolu_real', name: 'Bash', input: { command: 'sleep' } }]));
    peer.say({
      type: 'tool_progress',
      tool_use_id: 'toolu_real-heartbeat-0',
      tool_name: 'Bash',
      parent_tool_use_id: 'toolu_real',
      elapsed_time_seconds: 30,
      heartbeat: true,
      uuid: 'u',
      session_id: 's1',
    });
    expect(session.transcript.items).toHaveLength(1);
    expect(session.transcript.find('toolu_real')).toMatchObject({ elapsedSeconds: 30 });
    await end();
  });

  it('S37: what a subagent does lies under its tool; without a parent it lies at the top', async () => {
    scriptOneAgent({ background: false });
    const live = await stage.open({ flags: { forwardSubagentText: true } });
    expect(await live.turn('send one')).toBe('completed');
    const inside = live.session.transcript.childrenOf('toolu_outer');
    expect(inside.map(item => item.kind)).toEqual(expect.arrayContaining(['tool', 'text']));
    expect(live.session.transcript.find('toolu_inner')).toMatchObject({
      parentToolUseId: 'toolu_outer',
      state: 'done',
    });
    expect(live.items.filter(item => item.kind === 'tool').map(item => item.id)).toEqual(['toolu_outer']);
    const { session, peer, start, end } = inMemory();
    await start();
    for (const frame of [init(), assistant('from nowhere', { parent_tool_use_id: 'toolu_gone' })]) peer.say(frame);
    expect(session.transcript.items).toMatchObject([{ kind: 'text', text: 'from nowhere' }]);
    await end();
  });

  it('S38: a turn nobody asked for makes the session busy and idle again', async () => {
    const gate = new Gate();
    scriptOneAgent({ background: true, gate });
    const live = await stage.open();
    expect(await live.turn('send one')).toBe('completed');
    await live.idle();
    expect(live.states).toEqual(['idle', 'working', 'idle']);
    gate.open();
    await live.sees('the end is told', () => live.said.includes('It has ended.'));
    await live.idle();
    expect(live.states).toEqual(['idle', 'working', 'idle', 'working', 'idle']);
    expect(live.tap.ofType('result').at(-1)).toMatchObject({ origin: { kind: 'task-notification' } });
  });

  it('S39: prompts sent while busy are queued, started and completed; one taken into a running turn makes no turn of its own', async () => {
    const gate = new Gate();
    stage.model.enqueue(say('Slowly ', gate, 'said.'), say('To both.'), write('a.txt'), say('Folded in.'));
    const live = await stage.open();
    const first = live.session.prompt('first');
    await gate.reached;
    const [second, third] = [live.session.prompt('second'), live.session.prompt('third')];
    await live.sees(
      'both are queued',
      () => live.session.openPrompts.filter(prompt => prompt.state === 'queued').length === 2,
    );
    expect(promptState(live, second.uuid)).toBe('queued');
    gate.open();
    expect(await Promise.all([first.done, second.done, third.done])).toEqual(['completed', 'completed', 'completed']);
    expect(live.tap.ofType('result')).toHaveLength(2);
    await live.idle();
    const writing = live.session.prompt('write');
    const question = await live.ask();
    const beside = live.session.prompt('and be quick');
    await live.sees('it waits', () =>
      live.session.openPrompts.some(prompt => prompt.uuid === beside.uuid && prompt.state === 'queued'),
    );
    live.session.desk.settle(question.id, { type: 'allow' });
    expect(await Promise.all([writing.done, beside.done])).toEqual(['completed', 'completed']);
    expect(live.tap.ofType('result')).toHaveLength(3);
    expect(promptState(live, beside.uuid)).toBe('folded');
    await live.idle();
  });

  it('S40: after a stop the queue is what the CLI says it is, without ids nobody here knows', async () => {
    const [one, two] = [new Gate(), new Gate()];
    stage.model.enqueue(say('A ', one), say('The queued one runs.'), say('B ', two));
    const live = await stage.open();
    void live.turn('first');
    await one.reached;
    const queued = live.session.prompt('second');
    await live.sees('it is queued', () => live.session.openPrompts.some(prompt => prompt.state === 'queued'));
    expect(await live.session.interrupt()).toEqual({ stillQueued: [queued.uuid], cancelled: [] });
    expect(await queued.done).toBe('completed');
    await live.idle();
    void live.turn('third');
    await two.reached;
    const dropped = live.session.prompt('fourth');
    await live.sees('it is queued', () =>
      live.session.openPrompts.some(prompt => prompt.uuid === dropped.uuid && prompt.state === 'queued'),
    );
    const outcome = await live.session.interrupt({ cancelQueued: true });
    expect(outcome).toMatchObject({ stillQueued: [], cancelled: [{ uuid: dropped.uuid, text: 'fourth' }] });
    expect(await dropped.done).toBe('cancelled');
    await live.idle();

    const { session, peer, start, idsOf, end } = inMemory();
    await start();
    const interrupted = session.interrupt();
    peer.say(success(idsOf('interrupt')[0] ?? '', { still_queued: ['not-ours'], cancelled: ['not-ours-either'] }));
    expect(await interrupted).toEqual({ stillQueued: [], cancelled: [] });
    await end();
  });

  it('S41: every prompt has an id of its own, also one that is sent again after a crash', async () => {
    const gate = new Gate();
    stage.model.enqueue(say('Whole.'), say('Half ', gate), say('Again.'));
    const live = await stage.open();
    expect(await live.turn('zeroth')).toBe('completed');
    const lost: string[] = [];
    live.session.onDidNotDeliver(prompts => lost.push(...prompts.map(prompt => prompt.text)));
    live.session.prompt('first');
    await gate.reached;
    live.session.prompt('never begun');
    await live.sees('it is queued', () => live.session.openPrompts.some(prompt => prompt.state === 'queued'));
    process.kill(live.pid, 'SIGKILL');
    await live.session.ended;
    expect(lost).toEqual(['never begun']);
    const again = await stage.resume(live.id);
    expect(await again.turn(lost[0] ?? '')).toBe('completed');
    const ids = [live, again].flatMap(each =>
      each.tap.sent.flatMap(frame => (frame.type === 'user' ? [frame.uuid ?? ''] : [])),
    );
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(uuidV4);
  });

  it('S42: the cost is that of the newest result, and a lost result is noted', async () => {
    stage.model.enqueue(say('One.'), say('Two.'));
    const live = await stage.open();
    for (const text of ['a', 'b']) expect(await live.turn(text)).toBe('completed');
    const totals = live.tap.ofType('result').map(frame => frame.total_cost_usd);
    expect(totals).toHaveLength(2);
    expect(totals[1]).toBeGreaterThan(totals[0] ?? Infinity);
    expect(live.session.transcript.usage.totalCostUsd).toBe(totals[1]);
    const { session, peer, start, log, end } = inMemory();
    await start();
    for (const index of [0, 1, 4]) peer.say(result({ result_index: index, total_cost_usd: index + 1 }));
    expect(session.transcript.usage.totalCostUsd).toBe(5);
    expect(log.lines.filter(entry => /result/i.test(entry) && /4/.test(entry)).length).toBeGreaterThan(0);
    await end();
  });

  it('S43: there is one mode, whoever changes it, and a refused change tells the old one again', async () => {
    stage.model.enqueue(tool('EnterPlanMode', {}), say('Planning.'));
    const live = await stage.open();
    expect(live.session.info.mode).toBe('default');
    await live.session.settings.setPermissionMode('acceptEdits');
    expect(live.session.info.mode).toBe('acceptEdits');
    await live.session.requests.getSettings();
    const told: string[] = [];
    live.session.onDidChangeInfo(info => told.push(info.mode));
    await expect(live.session.settings.setPermissionMode('no-such-mode')).rejects.toThrow();
    expect(told).toEqual(['acceptEdits']);
    expect(await live.turn('plan')).toBe('completed');
    expect(live.session.info.mode).toBe('plan');
    expect(live.tap.ofType('result')).toHaveLength(1);
  });

  it('S44: the set of background tasks is replaced whole, and empty once the process is gone', async () => {
    const gate = new Gate();
    scriptOneAgent({ background: true, gate });
    const live = await stage.open();
    expect(await live.turn('send one')).toBe('completed');
    const running = () =>
      [...live.session.transcript.tasks.values()].filter(task => task.background && task.status === 'running');
    await live.sees('the task runs', () => running().length === 1);
    expect(live.tap.system('background_tasks_changed').length).toBeGreaterThan(0);
    process.kill(live.pid, 'SIGKILL');
    await live.session.ended;
    expect(live.session.transcript.tasks.size).toBe(0);
    const { session, peer, start, end } = inMemory();
    await start();
    const task = (task_id: string) => ({ task_id, task_type: 'local_agent', description: task_id });
    const names = () =>
      [...session.transcript.tasks.values()].filter(each => each.status === 'running').map(each => each.taskId);
    peer.say(system('background_tasks_changed', { tasks: [task('a'), task('b')] }));
    expect(names()).toEqual(['a', 'b']);
    peer.say(system('background_tasks_changed', { tasks: [task('b')] }));
    expect(names()).toEqual(['b']);
    peer.say(system('background_tasks_changed', { tasks: [] }));
    expect(names()).toEqual([]);
    await end();
  });

  it('S45: a reset empties the view, and the new id is the one of the frames that follow', async () => {
    stage.model.enqueue(say('Before.'), say('After.'));
    const live = await stage.open();
    expect(await live.turn('first')).toBe('completed');
    const before = live.id;
    expect(await live.turn('/clear')).toBe('completed');
    await live.idle();
    expect(live.said).toBe('');
    const reset = live.tap.ofType('conversation_reset');
    expect(reset).toMatchObject([{ session_id: before }]);
    expect(live.id).not.toBe(before);
    expect(live.id).not.toBe(reset[0]?.new_conversation_id);
    expect(await live.turn('second')).toBe('completed');
    expect(live.said).toBe('After.');
    expect((await stage.transcripts()).sort()).toEqual([before, live.id].sort());
    expect(promptOf(stage.model.conversation.at(-1) ?? neverAsked())).toBe('second');
  });
});

function neverAsked(): never {
  throw new Error('the model was not asked');
}
