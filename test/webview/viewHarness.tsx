import { render } from 'preact';
import { act } from 'preact/test-utils';
import type { Disposable } from '../../src/base/disposable.ts';
import { toDisposable } from '../../src/base/disposable.ts';
import type { SessionView } from '../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../src/bridge/viewItem.ts';
import { Root } from '../../webview/app/root.tsx';
import { ViewApp } from '../../webview/app/viewApp.ts';
import type { Layout } from '../../webview/list/layout.ts';
import { nothingYet } from '../../webview/store/sync.ts';
import { FakeHost } from './playground/fakeHost.ts';

/** A page without a layout engine: every row is as high as the test says, and changes are pushed by hand. */
export class FakeLayout implements Layout {
  readonly viewport = 600;
  rowHeight = 50;
  readonly #own = new Map<string, number>();
  readonly #observed = new Map<HTMLElement, (height: number) => void>();

  heightOf(element: HTMLElement): number {
    if (element.getAttribute('role') === 'log') return this.viewport;
    return this.#own.get(element.dataset['index'] ?? '') ?? this.rowHeight;
  }

  scrollHeightOf(element: HTMLElement): number {
    let height = 0;
    for (const child of element.querySelectorAll<HTMLElement>('.transcript-content > *')) {
      height += child.tagName === 'ARTICLE' ? this.heightOf(child) : Number.parseFloat(child.style.height || '0');
    }
    return height;
  }

  observe(element: HTMLElement, onHeight: (height: number) => void): Disposable {
    this.#observed.set(element, onHeight);
    return toDisposable(() => this.#observed.delete(element));
  }

  resize(row: HTMLElement, height: number): void {
    this.#own.set(row.dataset['index'] ?? '', height);
    this.#observed.get(row)?.(height);
  }
}

export class View {
  readonly host: FakeHost;
  readonly layout = new FakeLayout();
  readonly app: ViewApp;
  readonly root = document.createElement('div');

  constructor(items: readonly ViewItem[], session: Partial<SessionView> = {}, stored?: unknown) {
    this.host = new FakeHost({ session: { ...nothingYet, state: 'idle', ...session }, items }, stored);
    this.app = new ViewApp(this.host.api, window, call => queueMicrotask(call));
    document.body.append(this.root);
  }

  async open(): Promise<this> {
    await this.do(() => {
      render(<Root app={this.app} layout={this.layout} />, this.root);
      this.app.start();
    });
    return this;
  }

  /** Does something and lets the page take it in. */
  async do(what: () => void): Promise<void> {
    await act(async () => {
      what();
      await settled();
    });
    await act(settled);
  }

  close(): void {
    render(null, this.root);
    this.app.dispose();
    this.root.remove();
  }

  get log(): HTMLElement {
    return this.get('[role="log"]');
  }

  get textbox(): HTMLTextAreaElement {
    const area = this.root.querySelector('textarea');
    if (!area) throw new Error('No composer');
    return area;
  }

  get rows(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('article')];
  }

  get(selector: string): HTMLElement {
    const element = this.root.querySelector<HTMLElement>(selector);
    if (!element) throw new Error(`Nothing matches ${selector}`);
    return element;
  }

  button(name: string): HTMLButtonElement | undefined {
    return [...this.root.querySelectorAll('button')].find(
      one => (one.getAttribute('aria-label') ?? one.textContent).trim() === name,
    );
  }

  async click(name: string): Promise<void> {
    const button = this.button(name);
    if (!button) throw new Error(`No button ${name}`);
    await this.do(() => button.click());
  }

  async type(text: string): Promise<void> {
    await this.do(() => {
      this.textbox.focus();
      this.textbox.value = text;
      this.textbox.setSelectionRange(text.length, text.length);
      this.textbox.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
  }

  async press(key: string, more: KeyboardEventInit = {}, on: Element = this.textbox): Promise<KeyboardEvent> {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
    await this.do(() => on.dispatchEvent(event));
    return event;
  }

  async scrollTo(top: number): Promise<void> {
    await this.do(() => {
      this.log.scrollTop = top;
      this.log.dispatchEvent(new Event('scroll'));
    });
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 80; turn++) await Promise.resolve();
}
