import { access, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presentAsk } from '../../src/host/chat/presentAsk.ts';
import { approvePlan, rejectPlan } from '../../src/session/planAnswers.ts';
import { answerQuestions } from '../../src/session/questionAnswers.ts';
import { say, tool } from '../support/model/script.ts';
import { toolResultsOf } from '../support/model/request.ts';
import { isAlive } from '../support/processes.ts';
import { inMemory } from './support/memoryPeer.ts';
import { ask } from './support/records.ts';
import type { LiveSession } from './support/stage.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.set({ 'package.json': '{"scripts":{"hello":"echo hello"}}' });
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

const words = (message: string, ...values: unknown[]) =>
  message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
const write = (name: string, content = 'as proposed\n') => tool('Write', { file_path: stage.path(name), content });
const exists = (name: string) =>
  access(stage.path(name)).then(
    () => true,
    () => false,
  );

/** What the newest request of the model says about the last tool. */
function lastResult() {
  const request = stage.model.conversation.at(-1);
  return request === undefined ? undefined : toolResultsOf(request).at(-1);
}

async function answered(live: LiveSession, text: string, decide: (live: LiveSession) => Promise<void>): Promise<void> {
  const done = live.turn(text);
  await decide(live);
  expect(await done).toBe('completed');
}

describe('permissions', () => {
  it('S21: an allow carries the whole input, the original if nobody changed it, and names its tool use', async () => {
    stage.model.enqueue(write('a.txt'), say('Done.'), write('b.txt'), say('Done.'));
    const live = await stage.open();
    await answered(live, 'write a', async () => {
      const question = await live.ask();
      live.session.desk.settle(question.id, { type: 'allow' });
      expect(live.tap.answerBodies.at(-1)).toMatchObject({
        behavior: 'allow',
        updatedInput: { file_path: stage.path('a.txt'), content: 'as proposed\n' },
        toolUseID: question.toolUseId,
      });
    });
    await answered(live, 'write b', async () => {
      const question = await live.ask();
      const updatedInput = { ...question.input, content: 'as I want it\n' };
      live.session.desk.settle(question.id, { type: 'allow', updatedInput });
      expect(live.tap.answerBodies.at(-1)).toMatchObject({ updatedInput, toolUseID: question.toolUseId });
    });
    expect(await readFile(stage.path('a.txt'), 'utf8')).toBe('as proposed\n');
    expect(await readFile(stage.path('b.txt'), 'utf8')).toBe('as I want it\n');
  });

  it('S22: a denial always has a message, and the model reads it', async () => {
    stage.model.enqueue(write('a.txt'), say('As you wish.'));
    const live = await stage.open();
    await answered(live, 'write', async () => {
      const { id } = await live.ask();
      for (const message of ['', '  ']) {
        expect(() => live.session.desk.settle(id, { type: 'deny', message })).toThrow('needs a message');
      }
      expect(live.tap.answers).toEqual([]);
      live.session.desk.settle(id, { type: 'deny', message: 'Use b.txt instead' });
    });
    expect(live.tap.answerBodies).toMatchObject([{ behavior: 'deny', message: 'Use b.txt instead' }]);
    expect(lastResult()).toMatchObject({ isError: true, text: 'Use b.txt instead' });
    expect(live.kind('tool')[0]?.state).toBe('denied');
    expect(await exists('a.txt')).toBe(false);
  });

  it('S23: "always" gives back only what was offered, and there is none where the CLI offers none', async () => {
    const run = tool('Bash', { command: 'npm run hello', description: 'Say hello' });
    stage.model.enqueue(
      run,
      say('Once.'),
      run,
      say('Twice.'),
      tool('Bash', { command: 'rm -rf /', description: 'x' }),
      say('No.'),
    );
    const live = await stage.open();
    await answered(live, 'run', async () => {
      const question = await live.ask();
      expect(question.suggestions.length).toBeGreaterThan(0);
      const beyond = question.suggestions.length;
      expect(() => live.session.desk.settle(question.id, { type: 'allow', always: [beyond] })).toThrow('not offered');
      live.session.desk.settle(question.id, { type: 'allow', always: [0] });
      expect(live.tap.answerBodies.at(-1)).toMatchObject({ updatedPermissions: [question.suggestions[0]] });
    });
    expect(await live.turn('run again')).toBe('completed');
    await answered(live, 'remove all', async () => {
      const question = await live.ask();
      expect(question.suggestions).toEqual([]);
      expect(presentAsk(question, '/', words).always).toEqual([]);
      live.session.desk.settle(question.id, { type: 'deny', message: 'no' });
    });
    expect(live.tap.asked).toHaveLength(2);
    const { session, peer, start, end } = inMemory();
    await start();
    const rule = { type: 'addRules', rules: [{ toolName: 'Write' }], behavior: 'allow', destination: 'session' };
    peer.say(ask('q', { permission_suggestions: [rule], suppress_always_allow_rule: true }));
    expect(session.desk.asks[0]?.suggestions).toEqual([]);
    await end();
  });

  it('S24: what needs a real answer has no one-click approval, and where "no" is the default "yes" is not preselected', async () => {
    const questions = [
      {
        question: 'Which?',
        header: 'Which',
        options: [
          { label: 'A', description: 'a' },
          { label: 'B', description: 'b' },
        ],
        multiSelect: false,
      },
    ];
    stage.model.enqueue(tool('AskUserQuestion', { questions }), say('Thanks.'));
    const live = await stage.open();
    await answered(live, 'ask me', async () => {
      const question = await live.ask();
      expect(live.tap.asked[0]?.request).toMatchObject({ requires_user_interaction: true });
      expect(presentAsk(question, '/', words)).toMatchObject({ oneClick: false, kind: 'question' });
      live.session.desk.settle(question.id, answerQuestions(question, {}, live.session.info.capabilities));
    });
    const { session, peer, start, end } = inMemory();
    await start();
    peer.say(ask('no', { default_to_no: true }));
    peer.say(ask('interaction', { requires_user_interaction: true }));
    const views = session.desk.asks.map(question => presentAsk(question, '/', words));
    expect(views).toMatchObject([{ suggestAllow: false, oneClick: true }, { oneClick: false }]);
    await end();
  });

  it('S25: answers are keyed by the whole question, several choices are joined, and a question may be left out', async () => {
    const option = (label: string) => ({ label, description: label });
    const questions = [
      {
        question: 'Which library, please?',
        header: 'Library',
        options: [option('zod'), option('none')],
        multiSelect: false,
      },
      {
        question: 'Which targets?',
        header: 'Targets',
        options: [option('web'), option('node'), option('deno')],
        multiSelect: true,
      },
      { question: 'Which colour?', header: 'Colour', options: [option('red'), option('blue')], multiSelect: false },
    ];
    stage.model.enqueue(tool('AskUserQuestion', { questions }), say('Thanks.'));
    const live = await stage.open();
    await answered(live, 'ask me', async () => {
      const question = await live.ask();
      const decision = answerQuestions(
        question,
        {
          'Which library, please?': { type: 'answered', choices: ['my own'] },
          'Which targets?': { type: 'answered', choices: ['web', 'deno'] },
        },
        live.session.info.capabilities,
      );
      live.session.desk.settle(question.id, decision);
    });
    const answers = { 'Which library, please?': 'my own', 'Which targets?': 'web, deno' };
    expect(live.tap.answerBodies).toMatchObject([{ updatedInput: { questions, answers } }]);
    expect(lastResult()?.text).toContain('"Which targets?"="web, deno"');
    expect(lastResult()?.isError).toBe(false);
  });

  it('S26: approving a plan sends the mode and the edited plan; turning it down sends why', async () => {
    const live = await stage.open({ flags: { permissionMode: 'plan' }, session: { mode: 'plan' } });
    stage.model.onRequest(request => {
      const file = /(\/\S+\/plans\/[^\s`'"]+\.md)/.exec(JSON.stringify(request.body))?.[1];
      const results = toolResultsOf(request);
      if (file === undefined || request.kind !== 'main') return undefined;
      if (results.length === 0) return tool('Write', { file_path: file, content: '# First plan\n' });
      if (results.length < 3) return tool('ExitPlanMode', {});
      return say('I begin.');
    });
    await answered(live, 'make a plan', async () => {
      const first = await live.ask();
      expect(first).toMatchObject({ kind: 'plan', input: { plan: '# First plan\n' } });
      live.session.desk.settle(first.id, rejectPlan('Smaller steps'));
      await live.sees('it asks again', () => live.session.desk.asks.some(question => question.id !== first.id));
      const second = await live.ask();
      live.session.desk.settle(second.id, approvePlan(second, { mode: 'acceptEdits', plan: '# My plan\n' }));
    });
    expect(live.tap.answerBodies).toMatchObject([
      { behavior: 'deny', message: 'Smaller steps' },
      {
        behavior: 'allow',
        updatedInput: { plan: '# My plan\n' },
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ]);
    expect(live.session.info.mode).toBe('acceptEdits');
    expect(JSON.stringify(live.kind('tool').at(-1)?.structuredResult)).toContain('# My plan');
  });

  it('S27: closing the chat with an open question denies it and leaves neither card nor process', async () => {
    stage.model.enqueue(write('a.txt'));
    const live = await stage.open();
    const closed: string[] = [];
    live.session.desk.onDidChange(change => {
      if (change.type === 'closed') closed.push(change.outcome.type);
    });
    const done = live.turn('write');
    await live.ask();
    const reason = await live.session.stop();
    expect(reason).toEqual({ code: 'asked' });
    expect(closed).toEqual(['denied']);
    expect(live.session.desk.asks).toEqual([]);
    expect(live.tap.answerBodies).toMatchObject([{ behavior: 'deny', interrupt: true }]);
    expect(await done).toBe('cancelled');
    expect(await exists('a.txt')).toBe(false);
    expect(isAlive(live.pid)).toBe(false);
  });

  it('S28: two subagents ask at once, and each gets its own answer', async () => {
    stage.model.onRequest(request => {
      const results = toolResultsOf(request);
      const which = /work on (\w+)/.exec(JSON.stringify(request.messages))?.[1] ?? '';
      if (request.kind === 'subagent')
        return results.length > 0 ? say(`Finished ${which}.`) : write(`${which}.txt`, `${which}\n`);
      if (results.length > 0) return say('Both are at work.');
      const agent = (name: string) =>
        tool('Agent', { description: name, prompt: `work on ${name}`, subagent_type: 'general-purpose' });
      return [agent('alpha'), agent('beta')];
    });
    const live = await stage.open();
    void live.turn('send two');
    const questions = await live.asks(2);
    const of = (name: string) =>
      questions.find(question => String(question.input['file_path']).endsWith(`${name}.txt`));
    expect(new Set(questions.map(question => question.agentId)).size).toBe(2);
    expect(questions.every(question => question.agentId !== undefined)).toBe(true);
    live.session.desk.settle(of('beta')?.id ?? '', { type: 'allow' });
    live.session.desk.settle(of('alpha')?.id ?? '', { type: 'deny', message: 'not that one' });
    await live.sees(
      'no task is left',
      () =>
        [...live.session.transcript.tasks.values()].every(task => task.status !== 'running') &&
        live.session.state.type === 'idle',
    );
    expect(await readFile(stage.path('beta.txt'), 'utf8')).toBe('beta\n');
    expect(await exists('alpha.txt')).toBe(false);
  });

  it('S29: escapes and control characters in reasons, titles and rules cannot reach the eye', async () => {
    const { session, peer, start, end } = inMemory();
    await start();
    const evil = '\u001b[2J\u001b]0;owned\u0007harmless\u202e\u0000\u0008\u009b31m';
    peer.say(
      ask('q', {
        tool_name: 'Bash',
        input: { command: 'ls' },
        title: `Run ${evil}`,
        description: evil,
        decision_reason: evil,
        decision_reason_type: 'rule',
        permission_suggestions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'Bash', ruleContent: evil }],
            behavior: 'allow',
            destination: 'session',
          },
        ],
      }),
    );
    const [question] = session.desk.asks;
    if (question === undefined) throw new Error('no question');
    const view = presentAsk(question, '/project', words);
    const shown = [view.title, view.description, view.reason?.text, ...view.always.map(each => each.label)].join('\n');
    expect(shown.match(/harmless/g)).toHaveLength(4);
    // eslint wants control characters spelled out; these are exactly the ones that must be gone.
    const dangerous = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]');
    expect(dangerous.test(shown)).toBe(false);
    expect(shown).not.toContain('owned');
    await end();
  });
});
