import type { NoticeItem, TranscriptItem } from '../../session/transcriptModel.ts';
import { insidePath } from '../paths.ts';
import type { PendingState } from './promptStates.ts';
import type { HeldState, RewindRecord } from './safekeeping.ts';

/** What a chat needs of rewinds. `Chat` is the chat itself, whatever it is to the one who answers. */
export interface ChatRewind<Chat> {
  /** Before a prompt goes out: the state of the folder is being held. */
  before(folder: string): Promise<PendingState>;
  /** The prompt has its id. Without a state it waits in the queue, and the state is taken when it begins. */
  sent(chat: Chat, promptId: string, state: PendingState | undefined): void;
  /** Rewinds of a session as rows of its conversation, oldest first. */
  rows(folder: string, sessionId: string): Promise<readonly NoticeItem[]>;
  rewindTo(chat: Chat, promptId: string): Promise<void>;
  undo(chat: Chat, rowId: string): Promise<void>;
}

const rowPrefix = 'rewind:';

/** A rewind as a row of the conversation. */
export function rowOf(record: RewindRecord): NoticeItem {
  const gone = record.files.filter(file => file.copy !== null && file.after === null);
  const back = record.files.filter(file => !gone.includes(file));
  const nameOf = ({ path }: HeldState): string => insidePath(path, record.folder) ?? path;
  return {
    kind: 'notice',
    id: `${rowPrefix}${record.id}`,
    at: record.at,
    notice: {
      type: 'rewound',
      what: record.kind,
      files: back.map(nameOf),
      removed: gone.map(nameOf),
      undone: record.undone,
    },
  };
}

export function recordIdOf(rowId: string): string {
  return rowId.startsWith(rowPrefix) ? rowId.slice(rowPrefix.length) : rowId;
}

/** Puts rows between the items of a page by their time; rows from before the page stay out unless it is the oldest. */
export function woven(
  items: readonly TranscriptItem[],
  rows: readonly NoticeItem[],
  until = Infinity,
): readonly TranscriptItem[] {
  const first = items.find(item => item.at > 0)?.at;
  if (first === undefined) return items;
  const all = [...items];
  for (const row of rows) {
    if (row.at < first || row.at >= until) continue;
    const next = all.findIndex(item => item.at > row.at && item.parentToolUseId === undefined);
    all.splice(next < 0 ? endOfTop(all) : next, 0, row);
  }
  return all;
}

/** Nested items stand behind all others. */
function endOfTop(items: readonly TranscriptItem[]): number {
  const nested = items.findIndex(item => item.parentToolUseId !== undefined);
  return nested < 0 ? items.length : nested;
}
