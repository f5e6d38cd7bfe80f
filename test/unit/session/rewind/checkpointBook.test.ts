import { describe, expect, it } from 'vitest';
import { CheckpointBook } from '../../../../src/session/rewind/checkpointBook.ts';

const backup = (backupFileName: string | null, version: number) => ({ backupFileName, version });
const snapshot = (messageId: string, trackedFileBackups: Record<string, unknown>) => ({
  type: 'file-history-snapshot',
  messageId,
  snapshot: { messageId, trackedFileBackups },
});
const delta = (snapshotMessageId: string, trackingPath: string, copy: unknown) => ({
  type: 'file-history-delta',
  snapshotMessageId,
  trackingPath,
  backup: copy,
});

function bookOf(...lines: Record<string, unknown>[]): CheckpointBook {
  const book = new CheckpointBook();
  for (const line of lines) book.read(line);
  return book;
}

describe('the notes of checkpoints', () => {
  it('give for a prompt the copies held at it', () => {
    const book = bookOf(
      snapshot('p1', {}),
      delta('p1', 'a.txt', backup('a@v1', 1)),
      snapshot('p2', { 'a.txt': backup('a@v2', 2) }),
    );
    expect(book.targets('p1')).toEqual(new Map([['a.txt', 'a@v1']]));
    expect(book.targets('p2')).toEqual(new Map([['a.txt', 'a@v2']]));
  });

  it('give the first copy of a file that was not known yet at the prompt', () => {
    const book = bookOf(
      snapshot('p1', {}),
      snapshot('p2', {}),
      delta('p2', 'b.txt', backup('b@v1', 1)),
      snapshot('p3', { 'b.txt': backup('b@v2', 2) }),
    );
    expect(book.targets('p1')?.get('b.txt')).toBe('b@v1');
  });

  it('say that a file made since then goes', () => {
    const book = bookOf(snapshot('p1', {}), delta('p1', 'new.txt', backup(null, 1)));
    expect(book.targets('p1')).toEqual(new Map([['new.txt', null]]));
  });

  it('say that a file which was away at a prompt is away again', () => {
    const book = bookOf(
      snapshot('p1', { 'a.txt': backup('a@v1', 1) }),
      snapshot('p2', { 'a.txt': backup(null, 2) }),
      snapshot('p3', { 'a.txt': backup('a@v3', 3) }),
    );
    expect(book.targets('p2')?.get('a.txt')).toBeNull();
  });

  it('know no prompt without a checkpoint', () => {
    const book = bookOf(snapshot('p1', {}));
    expect(book.has('p1')).toBe(true);
    expect(book.has('p2')).toBe(false);
    expect(book.targets('p2')).toBeUndefined();
  });

  it('pass over lines that are broken or of another kind', () => {
    const book = bookOf(
      snapshot('p1', { 'a.txt': 'not a copy', 'b.txt': backup('b@v1', 1) }),
      { type: 'file-history-snapshot', snapshot: 7 },
      { type: 'file-history-delta', snapshotMessageId: 'p1', trackingPath: 3, backup: backup('x', 1) },
      { type: 'user', uuid: 'p9' },
    );
    expect(book.targets('p1')).toEqual(new Map([['b.txt', 'b@v1']]));
  });
});
