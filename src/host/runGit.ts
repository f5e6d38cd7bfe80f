import { spawn } from 'node:child_process';
import { findGit } from './findGit.ts';

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Exit codes that are an answer; 0 unless told. */
  readonly mayEndWith?: readonly number[];
}

export class GitError extends Error {
  override readonly name = 'GitError';
  /** `missing`: there is no git. */
  readonly code: 'missing' | 'failed';

  constructor(code: GitError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What keeps git from doing anything but what it is asked: no locks, no hooks' switches, no watchers, no prompts. */
const quiet = ['core.fsmonitor=false', 'core.untrackedCache=false', 'core.splitIndex=false', 'core.safecrlf=false'];

/** The person's environment without the variables that would turn git to another repository or index. */
function baseEnvironment(): Record<string, string | undefined> {
  const entries = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'));
  return {
    ...Object.fromEntries(entries),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}

/** Runs git once and gives its output. Rejects with `GitError`. */
export async function runGit(call: GitCall): Promise<Buffer> {
  const git = findGit();
  if (git === undefined) throw new GitError('missing', 'There is no git on the PATH.');
  const args = [...quiet.flatMap(setting => ['-c', setting]), ...call.args];
  return new Promise((resolve, reject) => {
    const child = spawn(git, args, {
      cwd: call.cwd,
      env: { ...baseEnvironment(), ...call.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    const output: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 10_000) complaint += chunk.toString('utf8');
    });
    // A git that ends early does not read the rest of its input; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.on('error', error => {
      const missing = 'code' in error && error.code === 'ENOENT';
      reject(new GitError(missing ? 'missing' : 'failed', error.message, { cause: error }));
    });
    child.on('close', code => {
      if (code !== null && (call.mayEndWith ?? [0]).includes(code)) resolve(Buffer.concat(output));
      else reject(new GitError('failed', `git ${call.args[0] ?? ''} ended with ${String(code)}: ${complaint.trim()}`));
    });
    child.stdin.end(call.input ?? '');
  });
}

/** Entries of output that was asked for with `-z`. */
export function zeroSeparated(output: Buffer): string[] {
  const text = output.toString('utf8');
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}
