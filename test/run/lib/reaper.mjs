// The safety net of processes.mjs: waits for the end of its input, which comes when the program that started it is gone,
// even by SIGKILL, and then ends the process groups and removes the folders that program still owned.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';

/** @type {Set<number>} */
const pids = new Set();
/** @type {Set<string>} */
const folders = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

readline
  .createInterface({ input: process.stdin })
  .on('line', line => {
    /** @type {{pid?: number, folder?: string, forgetPid?: number, forgetFolder?: string}} */
    const note = JSON.parse(line);
    if (note.pid !== undefined) pids.add(note.pid);
    if (note.folder !== undefined) folders.add(note.folder);
    if (note.forgetPid !== undefined) pids.delete(note.forgetPid);
    if (note.forgetFolder !== undefined) folders.delete(note.forgetFolder);
  })
  .on('close', () => {
    signalAll('SIGTERM');
    setTimeout(
      () => {
        signalAll('SIGKILL');
        for (const folder of folders)
          fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
        process.exit(0);
      },
      pids.size ? 2500 : 0,
    );
  });

/** @param {NodeJS.Signals} signal */
function signalAll(signal) {
  for (const pid of pids) {
    if (process.platform === 'win32') {
      execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => undefined);
      continue;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      pids.delete(pid); // the group is gone
    }
  }
}
