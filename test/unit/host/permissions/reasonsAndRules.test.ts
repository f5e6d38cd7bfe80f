import { describe, expect, it } from 'vitest';
import { presentAsk } from '../../../../src/host/chat/presentAsk.ts';
import { ruleEntries } from '../../../../src/host/permissions/ruleList.ts';
import { toAsk } from '../../../../src/session/permissionAsk.ts';
import { fill } from '../chat/fill.ts';
import { askAbout } from './kit.ts';

function reason(fields: Record<string, unknown>, mode = 'default'): string | undefined {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'make' }, ...fields } as const;
  return presentAsk(toAsk('1', request, 0, mode), '/project', fill).reason?.text;
}

describe('why a person is asked', () => {
  it('names the rule and where it is kept', () => {
    const rule = {
      source: 'projectSettings',
      ruleBehavior: 'ask',
      ruleValue: { toolName: 'Bash', ruleContent: 'make *' },
    };
    expect(reason({ decision_reason_type: 'rule', matched_ask_rule: rule })).toBe(
      'The rule “Bash(make *)” asks for this. It is kept for this project, for everyone.',
    );
    expect(reason({ matched_ask_rule: 'Bash(make)' })).toBe('Your rule “Bash(make)” asks for this.');
  });

  it('names the hook', () => {
    const hook = {
      decision_reason_type: 'hook',
      decision_reason_hook_event: 'PreToolUse',
      decision_reason: 'be careful',
    };
    expect(reason(hook)).toBe('The hook PreToolUse asks for this: be careful');
  });

  it('names the safety check, without the terminal’s escapes', () => {
    expect(reason({ decision_reason_type: 'safetyCheck', decision_reason: '\u001b[31mred\u001b[0m \u202eflag' })).toBe(
      'A safety check asks for this: red flag',
    );
  });

  it('names the mode', () => {
    expect(reason({ decision_reason_type: 'mode' }, 'plan')).toBe('Plan mode is on: allowing this would leave it.');
  });

  it('names the mode, on demand, where the CLI gives no reason', () => {
    expect(reason({})).toBe('The mode “Ask first” asks before such a step, and no rule allows it.');
    expect(reason({ matched_ask_rule: 7 }, 'acceptEdits')).toContain('The mode “Accept edits”');
    const edit = askAbout('Edit', { file_path: '/project/a.ts', old_string: 'a', new_string: 'b' });
    const card = presentAsk({ ...edit, description: 'a.ts' }, '/project', fill);
    const text = 'The mode “Ask first” asks before a file is changed, and no rule allows this change.';
    expect(card.reason).toEqual({ text, usual: true });
    expect(card.description).toBeUndefined();
    expect(presentAsk(askAbout('ExitPlanMode', { plan: 'x' }), '/project', fill).reason).toBeUndefined();
  });
});

describe('the rules in force', () => {
  const places = { cwd: '/project', config: '/home/me/.claude' };
  const rule = (source: string, fields: Record<string, unknown> = {}) => ({
    behavior: 'allow',
    source,
    rule: 'Bash(npm run *)',
    ...fields,
  });
  const listed = (...rules: ReturnType<typeof rule>[]) =>
    ruleEntries({ rules, workspaceDirectories: [] }, places, fill);

  it('lead to the file that holds each', () => {
    const files = listed(rule('userSettings'), rule('projectSettings'), rule('localSettings'), rule('session'));
    expect(files.map(({ file }) => file)).toEqual([
      '/home/me/.claude/settings.json',
      '/project/.claude/settings.json',
      '/project/.claude/settings.local.json',
      undefined,
    ]);
  });

  it('are described in plain words', () => {
    const description = { prefix: 'Any use of the ', emphasis: 'Bash', suffix: ' tool' };
    expect(listed(rule('session', { description, notInEffect: 'shadowed' }))).toEqual([
      {
        label: 'Allow: Bash(npm run *)',
        description: 'this session',
        detail: 'Any use of the Bash tool – not in effect',
      },
    ]);
  });
});
