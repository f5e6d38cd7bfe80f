import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const at = (index: number) => new Date(1_790_000_000_000 + index * 1000).toISOString();

/** One transcript of at least so many bytes in the form the CLI writes: turns of prompt, recorded request, tool and text. */
export function writeTranscript(folder: string, sessionId: string, bytes: number, cwd: string): void {
  mkdirSync(folder, { recursive: true });
  const out = openSync(join(folder, `${sessionId}.jsonl`), 'w');
  let parentUuid: string | null = null;
  let written = 0;
  const node = (type: string, fields: object): void => {
    const uuid = randomUUID();
    const base = {
      parentUuid,
      isSidechain: false,
      type,
      uuid,
      timestamp: at(written),
      cwd,
      sessionId,
      version: '2.1.326',
    };
    written += writeSync(
      out,
      `${JSON.stringify({ ...base, gitBranch: 'main', entrypoint: 'handrail', userType: 'external', ...fields })}\n`,
    );
    parentUuid = uuid;
  };
  const request = JSON.stringify({ type: 'api-request-blob', blob: 'x'.repeat(4000) });
  for (let turn = 0; written < bytes; turn++) {
    const id = `msg_${turn}`;
    const message = { id, type: 'message', role: 'assistant', model: 'claude', stop_reason: null, usage: {} };
    node('user', { message: { role: 'user', content: `Prompt number ${turn}` } });
    written += writeSync(out, `${request}\n`);
    const use = { type: 'tool_use', id: `toolu_${turn}`, name: 'Bash', input: { command: 'npm test' } };
    node('assistant', { message: { ...message, content: [use] } });
    const output = `line of output ${turn}\n`.repeat(60);
    const content = [{ type: 'tool_result', tool_use_id: use.id, content: output }];
    node('user', {
      message: { role: 'user', content },
      toolUseResult: { stdout: output, stderr: '', interrupted: false },
    });
    node('assistant', {
      message: { ...message, id: `${id}b`, content: [{ type: 'text', text: `Answer ${turn}. `.repeat(20) }] },
    });
  }
  writeSync(
    out,
    `${JSON.stringify({ type: 'last-prompt', lastPrompt: 'The last prompt', sessionId, leafUuid: parentUuid })}\n`,
  );
  closeSync(out);
}

/** So many sessions of one folder, of different age. Returns the folder of the project. */
export function writeSessions(config: string, cwd: string, count: number, bytes: number): string {
  const folder = join(config, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  for (let index = 0; index < count; index++) {
    const sessionId = randomUUID();
    writeTranscript(folder, sessionId, bytes, cwd);
    const time = 1_790_000_000 + index;
    utimesSync(join(folder, `${sessionId}.jsonl`), time, time);
  }
  return folder;
}
