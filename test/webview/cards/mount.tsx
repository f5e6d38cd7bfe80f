import type { ComponentChild } from 'preact';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { englishStrings } from '../../../src/bridge/strings.ts';
import type { ViewMessage } from '../../../src/bridge/viewMessages.ts';
import { viewMessageSchema } from '../../../src/bridge/viewMessages.ts';
import type { SessionView } from '../../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../../src/bridge/viewItem.ts';
import { AppProvider, ViewApp } from '../../../webview/app/viewApp.ts';

export interface Mounted {
  readonly app: ViewApp;
  readonly root: HTMLElement;
  /** Messages of the view, parsed as strictly as the host does. */
  readonly said: readonly ViewMessage[];
  /** Requests of the view by name. */
  readonly asked: readonly string[];
  show(node: ComponentChild): void;
  put(...items: readonly ViewItem[]): void;
  answerWith(text: string): void;
  dispose(): void;
}

const session: SessionView = {
  state: 'idle',
  title: '',
  model: { value: 'a', label: 'A' },
  models: [],
  mode: 'default',
  modes: [
    { value: 'default', label: 'Ask first' },
    { value: 'acceptEdits', label: 'Accept edits' },
    { value: 'plan', label: 'Plan' },
  ],
  efforts: [],
  queue: [],
  tasks: [],
  commands: [],
  openAsks: [],
  recent: [],
};

/** An app whose host only listens, and a place in the page to draw into. `stored`: what the page before has left. */
export function mount(stored?: unknown): Mounted {
  const said: ViewMessage[] = [];
  const asked: string[] = [];
  let fullText = '';
  const receive = (message: unknown): void => {
    if (!isEnvelope(message)) throw new Error('Not an envelope');
    if (message.kind === 'message') {
      said.push(viewMessageSchema.parse(message.body));
      return;
    }
    asked.push(JSON.stringify(message.body));
    const answer = { kind: 'answer', id: message.id, body: { text: fullText } };
    queueMicrotask(() => window.dispatchEvent(new MessageEvent('message', { data: answer })));
  };
  const app = new ViewApp({ postMessage: receive, getState: () => stored, setState: () => undefined }, window, call =>
    call(),
  );
  const root = document.createElement('div');
  document.body.append(root);
  const host = (body: unknown): void => {
    window.dispatchEvent(new MessageEvent('message', { data: { kind: 'message', body } }));
  };
  app.start();
  host({ type: 'hello', strings: englishStrings, options: { sendKey: 'enter', placement: 'sideBar' } });
  host({ type: 'snapshot', revision: 1, session, total: 0, from: 0, items: [] });
  let revision = 1;
  return {
    app,
    root,
    said,
    asked,
    show: node => void act(() => render(<AppProvider value={app}>{node}</AppProvider>, root)),
    put(...items) {
      for (const item of items) {
        const index =
          item.parent === undefined
            ? app.conversation.total.peek()
            : app.conversation.children(item.parent).peek().length;
        host({ type: 'patch', base: revision, revision: ++revision, ops: [{ op: 'add', index, item }] });
      }
    },
    answerWith: text => (fullText = text),
    dispose() {
      render(null, root);
      root.remove();
      app.dispose();
    },
  };
}

function isEnvelope(value: unknown): value is { kind: string; id?: number; body: unknown } {
  return typeof value === 'object' && value !== null && 'kind' in value && 'body' in value;
}

/** The one element with this role and name. */
export function byRole(root: ParentNode, role: string, name: string): HTMLElement {
  const all = allByRole(root, role).filter(element => nameOf(element) === name);
  const [only] = all;
  if (!only || all.length > 1) throw new Error(`${all.length} elements with role ${role} and name “${name}”`);
  return only;
}

const implicit: Readonly<Partial<Record<string, string>>> = {
  button: 'button',
  textbox: 'textarea, input[type=text]',
  checkbox: 'input[type=checkbox]',
  radio: 'input[type=radio]',
  combobox: 'select',
  link: 'a[href]',
  img: 'img',
};

export function allByRole(root: ParentNode, role: string): HTMLElement[] {
  const native = implicit[role];
  return [...root.querySelectorAll<HTMLElement>(native === undefined ? `[role=${role}]` : `[role=${role}], ${native}`)];
}

export function nameOf(element: HTMLElement): string {
  return (element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? element.textContent).trim();
}

export function type(field: HTMLElement, text: string): void {
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement))
    throw new Error('Not a field for text');
  void act(() => {
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}

export function click(element: HTMLElement): void {
  void act(() => element.click());
}
