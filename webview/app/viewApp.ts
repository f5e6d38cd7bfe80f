import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { effect, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { Channel } from '../../src/bridge/channel.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { ComposerAction, HostAnswers, HostMessage, SelectionChip } from '../../src/bridge/hostMessages.ts';
import { format } from '../../src/bridge/strings.ts';
import type { StringKey } from '../../src/bridge/strings.ts';
import type { ViewAttachment, ViewMessage, ViewRequest } from '../../src/bridge/viewMessages.ts';
import { Conversation } from '../store/conversation.ts';
import { Pager } from '../store/pager.ts';
import { Sync } from '../store/sync.ts';
import type { AfterPaint } from '../store/sync.ts';
import { DraftLink } from './draftLink.ts';
import { isCompleteFile, isFind, isLocate, isReadFull, isReadItems, isSent, readHostMessage } from './readHost.ts';
import { ViewState } from './viewState.ts';
import { hostPort } from './vscodeApi.ts';
import type { VsCodeApi } from './vscodeApi.ts';

export type FocusTarget = Extract<HostMessage, { type: 'focus' }>['target'];
export type FullPart = Extract<ViewRequest, { name: 'readFull' }>['part'];

/** Everything a component may need: the conversation, the words, and the way to the host. One in a page. */
export class ViewApp {
  readonly conversation = new Conversation();
  readonly state: ViewState;
  readonly drafts: DraftLink;
  readonly sync: Sync;
  /** What is selected in the editor and goes along with the next message. */
  readonly selection = signal<SelectionChip | undefined>(undefined);
  readonly pager: Pager;
  readonly #channel: Channel<ViewMessage, ViewRequest, HostMessage, never, never>;
  readonly #composerActions = new Emitter<ComposerAction>();
  readonly #focus = new Emitter<FocusTarget>();
  readonly #sent = new Emitter<string>();
  readonly #store = new DisposableStore();
  /** What was asked of the composer before its draft had come: put in now, the draft could not be told from it. */
  #early: ComposerAction[] = [];

  readonly onComposerAction = this.#composerActions.event;
  /** Someone wants the keyboard to be at a place; the part that owns the place listens. */
  readonly onFocus = this.#focus.event;
  /** The person sent something: the reader wants to see what comes of it. */
  readonly onSent = this.#sent.event;

  constructor(api: VsCodeApi, page: Window, afterPaint: AfterPaint) {
    this.state = this.#store.add(new ViewState(api));
    this.#channel = this.#store.add(
      new Channel(hostPort(api, page), {
        parseMessage: readHostMessage,
        onMessage: message => this.#receive(message),
        parseRequest: () => {
          throw new Error('The view answers no requests');
        },
        onRequest: (never: never) => Promise.resolve(never),
        onRefused: error => this.fault(error),
      }),
    );
    const post = (message: ViewMessage): void => this.post(message);
    this.drafts = this.#store.add(new DraftLink(this.state, post));
    this.sync = new Sync(this.conversation, post, afterPaint);
    this.pager = new Pager(
      this.conversation,
      this.sync,
      (from, count) => this.readItems(from, count),
      error => this.fault(error),
    );
    const keep = effect(() => {
      // Not before the first snapshot: until then the state of the page before is all there is.
      if (!this.sync.connected.value) return;
      this.state.keep(this.sync.session.value.resume);
      this.state.keepAsksOf(this.sync.session.value.openAsks);
    });
    this.#store.add({ dispose: keep });
  }

  start(): void {
    this.sync.start();
  }

  /** The words for a key in the person's language. Reads a signal: a component that calls it follows the language. */
  t(key: StringKey, ...values: readonly (string | number)[]): string {
    const template = this.sync.strings.value[key];
    return values.length === 0 ? template : format(template, ...values);
  }

  post(message: ViewMessage): void {
    this.#channel.post(message);
  }

  /** Hands a message to the host. The answer says why it was not taken; nothing when it was. */
  async send(text: string, attachments: ViewAttachment[], now: boolean): Promise<string | undefined> {
    const chip = this.selectionFor(text);
    const selection = chip === undefined ? {} : { selection: chip.id };
    const key = this.state.draftKey;
    if (key === undefined) throw new Error('send: the draft has not come');
    const answer = await this.#channel.request({ name: 'send', key, text, attachments, now, ...selection });
    if (!isSent(answer)) throw new Error('send: not an answer');
    if (answer.problem === undefined) this.#sent.fire(text);
    return answer.problem;
  }

  /** What goes along with these words: a command takes its arguments as they are. */
  selectionFor(text: string): SelectionChip | undefined {
    return text.startsWith('/') ? undefined : this.selection.value;
  }

  /** Does to the composer what the host could ask for. */
  compose(action: ComposerAction): void {
    this.#composerActions.fire(action);
  }

  focus(target: FocusTarget): void {
    this.#focus.fire(target);
  }

  /** Tells the host's log about something that went wrong here. */
  fault(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.post({ type: 'fault', message: message.slice(0, 10_000) });
  }

  /** Whether something is open; see ViewState. */
  expansion(key: string, initially = false): Signal<boolean> {
    return this.state.expansion(key, initially);
  }

  async readItems(from: number, count: number): Promise<HostAnswers['readItems']> {
    const answer = await this.#channel.request({ name: 'readItems', from, count });
    if (!isReadItems(answer)) throw new Error('readItems: not an answer');
    return answer;
  }

  async locate(itemId: string): Promise<HostAnswers['locate']> {
    const answer = await this.#channel.request({ name: 'locate', itemId });
    if (!isLocate(answer)) throw new Error('locate: not an answer');
    return answer;
  }

  async find(query: string): Promise<HostAnswers['find']> {
    const answer = await this.#channel.request({ name: 'find', query });
    if (!isFind(answer)) throw new Error('find: not an answer');
    return answer;
  }

  async completeFile(query: string): Promise<HostAnswers['completeFile']> {
    const answer = await this.#channel.request({ name: 'completeFile', query });
    if (!isCompleteFile(answer)) throw new Error('completeFile: not an answer');
    return answer;
  }

  /** The whole of a text the host had cut. */
  async readFull(itemId: string, part: FullPart): Promise<string> {
    const answer = await this.#channel.request({ name: 'readFull', itemId, part });
    if (!isReadFull(answer)) throw new Error('readFull: not an answer');
    return answer.text;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'hello':
      case 'snapshot':
      case 'patch':
        this.sync.receive(message);
        return;
      case 'composer':
        if (this.drafts.ready.peek()) this.#composerActions.fire(message.action);
        else this.#early.push(message.action);
        return;
      case 'draft':
        this.drafts.receive(message);
        for (const action of this.#early.splice(0)) this.#composerActions.fire(action);
        return;
      case 'selection':
        this.selection.value = message.chip;
        return;
      case 'draftMoved':
        this.drafts.moved(message.from, message.to);
        return;
      case 'focus':
        this.#focus.fire(message.target);
        return;
    }
  }
}

const AppContext = createContext<ViewApp | undefined>(undefined);
export const AppProvider = AppContext.Provider;

export function useApp(): ViewApp {
  const app = useContext(AppContext);
  if (!app) throw new Error('No ViewApp above this component');
  return app;
}
