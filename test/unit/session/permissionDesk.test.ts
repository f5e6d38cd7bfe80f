import { describe, expect, it } from 'vitest';
import { SessionError } from '../../../src/session/errors.ts';
import type { DeskChange } from '../../../src/session/permissionDesk.ts';
import { answersOf, ask, cancel, readySession } from './sessionKit.ts';

const rule = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
  behavior: 'allow',
  destination: 'localSettings',
} as const;
const acceptEdits = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const;

async function deskWith(...asks: object[]) {
  const made = await readySession();
  const changes: DeskChange[] = [];
  made.session.desk.onDidChange(change => changes.push(change));
  for (const each of asks) made.peer.say(each);
  return { ...made, desk: made.session.desk, changes };
}

const responseTo = (made: Awaited<ReturnType<typeof deskWith>>, id: string): unknown => {
  const [answer, ...more] = answersOf(made.peer, id);
  expect(more).toEqual([]);
  return answer?.subtype === 'success' ? answer.response : answer;
};

describe('an allow', () => {
  it('always contains the input, the original if it was not changed, and echoes the tool use', async () => {
    const made = await deskWith(ask('r1'));
    expect(made.desk.settle('r1', { type: 'allow' })).toBe(true);
    expect(responseTo(made, 'r1')).toEqual({
      behavior: 'allow',
      updatedInput: { file_path: '/project/a.txt', content: 'a' },
      toolUseID: 'tool-r1',
      decisionClassification: 'user_temporary',
    });
  });

  it('contains exactly the input the person made of it', async () => {
    const made = await deskWith(ask('r1'));
    made.desk.settle('r1', { type: 'allow', updatedInput: { file_path: '/project/b.txt', content: 'b' } });
    expect(responseTo(made, 'r1')).toMatchObject({ updatedInput: { file_path: '/project/b.txt', content: 'b' } });
    expect(made.changes.at(-1)).toMatchObject({ type: 'closed', outcome: { type: 'allowed', changed: true } });
  });

  it('for good returns the chosen ones of what was offered, each once', async () => {
    const made = await deskWith(ask('r1', { permission_suggestions: [rule, acceptEdits] }));
    made.desk.settle('r1', { type: 'allow', always: [1, 1] });
    expect(responseTo(made, 'r1')).toMatchObject({
      updatedPermissions: [acceptEdits],
      decisionClassification: 'user_permanent',
    });
  });

  it('cannot grant what was not offered; the question stays open', async () => {
    const made = await deskWith(ask('r1', { permission_suggestions: [rule] }));
    expect(() => made.desk.settle('r1', { type: 'allow', always: [1] })).toThrow(SessionError);
    expect(() => made.desk.settle('r1', { type: 'allow', thenMode: 'acceptEdits' })).toThrow(SessionError);
    expect(answersOf(made.peer)).toEqual([]);
    expect(made.desk.find('r1')).toBeDefined();
  });
});

describe('a denial', () => {
  it('contains its message and, if wished, ends the turn', async () => {
    const made = await deskWith(ask('r1'), ask('r2'));
    made.desk.settle('r1', { type: 'deny', message: 'Use pnpm' });
    made.desk.settle('r2', { type: 'deny', message: 'Stop', interrupt: true });
    expect(responseTo(made, 'r1')).toEqual({
      behavior: 'deny',
      message: 'Use pnpm',
      toolUseID: 'tool-r1',
      decisionClassification: 'user_reject',
    });
    expect(responseTo(made, 'r2')).toMatchObject({ behavior: 'deny', interrupt: true });
  });

  it('without a message is refused; the question stays open', async () => {
    const made = await deskWith(ask('r1'));
    expect(() => made.desk.settle('r1', { type: 'deny', message: '  ' })).toThrow(SessionError);
    expect(answersOf(made.peer)).toEqual([]);
    expect(made.desk.asks).toHaveLength(1);
  });
});

describe('what a card may offer', () => {
  it('has "always" only with suggestions, and not where the CLI asked for none', async () => {
    const { desk } = await deskWith(
      ask('none'),
      ask('empty', { permission_suggestions: [] }),
      ask('suppressed', { permission_suggestions: [rule], suppress_always_allow_rule: true }),
      ask('offered', { permission_suggestions: [rule] }),
    );
    expect(desk.asks.map(each => [each.id, each.suggestions.length])).toEqual([
      ['none', 0],
      ['empty', 0],
      ['suppressed', 0],
      ['offered', 1],
    ]);
  });

  it('leaves out suggestions nobody here understands', async () => {
    const { desk } = await deskWith(ask('r1', { permission_suggestions: [{ type: 'openTheGates' }, rule] }));
    expect(desk.find('r1')?.suggestions).toEqual([rule]);
  });

  it('has no one-click answer where the CLI wants a real one, and no preselected yes where it says no', async () => {
    const { desk } = await deskWith(
      ask('usual'),
      ask('careful', { requires_user_interaction: true }),
      ask('no', { default_to_no: true }),
      ask('question', { tool_name: 'AskUserQuestion' }),
    );
    expect(desk.asks.map(each => [each.id, each.oneClick, each.preselectAllow])).toEqual([
      ['usual', true, true],
      ['careful', false, true],
      ['no', true, false],
      ['question', false, true],
    ]);
  });

  it('marks what plan mode would forbid, though the CLI lets an allow through', async () => {
    const made = await readySession({ mode: 'plan' });
    made.peer.say(ask('write', { decision_reason_type: 'mode' }));
    made.peer.say(ask('edit', { tool_name: 'Edit' }));
    made.peer.say(ask('fetch', { tool_name: 'WebFetch' }));
    made.peer.say(ask('plan', { tool_name: 'ExitPlanMode', decision_reason_type: 'mode' }));
    expect(made.session.desk.asks.map(each => [each.id, each.deniedByPlanMode])).toEqual([
      ['write', true],
      ['edit', true],
      ['fetch', false],
      ['plan', false],
    ]);
    expect(made.session.desk.find('write')?.preselectAllow).toBe(false);
  });

  it('keeps all the CLI told about the question', async () => {
    const { desk, clock } = await deskWith(
      ask('r1', {
        agent_id: 'agent-1',
        title: 'Write a.txt?',
        blocked_path: '/etc',
        decision_reason: 'outside',
        decision_reason_type: 'workingDir',
        mcp_server: { name: 'm', source: 'sdk' },
      }),
    );
    expect(desk.find('r1')).toMatchObject({
      kind: 'tool',
      toolName: 'Write',
      toolUseId: 'tool-r1',
      agentId: 'agent-1',
      title: 'Write a.txt?',
      blockedPath: '/etc',
      reason: { type: 'workingDir', text: 'outside' },
      mcpServer: { name: 'm', source: 'sdk' },
      openedAt: clock.now(),
    });
    expect(desk.findByItem('tool-r1')?.id).toBe('r1');
  });
});

describe('several questions', () => {
  it('of subagents that run side by side are all open and answered independently', async () => {
    const made = await deskWith(ask('r1', { agent_id: 'a' }), ask('r2', { agent_id: 'b' }));
    expect(made.session.state).toMatchObject({ type: 'awaitingPermission', askIds: ['r1', 'r2'] });
    made.desk.settle('r2', { type: 'deny', message: 'no' });
    expect(made.session.state).toMatchObject({ type: 'awaitingPermission', askIds: ['r1'] });
    made.desk.settle('r1', { type: 'allow' });
    expect(made.session.state.type).toBe('idle');
    expect(answersOf(made.peer).map(answer => answer.request_id)).toEqual(['r2', 'r1']);
  });

  it('with one id are one question', async () => {
    const made = await deskWith(ask('r1'), ask('r1'));
    expect(made.desk.asks).toHaveLength(1);
    expect(made.changes).toHaveLength(1);
  });
});

describe('the end of a question', () => {
  it('comes once: a late answer is told so and nothing is sent', async () => {
    const made = await deskWith(ask('r1'));
    expect(made.desk.settle('r1', { type: 'allow' })).toBe(true);
    expect(made.desk.settle('r1', { type: 'deny', message: 'no' })).toBe(false);
    expect(answersOf(made.peer)).toHaveLength(1);
    expect(made.changes.map(change => change.type)).toEqual(['opened', 'closed']);
  });

  it('comes when the CLI withdraws it: the card closes and nothing is sent', async () => {
    const made = await deskWith(ask('r1'));
    made.peer.say(cancel('r1'));
    expect(made.desk.asks).toEqual([]);
    expect(made.changes.at(-1)).toMatchObject({ type: 'closed', outcome: { type: 'withdrawn' } });
    expect(made.desk.settle('r1', { type: 'allow' })).toBe(false);
    expect(answersOf(made.peer)).toEqual([]);
  });

  it('comes with the end of the process: no card is left behind', async () => {
    const made = await deskWith(ask('r1'), ask('r2'));
    made.peer.close({ signal: 'SIGKILL' });
    expect(made.desk.asks).toEqual([]);
    expect(made.changes.filter(change => change.type === 'closed').map(change => change.outcome.type)).toEqual([
      'closed',
      'closed',
    ]);
  });

  it('is an error to the CLI when the card broke, never an answer in the name of the person', async () => {
    const made = await deskWith(ask('r1'));
    expect(made.desk.settle('r1', { type: 'error', message: 'no window' })).toBe(true);
    expect(responseTo(made, 'r1')).toEqual({ subtype: 'error', request_id: 'r1', error: 'no window' });
    expect(made.changes.at(-1)).toMatchObject({ outcome: { type: 'failed', message: 'no window' } });
  });

  it('is a denial when the chat is closed, and leaves no orphan', async () => {
    const made = await deskWith(ask('r1'), ask('r2'));
    made.peer.onHeard = frame => {
      if (frame.type === 'control_request') throw new Error(`nothing runs, yet ${frame.request.subtype} was sent`);
    };
    await made.session.stop();
    expect(responseTo(made, 'r1')).toMatchObject({ behavior: 'deny', interrupt: true });
    expect(responseTo(made, 'r2')).toMatchObject({ behavior: 'deny', interrupt: true });
    expect(made.desk.asks).toEqual([]);
  });

  it('is not held up by a listener that throws', async () => {
    const made = await deskWith();
    made.desk.onDidChange(() => {
      throw new Error('a card that cannot be drawn');
    });
    made.peer.say(ask('r1'));
    expect(made.desk.settle('r1', { type: 'allow' })).toBe(true);
    expect(made.log.lines.some(line => line.includes('a card that cannot be drawn'))).toBe(true);
  });
});
