// Stands between Handrail and the command line program and writes down what they ask and answer, so that a test knows it from
// neither of the two. One file for each program, named by its process id.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Questions about tools, their answers, and their being taken back. */
const wanted = /"(?:can_use_tool|control_cancel_request|control_response)"/;

/** @param {{cli: string, folder: string}} options */
export function record({ cli, folder }) {
  const child = spawn(cli, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
  const file = fs.openSync(path.join(folder, `${child.pid}.ndjson`), 'a');
  /** @param {'cli' | 'host'} from */
  const writer = from => {
    let rest = '';
    /** @param {Buffer} chunk */
    return chunk => {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (wanted.test(line.slice(0, 400))) fs.writeSync(file, `{"from":"${from}","frame":${line}}\n`);
    };
  };
  const [fromHost, fromCli] = [writer('host'), writer('cli')];
  process.stdin.on('data', chunk => {
    fromHost(chunk);
    child.stdin.write(chunk);
  });
  process.stdin.on('end', () => child.stdin.end());
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', chunk => {
    fromCli(chunk);
    process.stdout.write(chunk);
  });
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 143)));
}
