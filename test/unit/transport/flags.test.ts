import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlagErrorCode } from '../../../src/transport/argumentList.ts';
import { FlagError } from '../../../src/transport/argumentList.ts';
import type { CliOptions } from '../../../src/transport/flags.ts';
import { cliArguments } from '../../../src/transport/flags.ts';

const id = '0b2f6f3e-1111-4222-8333-444455556666';
const other = '1b2f6f3e-1111-4222-8333-444455556666';

/** What follows a flag, or undefined. */
function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at === -1 ? args.find(arg => arg.startsWith(`${flag}=`))?.slice(flag.length + 1) : args[at + 1];
}

function codeOf(options: CliOptions, platform: NodeJS.Platform = 'linux'): FlagErrorCode | 'accepted' {
  try {
    cliArguments(options, platform);
    return 'accepted';
  } catch (error) {
    if (error instanceof FlagError) return error.code;
    throw error;
  }
}

describe('the command line', () => {
  it('is by default what an interactive host needs, with the mode written out', () => {
    expect(cliArguments({}, 'linux').join(' ')).toBe(
      '--output-format stream-json --input-format stream-json --verbose --permission-prompt-tool stdio ' +
        '--permission-mode default --include-partial-messages --replay-user-messages',
    );
  });

  it('writes values that may begin with a dash as one argument', () => {
    const start = {
      kind: 'resume',
      session: '-my title',
      at: id,
      dropsTurn: other,
      fork: { sessionId: other },
    } as const;
    const args = cliArguments({ start }, 'linux');
    expect(args).toEqual(
      expect.arrayContaining([
        '--resume=-my title',
        `--resume-session-at=${id}`,
        `--resume-drops-turn=${other}`,
        '--fork-session',
        `--session-id=${other}`,
      ]),
    );
    expect(cliArguments({ start: { kind: 'new', sessionId: id } }, 'linux')).toContain(`--session-id=${id}`);
    expect(cliArguments({ model: '-odd' }, 'linux')).toContain('--model=-odd');
  });

  it('continues and forks', () => {
    expect(cliArguments({ start: { kind: 'continue' } }, 'linux')).toContain('--continue');
    const forked = cliArguments({ start: { kind: 'continue', fork: {} } }, 'linux');
    expect(forked).toContain('--fork-session');
    expect(valueOf(forked, '--session-id')).toBeUndefined();
  });

  it.each<[CliOptions, string, string | undefined]>([
    [{ model: 'opus' }, '--model', 'opus'],
    [{ fallbackModels: ['a', 'b'] }, '--fallback-model', 'a,b'],
    [{ effort: 'high' }, '--effort', 'high'],
    [{ maxThinkingTokens: 0 }, '--max-thinking-tokens', '0'],
    [{ thinking: 'adaptive' }, '--thinking', 'adaptive'],
    [{ thinkingDisplay: 'omitted' }, '--thinking-display', 'omitted'],
    [{ maxTurns: 3 }, '--max-turns', '3'],
    [{ maxBudgetUsd: 0.5 }, '--max-budget-usd', '0.5'],
    [{ taskBudget: 1000 }, '--task-budget', '1000'],
    [{ betas: ['x'] }, '--betas', 'x'],
    [{ name: 'A title' }, '--name', 'A title'],
    [{ allowedTools: ['Bash(git *)', 'Read'] }, '--allowedTools', 'Bash(git *),Read'],
    [{ disallowedTools: ['Write'] }, '--disallowedTools', 'Write'],
    [{ tools: 'default' }, '--tools', 'default'],
    [{ tools: [] }, '--tools', ''],
    [{ tools: ['Read', 'Edit'] }, '--tools', 'Read,Edit'],
    [{ mcpConfig: ['{"mcpServers":{}}'] }, '--mcp-config', '{"mcpServers":{}}'],
    [{ settingSources: [] }, '--setting-sources', ''],
    [{ settingSources: ['user', 'project'] }, '--setting-sources', 'user,project'],
    [{ settings: '/a/settings.json' }, '--settings', '/a/settings.json'],
    [{ managedSettings: '{}' }, '--managed-settings', '{}'],
    [{ addDirs: ['/a'] }, '--add-dir', '/a'],
    [{ pluginDirs: ['/p'] }, '--plugin-dir', '/p'],
    [{ pluginDirsWithoutMcp: ['/p'] }, '--plugin-dir-no-mcp', '/p'],
    [{ jsonSchema: '{"type":"object"}' }, '--json-schema', '{"type":"object"}'],
    [{ systemPrompt: { text: 'Be brief.' } }, '--system-prompt', 'Be brief.'],
    [{ systemPrompt: { text: '' } }, '--system-prompt', ''],
    [{ systemPrompt: { file: '/s' } }, '--system-prompt-file', '/s'],
    [{ appendSystemPrompt: { text: 'More.' } }, '--append-system-prompt', 'More.'],
    [{ appendSystemPrompt: { file: '/s' } }, '--append-system-prompt-file', '/s'],
    [{ agent: 'reviewer' }, '--agent', 'reviewer'],
    [{ agents: '{"a":{}}' }, '--agents', '{"a":{}}'],
    [{ promptSuggestions: false }, '--prompt-suggestions', 'false'],
    [{ projectConfigRoot: '/r' }, '--project-config-root', '/r'],
    [{ planModeInstructions: 'Plan well.' }, '--plan-mode-instructions', 'Plan well.'],
    [{ debug: { file: '/log' } }, '--debug-file', '/log'],
    [{ permissionPrompts: 'none' }, '--permission-prompts', 'none'],
    [{ permissionPrompts: 'none' }, '--permission-prompt-tool', undefined],
    [{ permissionMode: 'plan' }, '--permission-mode', 'plan'],
  ])('writes %j as %s %s', (options, flag, value) => {
    expect(valueOf(cliArguments(options, 'linux'), flag)).toBe(value);
  });

  it.each<[CliOptions, string]>([
    [{ allowBypass: true }, '--allow-dangerously-skip-permissions'],
    [{ skipPermissions: true }, '--dangerously-skip-permissions'],
    [{ persistSession: false }, '--no-session-persistence'],
    [{ strictMcpConfig: true }, '--strict-mcp-config'],
    [{ includeHookEvents: true }, '--include-hook-events'],
    [{ forwardSubagentText: true }, '--forward-subagent-text'],
    [{ sessionMirror: true }, '--session-mirror'],
    [{ awaitInitialize: true }, '--await-initialize'],
    [{ awaitInitialize: true, managedSettingsInInitialize: true }, '--managed-settings-in-initialize'],
    [{ awaitClaim: true }, '--await-claim'],
    [{ authStatus: true }, '--enable-auth-status'],
    [{ debug: {} }, '--debug'],
    [{ debug: { toStderr: true } }, '--debug-to-stderr'],
  ])('switches on %j with %s and leaves it out otherwise', (options, flag) => {
    expect(cliArguments(options, 'linux')).toContain(flag);
    expect(cliArguments({}, 'linux')).not.toContain(flag);
  });

  it('leaves out deltas and echoes when asked to', () => {
    const args = cliArguments({ partialMessages: false, replayUserMessages: false }, 'linux');
    expect(args).not.toContain('--include-partial-messages');
    expect(args).not.toContain('--replay-user-messages');
  });

  it.each<[CliOptions, FlagErrorCode]>([
    [{ start: { kind: 'new', sessionId: 'abc' } }, 'notAUuid'],
    [{ start: { kind: 'resume', session: ' ' } }, 'emptyValue'],
    [{ start: { kind: 'resume', session: 'a\nb' } }, 'controlCharacter'],
    [{ start: { kind: 'resume', session: id, at: 'x' } }, 'notAUuid'],
    [{ start: { kind: 'resume', session: id, dropsTurn: id } }, 'needsOther'],
    [{ permissionMode: 'bypassPermissions' }, 'needsOther'],
    [{ model: '' }, 'emptyValue'],
    [{ model: 'a\0b' }, 'controlCharacter'],
    [{ maxTurns: -1 }, 'notANumber'],
    [{ maxTurns: Number.NaN }, 'notANumber'],
    [{ maxBudgetUsd: 0 }, 'notANumber'],
    [{ taskBudget: 1.5 }, 'notANumber'],
    [{ jsonSchema: '{' }, 'notJson'],
    [{ agents: '[]' }, 'notJson'],
    [{ allowedTools: [''] }, 'emptyValue'],
    [{ tools: ['default', 'Glob'] }, 'conflict'],
    [{ managedSettingsInInitialize: true }, 'needsOther'],
    [{ extra: ['--output-format=text'] }, 'conflict'],
    [{ extra: ['-p'] }, 'conflict'],
    [{ extra: ['--sdk-url', 'wss://x'] }, 'conflict'],
  ])('refuses %j before the CLI does: %s', (options, code) => {
    expect(codeOf(options)).toBe(code);
  });

  it('refuses a mode it does not know, also one that got past the types', () => {
    const options: CliOptions = {};
    Object.assign(options, { permissionMode: 'delegate' });
    expect(codeOf(options)).toBe('unknownValue');
  });

  it('refuses on Windows, and only there, what a shell would act upon', () => {
    for (const character of ['&', '|', '<', '>', '^', '%', '!', '"']) {
      const options: CliOptions = { start: { kind: 'resume', session: `a${character}b` } };
      expect(codeOf(options, 'win32')).toBe('dangerousOnWindows');
      expect(codeOf(options, 'linux')).toBe('accepted');
    }
  });

  it("puts the user's own arguments last, as they are", () => {
    expect(cliArguments({ extra: ['--betas', 'a b', '--chrome'] }, 'linux').slice(-3)).toEqual([
      '--betas',
      'a b',
      '--chrome',
    ]);
  });

  it('never lets a value become a flag of its own', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), text => {
        const options: CliOptions = { model: text, name: text, start: { kind: 'resume', session: text } };
        if (codeOf(options) !== 'accepted') return;
        const plain = cliArguments({ model: 'm', name: 'n', start: { kind: 'resume', session: 's' } }, 'linux');
        const flags = (args: readonly string[]): string[] =>
          args.filter(arg => arg.startsWith('-')).map(arg => arg.split('=')[0] ?? '');
        expect(flags(cliArguments(options, 'linux'))).toEqual(flags(plain));
      }),
    );
  });
});
