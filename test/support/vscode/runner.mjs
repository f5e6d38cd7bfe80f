// Runs in the extension host in place of the suite named by `--extensionTestsPath`, on behalf of `code.mjs`: sends all
// that the suite prints to a file, and leaves a mark when the suite has come to its end. The mark matters because VS Code
// reports an extension host that was killed as a success.
import { openSync, writeFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

/** @type {{ tests: string, output: string, passed: string }} */
const { tests, output, passed } = JSON.parse(process.env['HANDRAIL_RUNNER'] ?? '{}');

/** @returns {Promise<{ run: () => Promise<void> }>} */
async function loadSuite() {
  const suite = await import(pathToFileURL(tests).href);
  return suite.run === undefined ? suite.default : suite;
}

/** @param {number} file */
function redirectOutput(file) {
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
    // In the extension host these are accessors whose setter does nothing, so an assignment would be lost.
    Object.defineProperty(console, name, {
      configurable: true,
      get:
        () =>
        /** @param {unknown[]} values */
        (...values) =>
          writeSync(file, `${format(...values)}\n`),
      set: () => undefined,
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    /**
     * @param {string | Uint8Array} chunk
     * @param {BufferEncoding | ((error?: Error | null) => void)} [encoding]
     * @param {(error?: Error | null) => void} [callback]
     */
    stream.write = (chunk, encoding, callback) => {
      writeSync(file, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      const done = typeof encoding === 'function' ? encoding : callback;
      done?.();
      return true;
    };
  }
}

export async function run() {
  const file = openSync(output, 'a');
  redirectOutput(file);
  try {
    await (await loadSuite()).run();
    writeFileSync(passed, '');
  } catch (error) {
    writeSync(file, `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    throw error;
  }
}
