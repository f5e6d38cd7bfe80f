import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import type { CliFrame } from '../../../../src/protocol/cliFrame.ts';
import { decodeFrame } from '../../../../src/protocol/decodeFrame.ts';
import { SessionStore } from '../../../../src/session/store/sessionStore.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import type { TranscriptItem } from '../../../../src/session/transcriptModel.ts';

/** Conversations with the real CLI and a scripted model: what went over the wire, and what the CLI wrote to disk. */
export const recordings = join(import.meta.dirname, '../../../fixtures/transcripts');

export type Row =
  | { readonly dir: 'out'; readonly frame: CliFrame }
  | { readonly dir: 'in'; readonly uuid: string; readonly text: string };

export function readRows(name: string, file = 'live.ndjson'): Row[] {
  const lines = readFileSync(join(recordings, name, file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.flatMap((line): Row[] => {
    // Our own fixture: a wrong form fails the tests that read it.
    const row = JSON.parse(line) as { dir: 'in' | 'out'; msg: SentMessage };
    if (row.dir === 'in') {
      return [{ dir: 'in', uuid: row.msg.uuid, text: row.msg.message.content.map(block => block.text).join('\n') }];
    }
    const frame = decodeFrame(JSON.stringify(row.msg), problem => {
      throw new Error(`${name}: ${problem.code} ${problem.message}`);
    });
    return frame ? [{ dir: 'out', frame }] : [];
  });
}

interface SentMessage {
  readonly uuid: string;
  readonly message: { readonly content: readonly { readonly text: string }[] };
}

/** As the session would do it: a prompt that is sent between a turn's beginning and its result waits. */
export function play(transcript: Transcript, rows: readonly Row[]): Transcript {
  let busy = false;
  for (const row of rows) {
    if (row.dir === 'in') {
      transcript.promptSent({ uuid: row.uuid, text: row.text, attachments: [], queued: busy });
      busy = true;
      continue;
    }
    transcript.apply(row.frame);
    if (row.frame.type === 'system' && row.frame.subtype === 'init') busy = true;
    if (row.frame.type === 'result') busy = false;
  }
  return transcript;
}

export function playLive(name: string, file?: string): Transcript {
  return play(new Transcript(), readRows(name, file));
}

/** Top level and nested, as a page of history has them. */
export function allItems(transcript: Transcript): TranscriptItem[] {
  const nested = (items: readonly TranscriptItem[]): TranscriptItem[] =>
    items.flatMap(item => {
      const children = transcript.childrenOf(item.id);
      return [...children, ...nested(children)];
    });
  return [...transcript.items, ...nested(transcript.items)];
}

export function storeOf(name: string): SessionStore {
  return new SessionStore(new DiskSessionFiles(join(recordings, name)));
}

export function sessionsOf(name: string): string[] {
  const folder = join(recordings, name, 'projects', '-workspace');
  return readdirSync(folder).flatMap(file => (file.endsWith('.jsonl') ? [file.slice(0, -'.jsonl'.length)] : []));
}

export async function readDisk(
  name: string,
  sessionId = sessionsOf(name)[0] ?? '',
  pageSize = 10_000,
): Promise<TranscriptItem[]> {
  const history = await storeOf(name).open({ project: '-workspace', sessionId }, { acrossCompaction: true });
  const pages: (readonly TranscriptItem[])[] = [];
  for (let page = await history.older(pageSize); page; page = await history.older(pageSize)) pages.push(page.items);
  return pages.reverse().flat();
}
