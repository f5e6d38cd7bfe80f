// `npm run soak [seconds]`: sessions, tabs, interrupts and reloads in a real VS Code with the real command line program, for an
// hour unless told otherwise. Fails if memory, handles or processes of the extension host grow.
import path from 'node:path';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { Fault } from './lib/fault.mjs';

await program(async ({ log, step }) => {
  const seconds = Number(process.argv[2] ?? 3600);
  if (!(seconds >= 10)) throw new Fault('Say how many seconds it shall take, at least 10: npm run soak 600');
  await step('Dependencies', bootstrap);
  // After the dependencies: these modules need them.
  const { prepare } = await import('./layers/e2e.mjs');
  const { removeFolder, run } = await import('./lib/processes.mjs');
  const artifacts = path.join(root, 'artifacts', 'soak');
  const prepared = await step('VS Code, the agent and the packaged extension', note =>
    prepare({ root, log: note, artifacts }),
  );
  const home = path.dirname(prepared.extensions);
  const { PATH, LANG, TMPDIR, TEMP, TMP, SystemRoot, ComSpec, PATHEXT } = process.env;
  const playwright = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const { code } = await run(
    process.execPath,
    // Once only: a second try would hide what went wrong in the first hour.
    [playwright, 'test', '--config', 'test/e2e/playwright.config.ts', '--retries=0', 'sessionsSoak'],
    {
      cwd: root,
      what: 'The soak run',
      timeoutMs: seconds * 1000 + 300_000,
      onLine: log,
      env: {
        ...{ PATH, LANG, TMPDIR, TEMP, TMP, SystemRoot, ComSpec, PATHEXT },
        HOME: home,
        HANDRAIL_E2E: JSON.stringify(prepared),
        HANDRAIL_SOAK_SECONDS: String(seconds),
      },
    },
  );
  removeFolder(home);
  return code === 0 ? 0 : 1;
});
