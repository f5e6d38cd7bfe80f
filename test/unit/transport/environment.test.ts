import { describe, expect, it } from 'vitest';
import { cliEnvironment } from '../../../src/transport/environment.ts';

const options = { version: '1.2.3', cwd: '/project', platform: 'linux' } as const;

describe('the environment of the CLI', () => {
  it('is the one of the user, and names us', () => {
    const env = cliEnvironment(
      { PATH: '/bin', HOME: '/home/x', PWD: '/elsewhere', EMPTY: '', MISSING: undefined },
      options,
    );
    expect(env).toEqual({
      PATH: '/bin',
      HOME: '/home/x',
      EMPTY: '',
      PWD: '/project',
      CLAUDE_CODE_ENTRYPOINT: 'handrail',
      CLAUDE_AGENT_SDK_CLIENT_APP: 'handrail/1.2.3',
      CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1',
      CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    });
  });

  it('lacks what would mislead the child', () => {
    const base = {
      NODE_OPTIONS: '--inspect',
      DEBUG: '*',
      CLAUDECODE: '1',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: '/x.sock',
      VSCODE_PID: '1',
      VSCODE_INSPECTOR_OPTIONS: '{}',
      VSCODE_GIT_IPC_HANDLE: '/git.sock',
    };
    const env = cliEnvironment(base, options);
    expect(Object.keys(base).filter(name => name in env)).toEqual(['VSCODE_GIT_IPC_HANDLE']);
  });

  it('lets the user add and change, but not bring back what breaks the child', () => {
    const env = cliEnvironment(
      { A: '1' },
      {
        ...options,
        extra: { A: '2', CLAUDE_CODE_ENTRYPOINT: 'mine', CLAUDECODE: '1', NODE_OPTIONS: '-r x', DEBUG: 'api' },
      },
    );
    expect(env).toMatchObject({ A: '2', CLAUDE_CODE_ENTRYPOINT: 'mine', DEBUG: 'api' });
    expect(env).not.toHaveProperty('CLAUDECODE');
    expect(env).not.toHaveProperty('NODE_OPTIONS');
  });

  it('holds each variable once on Windows, whatever its letters', () => {
    const env = cliEnvironment(
      { Path: 'C:\\bin', node_options: '--inspect', ClaudeCode: '1' },
      { ...options, platform: 'win32', extra: { PATH: 'D:\\bin' } },
    );
    expect(Object.keys(env).filter(name => name.toUpperCase() === 'PATH')).toEqual(['Path']);
    expect(env['Path']).toBe('D:\\bin');
    expect(Object.keys(env).map(name => name.toUpperCase())).not.toContain('NODE_OPTIONS');
    expect(Object.keys(env).map(name => name.toUpperCase())).not.toContain('CLAUDECODE');
  });

  it('takes letters as they are elsewhere', () => {
    expect(cliEnvironment({ Path: 'a', PATH: 'b' }, options)).toMatchObject({ Path: 'a', PATH: 'b' });
  });
});
