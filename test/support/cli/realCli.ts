import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A folder that a test owns; `dispose` removes it with all it holds. */
export interface TempFolder {
  readonly path: string;
  dispose(): Promise<void>;
}

export interface CliEnvironmentOptions {
  /** The scripted model, or anything else with an address. */
  readonly model: { readonly url: string };
  /** A temporary home: settings, transcripts and checkpoints of the CLI go there. */
  readonly home: string;
  readonly extra?: Readonly<Record<string, string>>;
}

/** Variables without which programs do not start on Windows. */
const windowsNeeds = ['SystemRoot', 'ComSpec', 'PATHEXT', 'windir'];

/**
 * The whole environment of a CLI under test: an allow-list, so that no key, proxy or setting of the machine leaks in and
 * no request can leave loopback.
 */
export function cliEnvironment(options: CliEnvironmentOptions): Record<string, string> {
  const environment: Record<string, string> = {
    // Node's own folder comes first, so that `node` and `npm` are the ones that run the tests.
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: options.home,
    TMPDIR: join(options.home, 'tmp'),
    LANG: 'C.UTF-8',
    ANTHROPIC_API_KEY: 'sk-ant-scripted-model',
    ANTHROPIC_BASE_URL: options.model.url,
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  if (process.platform === 'win32') {
    for (const name of windowsNeeds) {
      const value = process.env[name];
      if (value !== undefined) environment[name] = value;
    }
    environment['USERPROFILE'] = options.home;
    environment['APPDATA'] = join(options.home, 'AppData', 'Roaming');
    environment['LOCALAPPDATA'] = join(options.home, 'AppData', 'Local');
    environment['TEMP'] = environment['TMP'] = join(options.home, 'tmp');
  }
  return { ...environment, ...options.extra };
}

/** An empty home for one CLI, with the temporary folder that `cliEnvironment` points to. */
export async function makeHome(): Promise<TempFolder> {
  const home = await makeFolder('handrail-home-');
  await mkdir(join(home.path, 'tmp'));
  return home;
}

/** A workspace with these files: relative path to content. */
export async function makeWorkspace(files: Readonly<Record<string, string>> = {}): Promise<TempFolder> {
  const folder = await makeFolder('handrail-ws-');
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}

async function makeFolder(prefix: string): Promise<TempFolder> {
  // The CLI resolves links (macOS: /var is one), so the tests do too.
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  return { path, dispose: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

/**
 * The pinned CLI, fetched once into the per-user cache of the test runner. `HANDRAIL_TEST_CLI` names another one, to try the
 * tests against a newer version.
 */
export async function cliPath(): Promise<string> {
  const chosen = process.env['HANDRAIL_TEST_CLI'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const { ensureCli } = await import('../../run/lib/cli.mjs');
  return ensureCli();
}
