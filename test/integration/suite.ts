import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Mocha from 'mocha';

/** What a run leaves in the file named by `HANDRAIL_TEST_RESULTS`; without the file, the suite did not come to its end. */
export interface SuiteResults {
  readonly passed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

/** Called by VS Code in the extension host: runs every test file that stands beside this one. */
export async function run(): Promise<void> {
  const results = process.env['HANDRAIL_TEST_RESULTS'];
  if (results === undefined) throw new Error('HANDRAIL_TEST_RESULTS does not say where the results go.');
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: 20_000, color: false, forbidOnly: true });
  for (const file of await testFiles(import.meta.dirname)) mocha.addFile(file);
  const { passed, failures } = await runMocha(mocha);
  await writeFile(results, JSON.stringify({ passed, failures } satisfies SuiteResults));
  if (failures.length > 0) throw new Error(`${failures.length} failed`);
}

async function testFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files
    .filter(file => file.endsWith('.test.cjs'))
    .sort()
    .map(file => path.join(folder, file));
}

function runMocha(mocha: Mocha): Promise<SuiteResults> {
  return new Promise(resolve => {
    let passed = 0;
    const failures: { title: string; message: string }[] = [];
    const runner = mocha.run(() => resolve({ passed, failures }));
    runner.on(Mocha.Runner.constants.EVENT_TEST_PASS, () => (passed += 1));
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error: unknown) => {
      failures.push({ title: test.fullTitle(), message: error instanceof Error ? error.message : String(error) });
    });
  });
}
