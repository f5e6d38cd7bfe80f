import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { HostMessage } from '../../../../src/bridge/hostMessages.ts';
import type { SessionView } from '../../../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../../../src/bridge/viewItem.ts';
import { ConversationFeed } from '../../../../src/host/chat/conversationFeed.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import type { ToolItem } from '../../../../src/session/transcriptModel.ts';
import { nothingYet } from '../../../../webview/store/sync.ts';
import { assistant, frame, init, toolResult, toolUse } from '../../session/transcript/frames.ts';
import { ManualClock } from '../../session/sessionKit.ts';

function newFeed() {
  const clock = new ManualClock();
  const transcript = new Transcript({ clock });
  const posts: HostMessage[] = [];
  const session: SessionView = nothingYet;
  const feed = new ConversationFeed({
    transcript,
    cwd: '/w',
    t: message => message,
    ask: () => undefined,
    session: () => session,
    post: message => posts.push(message),
    clock,
    logger: silentLogger,
  });
  /** What the view knows after the posts so far: the session, and the items as last told. */
  const told = (): { session: SessionView; items: Map<string, ViewItem> } => {
    clock.advance(1_000);
    for (let revision = 1; revision <= posts.length; revision++) feed.acknowledge(revision);
    clock.advance(1_000);
    let last: SessionView = nothingYet;
    const items = new Map<string, ViewItem>();
    for (const post of posts) {
      if (post.type === 'snapshot') {
        last = post.session;
        for (const item of post.items) items.set(item.id, item);
      } else if (post.type === 'patch') {
        for (const op of post.ops) {
          if (op.op === 'session') last = op.session;
          else if (op.op === 'add' || op.op === 'update') items.set(op.item.id, op.item);
        }
      }
    }
    return { session: last, items };
  };
  return { feed, transcript, told };
}

const cardOf = (item: ViewItem | undefined): unknown => (item?.kind === 'tool' ? item.card : undefined);

describe('the list of steps on its way to the view', () => {
  it('is told with each call that changes it, and is one list however many calls there were', () => {
    const { feed, transcript, told } = newFeed();
    feed.snapshot();
    transcript.apply(frame(init()));
    transcript.apply(
      frame(
        assistant('m', [
          toolUse('a', { subject: 'Read', description: '' }, 'TaskCreate'),
          toolUse('b', { subject: 'Write', description: '' }, 'TaskCreate'),
        ]),
      ),
    );
    const created = (id: string, task: string, subject: string) =>
      frame(toolResult(id, 'ok', { tool_use_result: { task: { id: task, subject } } }));
    transcript.apply(created('b', '2', 'Write'));
    transcript.apply(created('a', '1', 'Read'));
    transcript.apply(frame(assistant('m2', [toolUse('c', { taskId: '1', status: 'completed' }, 'TaskUpdate')])));
    transcript.apply(
      frame(toolResult('c', 'ok', { tool_use_result: { success: true, taskId: '1', updatedFields: ['status'] } })),
    );
    const { session, items } = told();
    expect(session.checklist).toEqual({
      done: 1,
      total: 2,
      entries: [
        { text: 'Read', state: 'completed' },
        { text: 'Write', state: 'pending' },
      ],
    });
    expect(cardOf(items.get('c'))).toEqual({ type: 'step', change: 'done', text: 'Read', entries: [] });
  });

  it('gives a step its name when the page that names it is read later from disk', () => {
    const { feed, transcript, told } = newFeed();
    const item = (id: string, name: string, input: ToolItem['input'], structuredResult: unknown): ToolItem => ({
      kind: 'tool',
      id,
      toolUseId: id,
      at: 1,
      name,
      input,
      state: 'done',
      resultContent: [],
      structuredResult,
    });
    transcript.load([item('u', 'TaskUpdate', { taskId: '1', status: 'in_progress' }, { success: true, taskId: '1' })]);
    feed.snapshot();
    expect(cardOf(told().items.get('u'))).toMatchObject({ change: 'begun', text: '#1' });
    expect(told().session.checklist).toBeUndefined();
    transcript.prepend([item('c', 'TaskCreate', { subject: 'Read' }, { task: { id: '1', subject: 'Read' } })]);
    expect(cardOf(told().items.get('u'))).toMatchObject({ change: 'begun', text: 'Read' });
    expect(told().session.checklist).toMatchObject({ entries: [{ text: 'Read', state: 'inProgress' }] });
  });
});
