// npm start: Handrail in a real VS Code on a sample project, from a fresh clone and with nothing installed.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { ensureCli, ensureVscode } from './lib/cache.mjs';
import { findOwnClaude } from './lib/claude.mjs';
import { Fault } from './lib/fault.mjs';
import { atEnd, temporaryFolder } from './lib/processes.mjs';
import { importTs } from './lib/runTs.mjs';
import { vscePackage } from './lib/vsce.mjs';
import { findDesktop, openBrowser, openDesktop, openWeb } from './lib/window.mjs';
import { createWorkspace } from './lib/workspace.mjs';
import { packageExtension } from './package.mjs';

/** @typedef {import('./lib/progress.mjs').Progress} Progress */
/** @typedef {{machine: Record<string, unknown>, env: NodeJS.ProcessEnv, menu: readonly (readonly [string, string])[]}} Agent */

const help = `npm start -- [options]

Builds Handrail, packages it and opens it in a real VS Code on a small sample project in a temporary folder.
Without options it rehearses: the real Claude Code program over a scripted model on this computer. No account is
needed, nothing is sent anywhere, nothing costs anything.

  --claude       use the claude on your PATH with your login, in place of the rehearsal
  --web          use VS Code in the browser even if there is a "code" on the PATH
  --port <n>     the port for VS Code in the browser (else the first free one from 8420)
  --no-browser   print the address, but open no browser
  --once         start everything, see that it answers, and end (for tests)
  --help         this text

Downloads (VS Code, Node, Claude Code; about 700 MB) are kept in a cache folder; HANDRAIL_CACHE names another one.
Ctrl+C ends everything and removes the temporary folder.
`;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        claude: { type: 'boolean', default: false },
        web: { type: 'boolean', default: false },
        port: { type: 'string' },
        browser: { type: 'boolean', default: true },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowNegative: true,
    });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
      throw new Fault(`${String(values.port)} is not a port: give a number from 1 to 65535.`);
    return { ...values, port };
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      `${error instanceof Error ? error.message : String(error)} (npm start -- --help explains the options.)`,
    );
  }
}

/** The person's own program with their login: their environment is passed on. @returns {Promise<Agent>} */
async function ownAgent() {
  return { machine: { 'handrail.claude.executable': await findOwnClaude() }, env: process.env, menu: [] };
}

/**
 * The pinned program over the scripted model. It sees an empty home: no login, settings or history of the person.
 * @param {Progress} progress
 * @param {string} temp
 * @returns {Promise<Agent>}
 */
async function rehearsalAgent({ step }, temp) {
  const executable = await step('Claude Code', note => ensureCli(undefined, note));
  const model = await step('Scripted model', async () => {
    /** @type {typeof import('../support/model/rehearsal.ts')} */
    const { startRehearsal } = await importTs('test/support/model/rehearsal.ts');
    return startRehearsal();
  });
  atEnd(() => model.stop());
  /** @type {typeof import('../support/model/rehearsal/texts.ts')} */
  const { menu } = await importTs('test/support/model/rehearsal/texts.ts');
  const home = path.join(temp, 'home');
  fs.mkdirSync(home);
  const environment = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'rehearsal',
    HOME: home,
    USERPROFILE: home,
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  // Keys, tokens and switches to another provider would lead the program past the scripted model.
  const foreign = /^(ANTHROPIC|CLAUDE|AWS|GOOGLE|VERTEX|CLOUD_ML|AZURE|npm)_|^(CLAUDECODE|NODE_OPTIONS|INIT_CWD)$/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return {
    machine: { 'handrail.claude.executable': executable, 'handrail.claude.environment': environment },
    env,
    menu,
  };
}

/** @param {readonly (readonly [string, string])[]} menu @param {(line: string) => void} log */
function tellWhatToTry(menu, log) {
  if (menu.length === 0) {
    log(
      'Handrail is in the side bar on the right. Your own Claude Code answers: what you ask costs what it always costs.',
    );
    return;
  }
  log('Handrail is in the side bar on the right. This is a rehearsal; type one of these words:');
  for (const [word, what] of menu) log(`  ${word.padEnd(10)} ${what}`);
}

/** @param {string} address @returns {Promise<void>} */
async function mustAnswer(address) {
  const response = await fetch(address, { signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Fault(`VS Code answered with ${response.status} at ${address}.`);
}

await program(async progress => {
  const { step, log } = progress;
  const options = readArguments();
  if (options.help) {
    log(help);
    return 0;
  }
  // Before anything is fetched: an agent that is asked for and not there is a quick answer.
  const own = options.claude ? await ownAgent() : undefined;
  await step('Dependencies', note => bootstrap(note));
  const temp = temporaryFolder('handrail');
  const vsix = [path.join(temp, 'handrail.vsix'), path.join(temp, 'opener.vsix')];
  await step('Build and package', async note => {
    await packageExtension({ out: path.join(temp, 'handrail.vsix'), log: note });
    await vscePackage(path.join(root, 'test', 'run', 'opener'), path.join(temp, 'opener.vsix'));
  });
  const agent = own ?? (await rehearsalAgent(progress, temp));
  const folder = path.join(temp, 'weather-station');
  await step('Sample project', note => createWorkspace(folder, note));
  const code = options.web || options.once ? undefined : findDesktop();
  const common = { folder, temp, vsix, machine: agent.machine, env: agent.env, log };
  const build = code ? undefined : await step('VS Code', note => ensureVscode(note));
  const window = await step('Window', () =>
    build ? openWeb({ ...common, build, port: options.port }) : openDesktop({ ...common, code: code ?? 'code' }),
  );
  log('');
  if (window.address) log(`Open ${window.address}\n`);
  tellWhatToTry(agent.menu, log);
  log(`\nReady after ${progress.elapsed()}. The sample project is in ${folder}. Press Ctrl+C to end.`);
  if (options.once) {
    if (window.address) await mustAnswer(window.address);
    return 0;
  }
  if (window.address && options.browser) await openBrowser(window.address, log);
  await window.closed;
  log(code ? 'The window is closed.' : 'VS Code has ended.');
  return code ? 0 : 1;
}, process.stdout);
