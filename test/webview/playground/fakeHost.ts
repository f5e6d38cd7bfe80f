import { findPattern } from '../../../src/bridge/findPattern.ts';
import type { HostAnswers, HostMessage, PatchOp } from '../../../src/bridge/hostMessages.ts';
import { englishStrings } from '../../../src/bridge/strings.ts';
import type { ViewMessage, ViewRequest } from '../../../src/bridge/viewMessages.ts';
import type { SessionView } from '../../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../../src/bridge/viewItem.ts';
import type { VsCodeApi } from '../../../webview/app/vscodeApi.ts';

export interface FakeConversation {
  readonly session: SessionView;
  /** Top-level items, each followed by what is nested in it. */
  readonly items: readonly ViewItem[];
}

/** How many top-level items a snapshot carries, as the real host does. */
const snapshotSize = 60;

/** Plays the host in the same page: answers what the view asks, and lets a caller (a test, a bench) push patches. */
export class FakeHost {
  readonly api: VsCodeApi;
  /** Everything the view said, oldest first. */
  readonly said: ViewMessage[] = [];
  /** Everything it asked for. */
  readonly asked: ViewRequest[] = [];
  /** Why no message is taken. */
  problem: string | undefined;
  /** What it kept of an earlier page. */
  draft: Omit<Extract<HostMessage, { type: 'draft' }>, 'type'> = {
    key: 'a',
    text: '',
    attachments: [],
    revision: 0,
  };
  #session: SessionView;
  /** Each top-level item with what is nested in it. */
  #groups: ViewItem[][];
  #revision = 1;
  #stored: unknown;
  #nextId = 1;

  constructor(conversation: FakeConversation, stored?: unknown) {
    this.#session = conversation.session;
    this.#groups = [];
    for (const item of conversation.items) this.#put(item);
    this.#stored = stored;
    this.api = {
      postMessage: message => queueMicrotask(() => this.#receive(message)),
      getState: () => this.#stored,
      setState: state => (this.#stored = state),
    };
  }

  get stored(): unknown {
    return this.#stored;
  }

  patch(...ops: PatchOp[]): void {
    for (const op of ops) this.#apply(op);
    const base = this.#revision++;
    this.#send({ type: 'patch', base, revision: this.#revision, ops });
  }

  append(item: ViewItem): void {
    this.patch({ op: 'add', index: this.#groups.length, item });
  }

  session(change: Partial<SessionView>): void {
    this.patch({ op: 'session', session: { ...this.#session, ...change } });
  }

  /** Streams a text in pieces, one a frame, as the host does. */
  async stream(text: string, pieceSize = 12): Promise<void> {
    const id = `live-${this.#nextId++}`;
    const item: ViewItem = { kind: 'text', id, at: Date.now(), text: '', streaming: true, aborted: false };
    this.append(item);
    for (let at = 0; at < text.length; at += pieceSize) {
      await new Promise(resolve => requestAnimationFrame(resolve));
      this.patch({ op: 'append', id, text: text.slice(at, at + pieceSize) });
    }
    this.patch({ op: 'update', item: { ...item, text, streaming: false } });
  }

  say(message: HostMessage): void {
    this.#send(message);
  }

  #apply(op: PatchOp): void {
    switch (op.op) {
      case 'add':
        this.#put(op.item, op.index);
        return;
      case 'update':
        this.#change(op.item.id, () => op.item);
        return;
      case 'append':
        this.#change(op.id, item =>
          item.kind === 'text' || item.kind === 'thinking' ? { ...item, text: item.text + op.text } : item,
        );
        return;
      case 'remove':
        this.#groups = this.#groups
          .filter(group => group[0]?.id !== op.id)
          .map(group => group.filter(item => item.id !== op.id));
        return;
      case 'session':
        this.#session = op.session;
    }
  }

  #put(item: ViewItem, index = this.#groups.length): void {
    const group = item.parent === undefined ? undefined : this.#groups.findLast(one => one[0]?.id === item.parent);
    if (group) group.push(item);
    else this.#groups.splice(index, 0, [item]);
  }

  /** Newest first: that is where changes happen. */
  #change(id: string, change: (item: ViewItem) => ViewItem): void {
    for (let index = this.#groups.length - 1; index >= 0; index--) {
      const group = this.#groups[index] ?? [];
      const at = group.findIndex(item => item.id === id);
      const item = group[at];
      if (!item) continue;
      group[at] = change(item);
      return;
    }
  }

  #page(from: number, count: number): { total: number; items: ViewItem[] } {
    return { total: this.#groups.length, items: this.#groups.slice(from, from + count).flat() };
  }

  #receive(envelope: unknown): void {
    if (!isEnvelope(envelope)) throw new Error('Not an envelope');
    if (envelope.kind === 'message') this.#heard(envelope.body);
    else this.#answer(envelope.id, envelope.body);
  }

  #heard(message: ViewMessage): void {
    this.said.push(message);
    if (message.type === 'ready') {
      this.#send({ type: 'hello', strings: englishStrings, options: { sendKey: 'enter', placement: 'sideBar' } });
      const from = Math.max(0, this.#groups.length - snapshotSize);
      const { total, items } = this.#page(from, snapshotSize);
      this.#send({ type: 'snapshot', revision: this.#revision, session: this.#session, total, from, items });
      this.#send({ type: 'draft', ...this.draft });
    }
  }

  #take(text: string): HostAnswers['send'] {
    if (this.problem !== undefined) return { problem: this.problem };
    const id = `sent-${this.#nextId++}`;
    const state = 'started';
    const base = { id, at: Date.now(), attachments: [], synthetic: false, rewindable: true };
    this.append({ kind: 'prompt', text, state, ...base });
    return {};
  }

  #answer(id: number, request: ViewRequest): void {
    this.asked.push(request);
    if (request.name === 'send') {
      this.#post({ kind: 'answer', id, body: this.#take(request.text) });
      return;
    }
    const body =
      request.name === 'readItems'
        ? { revision: this.#revision, from: request.from, ...this.#page(request.from, request.count) }
        : request.name === 'completeFile'
          ? { paths: fakePaths.filter(one => one.path.includes(request.query)) }
          : request.name === 'locate'
            ? { index: this.#groups.findIndex(group => group[0]?.id === request.itemId), total: this.#groups.length }
            : request.name === 'find'
              ? this.#find(request.query)
              : { text: 'The whole text.' };
    this.#post({ kind: 'answer', id, body });
  }

  #find(query: string): HostAnswers['find'] {
    const pattern = findPattern(query);
    const matches = this.#groups.flatMap((group, index) => {
      const texts = group.map(item => ('text' in item ? item.text : JSON.stringify(item)));
      const count = pattern === undefined ? 0 : (texts.join('\n').match(pattern)?.length ?? 0);
      return count === 0 ? [] : [{ index, count }];
    });
    return { matches, total: this.#groups.length, more: false };
  }

  #send(message: HostMessage): void {
    this.#post({ kind: 'message', body: message });
  }

  #post(data: unknown): void {
    window.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  }
}

const fakePaths = [
  { path: 'src', folder: true },
  { path: 'src/client.ts', folder: false },
  { path: 'src/client.test.ts', folder: false },
  { path: 'docs/how it works.md', folder: false },
  { path: 'package.json', folder: false },
];

type ViewEnvelope =
  | { readonly kind: 'message'; readonly body: ViewMessage }
  | { readonly kind: 'request'; readonly id: number; readonly body: ViewRequest };

function isEnvelope(value: unknown): value is ViewEnvelope {
  return typeof value === 'object' && value !== null && 'kind' in value && 'body' in value;
}
