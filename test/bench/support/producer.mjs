// The other end of the line for the benches: answers `initialize`, and at the first prompt writes a prepared file as fast
// as the pipe takes it. Everything is read beforehand, so that only the consumer is measured.
import { readFileSync, writeSync } from 'node:fs';

const content = readFileSync(process.env['HANDRAIL_BENCH_FILE'] ?? '');

/** @param {Buffer} bytes */
function writeAll(bytes) {
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(1, bytes, from, Math.min(65_536, bytes.length - from));
    } catch (error) {
      // A pipe that is full for the moment.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.05);
    }
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', chunk => {
  const lines = (rest + String(chunk)).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    /** @type {{type: string, request_id?: string, request?: {subtype?: string}}} */
    const frame = JSON.parse(line);
    if (frame.type === 'control_request') {
      const response =
        frame.request?.subtype === 'initialize' ? { commands: [], agents: [], models: [], account: {} } : {};
      const answer = {
        type: 'control_response',
        response: { subtype: 'success', request_id: frame.request_id, response },
      };
      writeAll(Buffer.from(`${JSON.stringify(answer)}\n`));
    }
    if (frame.type === 'user') writeAll(content);
  }
});
process.stdin.on('end', () => process.exit(0));
