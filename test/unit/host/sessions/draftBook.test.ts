import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { HostMessage } from '../../../../src/bridge/hostMessages.ts';
import type { ViewAttachment } from '../../../../src/bridge/viewMessages.ts';
import { ChatDrafts } from '../../../../src/host/chat/chatDrafts.ts';
import { DraftBook, draftKeyOf } from '../../../../src/host/sessions/draftBook.ts';
import type { RunningCommand } from '../../../../src/host/sessions/sessionHolder.ts';

const picture: ViewAttachment = { kind: 'image', id: 'i', name: 'dot.png', mediaType: 'image/png', data: 'AA==' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-drafts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const book = (): DraftBook => new DraftBook(folder, silentLogger);

describe('the book of drafts', () => {
  it('has a blank page for each window on a folder', () => {
    const keys = [draftKeyOf('/p'), draftKeyOf('/p', 'file:///a.code-workspace'), draftKeyOf('/p', 'untitled:/1')];
    expect(new Set(keys).size).toBe(3);
    expect(draftKeyOf('/p', 'untitled:/1')).toBe(keys[2]);
  });

  it('keeps words and pictures for the next window', async () => {
    const drafts = book();
    drafts.keepText('s1', 'half');
    drafts.keepText('s1', 'half a sentence');
    drafts.keepAttachments('s1', [picture]);
    await drafts.settled();
    expect(await book().read('s1')).toEqual({ text: 'half a sentence', attachments: [picture] });
  });

  it('tells what is not on disk yet', async () => {
    const drafts = book();
    drafts.keepAttachments('s1', [picture]);
    expect(await drafts.read('s1')).toEqual({ text: '', attachments: [picture] });
    await drafts.settled();
  });

  it('leaves no file behind for what was sent', async () => {
    const drafts = book();
    drafts.keepText('s1', 'words');
    drafts.keepAttachments('s1', [picture]);
    await drafts.settled();
    drafts.keepText('s1', '');
    drafts.keepAttachments('s1', []);
    await drafts.settled();
    expect(await readdir(folder)).toEqual([]);
  });

  it('knows that a draft was sent, for a page that remembers an earlier state', async () => {
    const drafts = book();
    drafts.keepText('s1', 'words', 1);
    drafts.keepText('s1', '', 2);
    await drafts.settled();
    expect(await book().read('s1')).toEqual({ text: '', attachments: [], revision: 2 });
    const old = new Date(Date.now() - 40 * 24 * 3_600_000);
    await utimes(join(folder, 's1.draft.json'), old, old);
    await book().read('any');
    await expect.poll(() => readdir(folder)).toEqual([]);
  });

  it('forgets conversations that never began after a month, and no others', async () => {
    const drafts = book();
    for (const key of ['new-old', 'new-young', 'session']) drafts.keepText(key, 'fix login', 6);
    await drafts.settled();
    const old = new Date(Date.now() - 40 * 24 * 3_600_000);
    for (const key of ['new-old', 'session']) await utimes(join(folder, `${key}.draft.json`), old, old);
    const later = book();
    await later.read('any');
    await expect.poll(() => readdir(folder)).toEqual(['new-young.draft.json', 'session.draft.json']);
  });
});

describe('a message on its way', () => {
  const message = { text: 'sent', attachments: [picture] };

  it('is there for the next window until the agent has begun with it', async () => {
    const drafts = book();
    drafts.sending('s1', 'm1', message);
    drafts.sending('s1', 'm2', { text: 'and this', attachments: [] });
    drafts.keepText('s1', 'half');
    await drafts.settled();
    expect(await drafts.read('s1')).toEqual({ text: 'half', attachments: [] });
    drafts.gone('m2');
    await drafts.settled();
    const next = book();
    expect(await next.read('s1')).toMatchObject({ text: 'sent\n\nhalf', attachments: [picture] });
    await next.settled();
    expect(await book().read('s1')).toMatchObject({ text: 'sent\n\nhalf', attachments: [picture] });
  });

  it('stays with the window that sends it, and goes to another one only when that is gone', async () => {
    const host = (pid: number): RunningCommand => ({ pid, args: ['/opt/editor --type=utility', String(pid)] });
    const window = (pid: number, ...others: readonly RunningCommand[]): DraftBook =>
      new DraftBook(folder, silentLogger, { pid, list: () => Promise.resolve([host(pid), ...others]) });
    const first = window(7);
    first.sending('s1', 'm1', message);
    await first.settled();
    const second = window(8, host(7));
    expect(await second.read('s1')).toEqual({ text: '', attachments: [] });
    second.sending('s1', 'm2', { text: 'of the second', attachments: [] });
    second.gone('m2');
    await second.settled();
    expect(await readdir(folder)).toEqual(['s1.7.outgoing.json']);
    // The number has gone to a program of another kind.
    const third = window(9, { pid: 7, args: ['vim', 'notes'] });
    expect(await third.read('s1')).toMatchObject(message);
    await third.settled();
    expect(await readdir(folder)).toEqual(['s1.attachments.json', 's1.draft.json']);
  });

  it('stays where it is when nobody can say whether its window is gone', async () => {
    const first = new DraftBook(folder, silentLogger, { pid: 7 });
    first.keepText('s1', 'half');
    first.sending('s1', 'm1', message);
    await first.settled();
    const failing = new DraftBook(folder, silentLogger, { pid: 8, list: () => Promise.reject(new Error('no list')) });
    expect(await failing.read('s1')).toEqual({ text: 'half', attachments: [] });
    await failing.settled();
    expect(await readdir(folder)).toEqual(['s1.7.outgoing.json', 's1.draft.json']);
  });

  it('is in the draft as soon as the window begins to close', async () => {
    const drafts = book();
    drafts.keepText('s1', 'half');
    drafts.sending('s1', 'm1', message);
    await drafts.closing();
    expect(await readdir(folder)).toEqual(['s1.attachments.json', 's1.draft.json']);
    expect(await book().read('s1')).toMatchObject({ text: 'sent\n\nhalf', attachments: [picture] });
  });

  it('leaves no file behind once the agent has begun with it', async () => {
    const drafts = book();
    drafts.sending('s1', 'm1', message);
    await drafts.settled();
    expect(await readdir(folder)).toEqual([`s1.${process.pid}.outgoing.json`]);
    drafts.gone('m1');
    drafts.gone('m1');
    await drafts.settled();
    expect(await readdir(folder)).toEqual([]);
  });

  it('comes back once, in order, to the conversation that it was meant for', async () => {
    const drafts = book();
    drafts.sending('new-chat', 'm1', message);
    drafts.sending('s2', 'm2', { text: 'to another', attachments: [] });
    drafts.sending('new-chat', 'm3', { text: 'and this', attachments: [] });
    drafts.move('new-chat', 's1');
    drafts.giveBackSent(['m1', 'm2', 'm3']);
    drafts.giveBackSent(['m1', 'm2', 'm3']);
    await drafts.settled();
    for (const one of [drafts, book()]) {
      expect(await one.read('s1')).toMatchObject({ text: 'sent\n\nand this', attachments: [picture] });
      expect(await one.read('s2')).toMatchObject({ text: 'to another', attachments: [] });
      expect(await one.read('new-chat')).toMatchObject({ text: '', attachments: [] });
    }
  });
});

describe('the drafts of a chat', () => {
  it('put words that come back into the page once, whether it was there or comes later', async () => {
    const given = { text: 'back', attachments: [] };
    const there = drafts('a');
    there.chat.tell();
    there.chat.giveBack(given);
    await there.chat.told;
    await there.kept.settled();
    expect(there.posts).toEqual([
      { type: 'draft', key: 'a', text: '', attachments: [], revision: 0 },
      { type: 'composer', action: { type: 'giveBack', ...given } },
    ]);
    const later = drafts('b', false);
    later.chat.giveBack(given);
    later.chat.tell();
    await later.chat.told;
    await later.kept.settled();
    expect(later.posts).toEqual([{ type: 'draft', key: 'b', ...given, revision: 0, given: 'back' }]);
  });

  it('say which words came back until the page has told its text again', async () => {
    const { kept, chat, posts } = drafts('a', false);
    chat.keep({ type: 'draft', key: 'a', text: 'foo', revision: 1 });
    chat.giveBack({ text: 'one', attachments: [] });
    chat.giveBack({ text: 'two', attachments: [] });
    await kept.settled();
    const said = { text: 'two\n\none\n\nfoo', revision: 1, given: 'two\n\none' };
    expect(await book().read('a')).toMatchObject(said);
    chat.tell();
    await chat.told;
    expect(posts.at(-1)).toMatchObject({ type: 'draft', ...said });
    chat.keep({ type: 'draft', key: 'a', text: 'all', revision: 2 });
    await kept.settled();
    expect(await book().read('a')).toEqual({ text: 'all', attachments: [], revision: 2 });
  });

  function drafts(sessionId?: string, isReady = true) {
    const posts: HostMessage[] = [];
    const kept = book();
    const page = { isReady, post: (message: HostMessage): void => void posts.push(message) };
    return { kept, posts, chat: new ChatDrafts(kept, 'new-chat', sessionId, page) };
  }

  it('puts late words of one session under that session', async () => {
    const { kept, chat, posts } = drafts('a');
    chat.show('b');
    await chat.told;
    chat.keep({ type: 'draft', key: 'a', text: 'for a', revision: 1 });
    chat.keep({ type: 'draft', key: 'b', text: 'for b', revision: 1 });
    chat.keep({ type: 'draft', key: 'c', text: 'for a session it never showed', revision: 1 });
    expect(await kept.read('a')).toMatchObject({ text: 'for a' });
    expect(await kept.read('b')).toMatchObject({ text: 'for b' });
    expect(await kept.read('c')).toMatchObject({ text: '' });
    expect(posts).toEqual([{ type: 'draft', key: 'b', text: '', attachments: [], revision: 0 }]);
    chat.show('a');
    await chat.told;
    expect(posts.at(-1)).toEqual({ type: 'draft', key: 'a', text: 'for a', attachments: [], revision: 1 });
    await kept.settled();
  });

  it('takes the draft along when the conversation gets its session', async () => {
    const { kept, chat, posts } = drafts();
    chat.keep({ type: 'draft', key: 'new-chat', text: 'next', revision: 1 });
    chat.keep({ type: 'attachments', key: 'new-chat', attachments: [picture] });
    chat.follow('s1');
    expect(posts).toEqual([{ type: 'draftMoved', from: 'new-chat', to: 's1' }]);
    await expect.poll(() => kept.read('s1')).toEqual({ text: 'next', attachments: [picture], revision: 1 });
    expect(await kept.read('new-chat')).toMatchObject({ text: '', attachments: [] });
    chat.keep({ type: 'draft', key: 'new-chat', text: 'on its way', revision: 1 });
    expect(await kept.read('s1')).toMatchObject({ text: 'on its way' });
    await kept.settled();
  });
});
