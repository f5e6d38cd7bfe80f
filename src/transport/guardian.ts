/**
 * The guardian: a program of its own (`dist/guardian.js`), started by `ProcessGuard`. It holds one end of a pipe whose
 * other end only the extension host holds. Whichever way the host dies, also by SIGKILL, the pipe ends, and the guardian
 * ends what the host had registered and had no chance to stop. Then, or with nothing registered, it leaves.
 */
import { GuardedProcesses, parseGuardianOrder } from './guardedProcesses.ts';
import { systemProcessTable } from './processTable.ts';
import { defaultStopTimes } from './stopLadder.ts';

// Other times than the usual ones come as two numbers (tests); see `GuardianProcessOptions`.
const [endInputMs, terminateMs] = process.argv.slice(2, 4).map(Number);
const stopTimes =
  endInputMs !== undefined && terminateMs !== undefined
    ? { ...defaultStopTimes, endInputMs, terminateMs }
    : defaultStopTimes;
const guarded = new GuardedProcesses(systemProcessTable(), { stopTimes });
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const order = parseGuardianOrder(line);
    if (order) guarded.take(order);
  }
});
// Not `process.exit`: on its way out Node can wait for ever for one of its threads (nodejs/node#54918), and a guardian that
// nobody is left to miss would stay. There is nothing to put in order and nobody to read an exit code.
const leave = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
let gone = false;
const hostGone = (): void => {
  if (gone) return;
  gone = true;
  guarded.hostGone().then(leave, leave);
};
process.stdin.on('end', hostGone);
process.stdin.on('error', hostGone);
// A closing terminal or a Ctrl+C meant for the host is not meant for us: the pipe is what tells.
process.on('SIGHUP', () => undefined);
process.on('SIGINT', () => undefined);
