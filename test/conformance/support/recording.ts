import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../fixtures/transcripts');

/** What a real CLI once wrote, record by record (see test/fixtures/transcripts). */
export function readRecording(name: string, file = 'live.ndjson'): unknown[] {
  const rows = readFileSync(join(folder, name, file), 'utf8')
    .trimEnd()
    .split('\n');
  return rows.flatMap(row => {
    // Our own file: one row is `{dir, msg}`.
    const { dir, msg } = JSON.parse(row) as { dir: string; msg: unknown };
    return dir === 'out' ? [msg] : [];
  });
}
