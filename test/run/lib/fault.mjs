// Failures a person can do something about. They are shown as one sentence, never as a stack trace.

/** An expected failure: its message says what is missing and what to do. */
export class Fault extends Error {
  /** @param {string} message @param {{cause?: unknown}} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = 'Fault';
  }
}

/** @param {unknown} error @returns {string} */
const codeOf = error =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** @param {unknown} error @returns {string} */
const textOf = error => (error instanceof Error ? error.message : String(error));

/** @type {[RegExp, string][]} */
const sentences = [
  [
    /ENOSPC|No space left on device/i,
    'The disk is full: free some space (about 2 GB are needed), then run this again.',
  ],
  [
    /EDQUOT|Disk quota exceeded/i,
    'The disk quota is used up: free some space (about 2 GB are needed), then run this again.',
  ],
  [/EADDRINUSE/, 'The port is taken: choose another one with --port, or stop the program that holds it.'],
  [/EROFS/, 'The folder is read-only: run this in a place you may write to, or set HANDRAIL_CACHE to such a folder.'],
  [/EMFILE|ENFILE/, 'Too many files are open: raise the limit (ulimit -n 4096), then run this again.'],
];

/**
 * The sentence for a failure that comes from the machine and not from the code, if it is one.
 * @param {unknown} error
 * @returns {Fault | undefined}
 */
export function asFault(error) {
  if (error instanceof Fault) return error;
  const text = `${codeOf(error)} ${textOf(error)}`;
  const found = sentences.find(([pattern]) => pattern.test(text));
  if (found) return new Fault(found[1], { cause: error });
  if (/^(EACCES|EPERM)$/.test(codeOf(error)))
    return new Fault(`No permission: ${textOf(error)}. Give yourself the right to that path, then run this again.`, {
      cause: error,
    });
  return undefined;
}

/**
 * What npm wrote when it failed, as one sentence.
 * @param {string} output
 * @param {string} what what was being fetched, e.g. `code-server@4.139.1`
 * @returns {Fault}
 */
export function npmFault(output, what) {
  const machine = asFault(new Error(output));
  if (machine) return machine;
  const code =
    /(?:npm error code |errno |code )(E[A-Z0-9_]+|SELF_SIGNED\w*|UNABLE_TO\w*|DEPTH_ZERO\w*|CERT_\w+)/.exec(
      output,
    )?.[1] ?? '';
  if (
    /^(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EPROTO|E5\d\d)$/.test(
      code,
    )
  )
    return new Fault(
      `The npm registry cannot be reached (${code}) to fetch ${what}: connect to the internet, or set npm_config_registry to a mirror, then run this again.`,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return new Fault(
      `The npm registry's certificate is not trusted (${code}): set NODE_EXTRA_CA_CERTS to your company's certificate, then run this again.`,
    );
  if (/^(E401|E403|ENEEDAUTH)$/.test(code))
    return new Fault(
      `The npm registry refuses ${what} (${code}): check the registry and its token in your npm settings.`,
    );
  if (/^(E404|ETARGET|ENOVERSIONS)$/.test(code))
    return new Fault(`The npm registry does not have ${what} (${code}): set npm_config_registry to a complete mirror.`);
  if (code === 'EUSAGE' && /in sync/.test(output))
    return new Fault(
      'package-lock.json does not fit package.json: run "npm install" and commit the new lock file, then run this again.',
    );
  if (code === 'EINTEGRITY')
    return new Fault(
      `What the npm registry sent for ${what} does not fit its checksum: try again, or use another registry.`,
    );
  if (code === 'EACCES' || code === 'EPERM')
    return new Fault(
      `npm has no permission to write while installing ${what}: make the project folder and npm's cache folder writable.`,
    );
  const lines = output.split('\n').filter(line => /npm error/.test(line) && !/complete log|debug-\d/.test(line));
  const detail =
    lines
      .slice(0, 3)
      .map(line => line.replace(/^npm error\s*/, ''))
      .join(' ') || output.trim().slice(-300);
  return new Fault(`npm could not install ${what}: ${detail || 'it gave no reason'}`);
}
