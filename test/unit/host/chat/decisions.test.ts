import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../../src/host/chat/cleanText.ts';
import { presentAsk } from '../../../../src/host/chat/presentAsk.ts';
import { composerContent, contentAgain, promptContent } from '../../../../src/host/chat/promptContent.ts';
import { toDecision } from '../../../../src/host/chat/toDecision.ts';
import type { PermissionAsk } from '../../../../src/session/permissionAsk.ts';
import { fill } from './fill.ts';

const none: ReadonlySet<string> = new Set();

const ask: PermissionAsk = {
  id: 'r1',
  kind: 'tool',
  toolName: 'Bash',
  toolUseId: 't1',
  input: { command: 'npm test', description: 'Run the tests' },
  openedAt: 0,
  suggestions: [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ],
  oneClick: true,
  preselectAllow: true,
  mode: 'default',
  deniedByPlanMode: false,
  reason: {},
};

describe('an answer of a card', () => {
  it('allows the original input untouched when nothing was edited', () => {
    expect(toDecision(ask, { type: 'allow' }, none, fill)).toEqual({ type: 'allow' });
  });

  it('runs the command as it was edited and keeps the rest of the input', () => {
    expect(toDecision(ask, { type: 'allow', edited: 'npm run lint' }, none, fill)).toEqual({
      type: 'allow',
      updatedInput: { command: 'npm run lint', description: 'Run the tests' },
    });
  });

  it('refuses edited JSON that is broken or no object, so the question stays open', () => {
    const other: PermissionAsk = { ...ask, toolName: 'mcp__a__b' };
    expect(() => toDecision(other, { type: 'allow', edited: '{' }, none, fill)).toThrow('not valid JSON');
    expect(() => toDecision(other, { type: 'allow', edited: '[1]' }, none, fill)).toThrow('not an object');
    expect(toDecision(other, { type: 'allow', edited: '{"a":1}' }, none, fill)).toEqual({
      type: 'allow',
      updatedInput: { a: 1 },
    });
  });

  it('denies with a reason of its own when none was typed, never with an empty one', () => {
    expect(toDecision(ask, { type: 'deny', reason: '  ', stop: false }, none, fill)).toMatchObject({
      type: 'deny',
      message: expect.stringMatching(/\S/) as string,
    });
    expect(toDecision(ask, { type: 'deny', reason: 'use pnpm', stop: true }, none, fill)).toEqual({
      type: 'deny',
      message: 'use pnpm',
      interrupt: true,
    });
  });

  it('approves a plan with its edited text and only with a mode that may follow', () => {
    const plan: PermissionAsk = {
      ...ask,
      kind: 'plan',
      toolName: 'ExitPlanMode',
      input: { plan: 'old', planFilePath: '/p.md' },
    };
    expect(toDecision(plan, { type: 'plan', plan: 'new', mode: 'acceptEdits' }, none, fill)).toEqual({
      type: 'allow',
      updatedInput: { plan: 'new', planFilePath: '/p.md' },
      thenMode: 'acceptEdits',
    });
    expect(toDecision(plan, { type: 'plan', mode: 'bypassPermissions' }, none, fill)).toEqual({
      type: 'allow',
      thenMode: 'default',
    });
  });
});

describe('answers to questions', () => {
  const question: PermissionAsk = {
    ...ask,
    kind: 'question',
    toolName: 'AskUserQuestion',
    input: {
      questions: [{ question: 'Which?', header: 'Pick', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true }],
    },
  };

  it('go out by the full text of their question, beside the questions', () => {
    expect(toDecision(question, { type: 'answers', answers: { 'Which?': 'A, B' } }, none, fill)).toEqual({
      type: 'allow',
      updatedInput: { ...question.input, answers: { 'Which?': 'A, B' } },
    });
  });

  it('are refused for a question that was not asked', () => {
    expect(() => toDecision(question, { type: 'answers', answers: { 'Other?': 'x' } }, none, fill)).toThrow(
      'not asked',
    );
  });
});

describe('the card of a question', () => {
  it('says in plain words what “always” would do and where it is kept', () => {
    expect(presentAsk(ask, '/project', fill).always).toEqual([
      { index: 0, label: 'Always allow Bash(npm test)', where: 'in this project, for me' },
    ]);
  });

  it('shows the command for editing, with its folder', () => {
    expect(presentAsk(ask, '/project', fill)).toMatchObject({
      editable: { field: 'command', value: 'npm test' },
      cwd: '/project',
    });
  });

  it('cleans escapes, control characters and direction marks out of what people read', () => {
    const card = presentAsk(
      { ...ask, title: '\u001b[31mred\u001b[0m\u202e\u061c\u0007', reason: { type: 'other', text: 'a\u0000b' } },
      '/p',
      fill,
    );
    expect(card.title).toBe('red');
    expect(card.reason?.text).toBe('ab');
  });

  it('keeps tabs, line breaks and letters of every script', () => {
    expect(cleanText('a\tb\nשלום 你好 e\u0301')).toBe('a\tb\nשלום 你好 e\u0301');
  });
});

describe('what goes out with a prompt', () => {
  it('mentions attached files and quotes a path with spaces', () => {
    const files = [
      { kind: 'file', id: 'a', name: 'a.ts', path: 'src/a.ts' },
      { kind: 'file', id: 'b', name: 'b c.ts', path: 'src/b c.ts' },
    ] as const;
    expect(promptContent('look', files)).toBe('look\n@src/a.ts\n@"src/b c.ts"');
  });

  it('sends images before the words, and again when a message is sent again', () => {
    const sent = promptContent('look', [{ kind: 'image', id: 'i', name: 'i', mediaType: 'image/png', data: 'AA==' }]);
    expect(sent).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'text', text: 'look' },
    ]);
    expect(
      contentAgain('look', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }]),
    ).toEqual(sent);
  });

  it('gives messages back to the composer with their pictures', () => {
    const sent = promptContent('look', [{ kind: 'image', id: 'i', name: 'i', mediaType: 'image/png', data: 'AA==' }]);
    expect(composerContent(['first', sent], () => 'new')).toEqual({
      text: 'first\n\nlook',
      attachments: [{ kind: 'image', id: 'new', name: 'image.png', mediaType: 'image/png', data: 'AA==' }],
    });
  });
});
