import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DiskSessionFiles } from '../../../src/host/disk/sessionFiles.ts';
import type { TranscriptRef } from '../../../src/session/store/sessionFiles.ts';
import { SessionStore } from '../../../src/session/store/sessionStore.ts';

/** `storeRun <what> <config folder> <cwd or session> <sdk>`: measures one thing about sessions on disk and prints it. */
const [what = '', config = '', name = '', sdk = ''] = process.argv.slice(2);

class CountingFiles extends DiskSessionFiles {
  readonly read = new Map<string, number>();

  override async readRange(ref: TranscriptRef, start: number, end: number): Promise<Uint8Array> {
    const bytes = await super.readRange(ref, start, end);
    this.read.set(ref.sessionId, (this.read.get(ref.sessionId) ?? 0) + bytes.length);
    return bytes;
  }
}

async function lastPage(): Promise<object> {
  const store = new SessionStore(new DiskSessionFiles(config));
  const from = performance.now();
  const found = await store.find(name);
  const history = await store.open({ project: found?.project ?? '', sessionId: name });
  const page = await history.older(50);
  const ms = performance.now() - from;
  return { ms, items: page?.items.length ?? 0 };
}

/** What anyone who wants all of a file has to do at least. */
function fullParse(): object {
  const from = performance.now();
  const lines = readFileSync(join(config, 'projects', basename(sdk), `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const parsed = lines.map(line => JSON.parse(line) as unknown);
  return { ms: performance.now() - from, items: parsed.length };
}

async function list(): Promise<object> {
  const files = new CountingFiles(config);
  const from = performance.now();
  const sessions = await new SessionStore(files).list([name]);
  const ms = performance.now() - from;
  return {
    ms,
    items: sessions.filter(each => each.hiddenReason === undefined).length,
    most: Math.max(...files.read.values()) / 1024,
  };
}

async function listWithSdk(): Promise<object> {
  process.env['CLAUDE_CONFIG_DIR'] = config;
  // Fetched for the bench, not installed: its types are not here.
  const { listSessions } = (await import(sdk)) as { listSessions: (options: object) => Promise<unknown[]> };
  const from = performance.now();
  const sessions = await listSessions({ dir: name });
  return { ms: performance.now() - from, items: sessions.length };
}

const ways: Readonly<Record<string, () => object | Promise<object>>> = { lastPage, fullParse, list, listWithSdk };
console.log(JSON.stringify(await ways[what]?.()));
