import { describe, expect, it } from 'vitest';
import type { ViewAnswer } from '../../../../src/bridge/viewMessages.ts';
import type { AskShaper, ShapedAllow } from '../../../../src/host/permissions/askShaper.ts';
import type { Decided } from '../../../../src/host/permissions/decide.ts';
import { decide } from '../../../../src/host/permissions/decide.ts';
import type { PermissionAsk } from '../../../../src/session/permissionAsk.ts';
import { fill } from '../chat/fill.ts';
import { askAbout } from './kit.ts';

function shaperThat(part: Partial<Pick<AskShaper, 'allow' | 'editedPlan' | 'planComments'>>): AskShaper {
  return {
    onDidChange: () => ({ dispose: () => undefined }),
    deskChanged: () => undefined,
    present: () => undefined,
    allow: () => Promise.resolve({}),
    editedPlan: () => undefined,
    planComments: () => [],
    chooseHunk: () => Promise.resolve(),
    reset: () => undefined,
    show: () => Promise.resolve(false),
    dispose: () => undefined,
    ...part,
  };
}

const allowing = (allowed: ShapedAllow | undefined): AskShaper => shaperThat({ allow: () => Promise.resolve(allowed) });
const decided = (ask: PermissionAsk, answer: ViewAnswer, shaper?: AskShaper): Promise<Decided | undefined> =>
  decide(ask, answer, { capabilities: new Set(), shaper, t: fill });

const write = askAbout('Write', { file_path: '/project/a', content: 'x' });

describe('an answer', () => {
  it('that allows lets run what the person made of the proposal', async () => {
    const input = { file_path: '/project/a', content: 'y' };
    expect(await decided(write, { type: 'allow', always: [0] }, allowing({ input, note: 'changed' }))).toEqual({
      decision: { type: 'allow', always: [0], updatedInput: input },
      note: 'changed',
    });
  });

  it('that allows an untouched proposal sends no input of its own', async () => {
    expect(await decided(write, { type: 'allow' }, allowing({}))).toEqual({ decision: { type: 'allow' } });
  });

  it('that cannot be carried out is none', async () => {
    expect(await decided(write, { type: 'allow' }, allowing(undefined))).toBeUndefined();
  });

  it('that denies never asks what the right side holds', async () => {
    const shaper = shaperThat({ allow: () => Promise.reject(new Error('must not be asked')) });
    expect(await decided(write, { type: 'deny', reason: 'no', stop: true }, shaper)).toEqual({
      decision: { type: 'deny', message: 'no', interrupt: true },
    });
  });

  it('with an edited command tells the agent what ran instead', async () => {
    const ask = askAbout('Bash', { command: 'rm -rf build', description: 'Clean' });
    const answer = await decided(ask, { type: 'allow', edited: 'ls build' });
    expect(answer?.decision).toEqual({
      type: 'allow',
      updatedInput: { command: 'ls build', description: 'Clean' },
    });
    expect(answer?.note).toContain('You proposed: rm -rf build\nThe user ran: ls build');
  });

  it('that approves a plan sends the plan as it was edited in the editor', async () => {
    const ask = askAbout('ExitPlanMode', { plan: 'old' });
    const answer = { type: 'plan', mode: 'acceptEdits' } as const;
    expect(await decided(ask, answer, shaperThat({ editedPlan: () => 'new' }))).toEqual({
      decision: { type: 'allow', thenMode: 'acceptEdits', updatedInput: { plan: 'new' } },
    });
    expect(await decided(ask, answer, shaperThat({}))).toEqual({
      decision: { type: 'allow', thenMode: 'acceptEdits' },
    });
  });

  it('about a plan brings the comments to the agent: as the reason to plan on, or beside the approval', async () => {
    const ask = askAbout('ExitPlanMode', { plan: 'one\ntwo' });
    const comments = [{ line: 2, quote: 'two', text: 'Use pnpm here.' }];
    const shaper = shaperThat({ planComments: () => comments });
    const said = "The user's comments on the plan:\n\nLine 2:\n> two\n\nUse pnpm here.";
    expect(await decided(ask, { type: 'deny', reason: '', stop: false }, shaper)).toEqual({
      decision: { type: 'deny', message: said },
    });
    const words = { type: 'deny', reason: 'Think again.', stop: false } as const;
    expect(await decided(ask, words, shaperThat({ planComments: () => comments, editedPlan: () => 'three' }))).toEqual({
      decision: {
        type: 'deny',
        message: `Think again.\n\n${said}\n\nThe user's own version of the plan:\nthree`,
      },
    });
    const onCard = { type: 'deny', reason: '', stop: false, plan: 'four' } as const;
    expect(await decided(ask, onCard, shaperThat({ editedPlan: () => 'three' }))).toEqual({
      decision: { type: 'deny', message: "The user's own version of the plan:\nfour" },
    });
    expect(await decided(ask, { type: 'plan', mode: 'default' }, shaper)).toEqual({
      decision: { type: 'allow', thenMode: 'default' },
      note: said,
    });
  });
});
