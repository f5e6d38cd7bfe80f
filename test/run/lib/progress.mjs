// What a person sees while the programs in test/run work: one line per step, with the time it took.

const started = Date.now();

/** @param {number} ms @returns {string} */
export const seconds = ms => `${(ms / 1000).toFixed(1)} s`;

/** @typedef {(line: string) => void} Log */

/**
 * @typedef {object} Progress
 * @property {Log} log
 * @property {<T>(title: string, work: (note: Log) => Promise<T> | T) => Promise<T>} step shows the title, the notes, and the time
 * @property {() => string} elapsed
 */

/**
 * @param {NodeJS.WriteStream} [stream]
 * @returns {Progress}
 */
export function createProgress(stream = process.stderr) {
  /** @type {Log} */
  const log = line => void stream.write(`${line}\n`);
  return {
    log,
    elapsed: () => seconds(Date.now() - started),
    step: async (title, work) => {
      const from = Date.now();
      log(`• ${title} …`);
      const result = await work(line => log(`    ${line}`));
      log(`✓ ${title} (${seconds(Date.now() - from)})`);
      return result;
    },
  };
}
