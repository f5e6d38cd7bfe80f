import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { cliEnvironment, cliPath, makeHome, makeWorkspace } from '../../support/cli/realCli.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('gives a CLI under test nothing of the machine but the way to its programs', () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-real');
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'real-token');
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.invalid');
  vi.stubEnv('NODE_OPTIONS', '--inspect');
  const environment = cliEnvironment({ model: { url: 'http://127.0.0.1:1' }, home: '/h', extra: { EXTRA: '1' } });
  expect(JSON.stringify(environment)).not.toMatch(/real|proxy|inspect/);
  expect(environment).toMatchObject({
    HOME: '/h',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    EXTRA: '1',
  });
});

it('makes folders for one test and takes them away again', async () => {
  const home = await makeHome();
  const workspace = await makeWorkspace({ 'src/deep/a.ts': 'a' });
  expect(await readFile(join(workspace.path, 'src/deep/a.ts'), 'utf8')).toBe('a');
  await access(join(home.path, 'tmp'));
  await Promise.all([home.dispose(), workspace.dispose()]);
  await expect(access(home.path)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(access(workspace.path)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('takes the CLI that HANDRAIL_TEST_CLI names', async () => {
  vi.stubEnv('HANDRAIL_TEST_CLI', '/opt/other/claude');
  expect(await cliPath()).toBe('/opt/other/claude');
});
