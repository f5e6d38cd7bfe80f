import { readdirSync, readFileSync } from 'node:fs';
import { isAlive, until } from '../support/processes.ts';

/**
 * Processes whose environment names this home: everything a CLI under test has started, whoever is its parent now.
 * Elsewhere than on Linux the environment of others cannot be read; there only the pids a test knows are looked at.
 */
export function processesOf(home: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && name !== String(process.pid))
    .map(Number)
    .filter(pid => environmentOf(pid).includes(`HOME=${home}`) && isAlive(pid));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch (error) {
    // It ended while we looked, or belongs to somebody else.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

export async function nothingIsLeft(home: string, limitMs = 10_000): Promise<void> {
  await until(
    `no process of ${home} is left (${processesOf(home).join(', ')})`,
    () => processesOf(home).length === 0,
    limitMs,
  );
}
