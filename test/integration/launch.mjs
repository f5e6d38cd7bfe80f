// Runs the bundled suites in one VS Code, through @vscode/test-electron. A process of its own, because that package hands
// its whole environment on to VS Code: this one is started with an allow-list. Told what to do by `HANDRAIL_LAUNCH`.
import { runTests } from '@vscode/test-electron';

/**
 * @typedef {object} Launch
 * @property {string} executable VS Code, or the launcher that stands in for it
 * @property {string} extension folder of the extension
 * @property {string} suite the bundled suite
 * @property {string[]} args
 */

/** @type {Launch} */
const launch = JSON.parse(process.env['HANDRAIL_LAUNCH'] ?? '{}');

try {
  await runTests({
    vscodeExecutablePath: launch.executable,
    extensionDevelopmentPath: launch.extension,
    extensionTestsPath: launch.suite,
    launchArgs: launch.args,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
