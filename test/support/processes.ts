import { existsSync, readFileSync } from 'node:fs';

/** Whether a process with this pid runs. A zombie, which only waits for its parent, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
  const stat = `/proc/${pid}/stat`;
  if (!existsSync('/proc/self/stat')) return true;
  try {
    const text = readFileSync(stat, 'utf8');
    return !['Z', 'X'].includes(text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** Waits for a condition, looking often; rejects with what was waited for when the limit has passed. */
export async function until(what: string, condition: () => boolean, limitMs = 10_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain until ${what}.`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

export function untilGone(pid: number, limitMs?: number): Promise<void> {
  return until(`process ${pid} is gone`, () => !isAlive(pid), limitMs);
}

/** For the clean-up of a test: ends one process that the test itself has started. */
export function endProcess(pid: number | undefined): void {
  if (pid === undefined || !isAlive(pid)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Gone between the look and the signal.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
