import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../../src/bridge/hostMessages.ts';
import { englishStrings } from '../../../../src/bridge/strings.ts';
import type { ToolView } from '../../../../src/bridge/viewItem.ts';
import { Chat } from '../../../../src/host/chat/chat.ts';
import type { ChatServices } from '../../../../src/host/chat/chatServices.ts';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import { ChatProposals } from '../../../../src/host/permissions/chatProposals.ts';
import type { FileOnDisk } from '../../../../src/host/permissions/fileOnDisk.ts';
import { DraftBook } from '../../../../src/host/sessions/draftBook.ts';
import { PastSessions } from '../../../../src/host/sessions/pastSessions.ts';
import type { StartOutcome, StartRequest } from '../../../../src/host/sessions/sessionStarter.ts';
import { AgentSession } from '../../../../src/session/agentSession.ts';
import { AcceptedChanges } from '../../../../src/session/proposal/acceptedChanges.ts';
import { absentFile } from '../../../../src/session/proposal/presentFile.ts';
import { SessionStore } from '../../../../src/session/store/sessionStore.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { ManualClock, MemoryLog, requestOf, success } from '../../session/sessionKit.ts';
import { fill } from '../chat/fill.ts';
import { MemoryStage, onDisk } from './kit.ts';

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'));

/** A chat with its proposals over a line in memory: everything but VS Code and the agent. */
async function chatWith(read: () => Promise<FileOnDisk>) {
  const clock = new ManualClock();
  const logger = new MemoryLog();
  const { host, peer } = memoryLine();
  const stage = new MemoryStage();
  const changes = new AcceptedChanges();
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const start = ({ transcript, cwd }: StartRequest): Promise<StartOutcome> => {
    const session = new AgentSession({ transport: host, transcript, cwd, clock, logger });
    session.start().catch((error: unknown) => logger.debug(String(error)));
    const answer = { commands: [], models: [], current_permission_mode: 'default' };
    peer.say(success(requestOf(peer, 'initialize').request_id, answer));
    return Promise.resolve({ type: 'started', session });
  };
  const services: ChatServices = {
    ...{ openFile: unused, openLink: unused, copy: unused, insertAtCursor: unused, completeFile: unused },
    ...{ openSettings: unused, signIn: unused, diagnose: unused, showLog: () => undefined, tell },
  };
  const chat = new Chat({
    ...{ cwd: '/project', start, services, logger, clock, changeNotes: changes, t: fill },
    strings: () => englishStrings,
    drafts: new DraftBook('/nonexistent', logger),
    draftKey: 'new-test',
    past: new PastSessions(new SessionStore(new DiskSessionFiles('/nonexistent'))),
    viewOptions: () => ({ sendKey: 'enter', placement: 'sideBar' }),
    initial: () => ({ model: '', mode: 'default' }),
    shaper: fail =>
      new ChatProposals({
        ...{ name: 'chat', cwd: '/project', stage, read, fail, tell, logger, t: fill },
        open: () => 'automatically',
      }),
  });
  await chat.ensureSession();
  const askAbout = async (id: string, toolName: string, input: unknown, more: object = {}): Promise<void> => {
    const request = { subtype: 'can_use_tool', tool_name: toolName, tool_use_id: `use-${id}`, input, ...more };
    peer.say({ type: 'control_request', request_id: id, request });
    await settled();
  };
  const ask = (id: string): Promise<void> =>
    askAbout(id, 'Edit', { file_path: '/project/a.txt', old_string: 'two\n', new_string: 'zwei\n' });
  /** The card of a question as the view gets it. */
  const card = async (id: string): Promise<ToolView | undefined> => {
    const posts: HostMessage[] = [];
    const page = chat.attach(message => posts.push(message));
    chat.greet();
    await settled();
    page.dispose();
    const snapshot = posts.find(message => message.type === 'snapshot');
    const item = snapshot?.items.find(one => one.kind === 'tool' && one.id === `use-${id}`);
    return item?.kind === 'tool' ? item : undefined;
  };
  const answers = () => peer.heard.filter(frame => frame.type === 'control_response');
  return { chat, stage, changes, told, ask, askAbout, card, answers, peer };
}

const absent: FileOnDisk = { file: absentFile(), writable: true };
const file = (): Promise<FileOnDisk> => Promise.resolve(onDisk('one\ntwo\nthree\n'));

describe('a chat with proposals', () => {
  it('sends what the right side holds, and keeps the note for the agent', async () => {
    const { chat, stage, changes, ask, answers } = await chatWith(file);
    await ask('q1');
    stage.type('chat-1', 'one\ndeux\nthree\n');
    await chat.questions.answer('q1', { type: 'allow' });
    expect(answers()).toMatchObject([
      { response: { request_id: 'q1', response: { behavior: 'allow', updatedInput: { new_string: 'deux\n' } } } },
    ]);
    expect(changes.take('use-q1')).toContain('+deux');
    expect(stage.open.size).toBe(0);
  });

  it('keeps no note when nothing was changed or the question was gone', async () => {
    const { chat, changes, ask, peer, told } = await chatWith(file);
    await ask('q1');
    await chat.questions.answer('q1', { type: 'allow' });
    await ask('q2');
    peer.say({ type: 'control_cancel_request', request_id: 'q2' });
    await chat.questions.answer('q2', { type: 'allow' });
    expect(changes.size).toBe(0);
    expect(told).toEqual(['This question is already answered.']);
  });

  it('forgets the note of a tool that never came to its end', async () => {
    const { chat, stage, changes, ask, peer } = await chatWith(file);
    await ask('q1');
    stage.type('chat-1', 'one\nzwei!\nthree\n');
    await chat.questions.answer('q1', { type: 'allow' });
    expect(changes.size).toBe(1);
    peer.close({ reason: 'exited', signal: 'SIGKILL' });
    await settled();
    expect(changes.size).toBe(0);
  });

  it('takes the diff away when the CLI withdraws the question', async () => {
    const { stage, ask, peer } = await chatWith(file);
    await ask('q1');
    expect(stage.open.size).toBe(1);
    peer.say({ type: 'control_cancel_request', request_id: 'q1' });
    await settled();
    expect(stage.open.size).toBe(0);
  });

  it('takes the diff away with the process', async () => {
    const { stage, ask, peer } = await chatWith(file);
    await ask('q1');
    peer.close({ reason: 'exited', signal: 'SIGKILL' });
    await settled();
    expect(stage.open.size).toBe(0);
  });

  it('answers with an error, neither yes nor no, when a question cannot be shown', async () => {
    const { ask, answers, told } = await chatWith(() => Promise.reject(new Error('the disk is on fire')));
    await ask('q1');
    expect(answers()).toMatchObject([
      { response: { subtype: 'error', request_id: 'q1', error: 'the disk is on fire' } },
    ]);
    expect(told).toEqual(['A question of the agent could not be shown and was not answered: the disk is on fire']);
  });

  it('answers a question without anything to ask with an error, not with a skip', async () => {
    const { peer, answers, told } = await chatWith(file);
    const request = {
      subtype: 'can_use_tool',
      tool_name: 'AskUserQuestion',
      tool_use_id: 'u',
      input: { questions: 7 },
    };
    peer.say({ type: 'control_request', request_id: 'q1', request });
    await settled();
    expect(answers()).toMatchObject([{ response: { subtype: 'error', request_id: 'q1' } }]);
    expect(told).toHaveLength(1);
  });

  it('leaves the question open when what the right side holds cannot be handed over', async () => {
    const { chat, stage, ask, answers, told } = await chatWith(file);
    await ask('q1');
    stage.type('chat-1', 'one\ntwo\nthree\n');
    await chat.questions.answer('q1', { type: 'allow' });
    expect(answers()).toEqual([]);
    expect(told).toHaveLength(1);
    await chat.questions.answer('q1', { type: 'deny', reason: 'no', stop: false });
    expect(answers()).toHaveLength(1);
  });
});

describe('a question that is out of the ordinary', () => {
  it('about an unknown tool shows its input, and runs exactly that', async () => {
    const { chat, askAbout, card, answers } = await chatWith(file);
    await askAbout('q1', 'Frobnicate', { depth: 3 });
    expect((await card('q1'))?.ask).toMatchObject({ kind: 'permission', editable: { field: 'json' } });
    await chat.questions.answer('q1', { type: 'allow' });
    expect(answers()).toMatchObject([{ response: { response: { behavior: 'allow', updatedInput: { depth: 3 } } } }]);
  });

  it.each([
    ['Write', {}],
    ['Edit', { file_path: 7 }],
    ['Bash', {}],
    ['NotebookEdit', { notebook_path: '/project/a.ipynb' }],
    ['ExitPlanMode', {}],
  ])('from %s with its input missing is still a question, and only a person answers it', async (tool, input) => {
    const { chat, askAbout, card, answers } = await chatWith(file);
    await askAbout('q1', tool, input);
    expect((await card('q1'))?.ask?.askId).toBe('q1');
    expect(answers()).toEqual([]);
    await chat.questions.answer('q1', { type: 'deny', reason: 'no', stop: false });
    expect(answers()).toMatchObject([{ response: { response: { behavior: 'deny', message: 'no' } } }]);
  });

  it.each([
    ['Write', { file_path: '/project/new.txt', content: '0123456789abcde\n'.repeat(655_360) }],
    ['Bash', { command: `echo ${'x'.repeat(10 * 1024 * 1024)}` }],
    ['mcp__files__put', { text: 'x'.repeat(10 * 1024 * 1024) }],
  ])('with 10 MB of input for %s is shown cut and runs whole', async (tool, input) => {
    const { chat, askAbout, card, answers } = await chatWith(() => Promise.resolve(absent));
    await askAbout('q1', tool, input);
    const shown = (await card('q1'))?.card;
    expect(JSON.stringify(shown).length).toBeLessThan(200_000);
    await chat.questions.answer('q1', { type: 'allow' });
    const [answer] = answers();
    // Not by `toEqual`: a difference of 10 MB would take minutes to print.
    expect(JSON.stringify(answer).includes(JSON.stringify(input))).toBe(true);
    expect(JSON.stringify(answer)).toContain('"behavior":"allow"');
  });

  it('cannot hide or turn around what it says, neither in names nor in reasons', async () => {
    const { askAbout, card } = await chatWith(file);
    const evil = 'safe\u001b[8m hidden\u001b[0m\u202egnp.exe\u0000';
    await askAbout('q1', evil, { a: 1 }, { title: evil, description: evil, decision_reason: evil });
    const shown = await card('q1');
    const { title, description, reason } = shown?.ask ?? {};
    for (const text of [shown?.name, title, description, reason?.text]) {
      expect(text).toContain('hidden');
      expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
    }
  });

  it('is denied once, with its diff gone, when its session is left for a new one', async () => {
    const { chat, stage, ask, answers } = await chatWith(file);
    await ask('q1');
    await ask('q2');
    void chat.newSession();
    await settled();
    await settled();
    expect(answers()).toMatchObject([
      { response: { request_id: 'q1', response: { behavior: 'deny', interrupt: true } } },
      { response: { request_id: 'q2', response: { behavior: 'deny', interrupt: true } } },
    ]);
    expect(stage.open.size).toBe(0);
  });
});
