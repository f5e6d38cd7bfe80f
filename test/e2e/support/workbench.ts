import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { Bridge } from './bridge.ts';
import { Chat } from './chat.ts';
import type { Editor } from './editor.ts';
import type { Theme } from './themes.ts';
import { until } from './waiting.ts';

/** One window of VS Code, by what a person sees and does in it. */
export class Workbench {
  readonly page: Page;
  readonly #editor: Editor;
  readonly #bridge: Bridge;

  /** @param bridge That to the extension host of this window, when it is not the only one. */
  constructor(page: Page, editor: Editor, bridge = editor.bridge) {
    this.page = page;
    this.#editor = editor;
    this.#bridge = bridge;
  }

  /** Shows the window and waits until it is drawn and its extension host answers. */
  async open(): Promise<void> {
    await this.page.goto(this.#editor.url);
    await this.#drawn();
    await this.#bridge.hostPid();
  }

  /** Another window on the same workspace. */
  async openBeside(): Promise<Workbench> {
    const page = await this.page.context().newPage();
    await new Workbench(page, this.#editor, this.#bridge).open();
    return new Workbench(page, this.#editor, await this.#bridge.newer());
  }

  /** Runs a command as a keybinding or a menu does: by its id. Waits until it has ended, or asks something. */
  async runCommand(id: string): Promise<void> {
    const ended = this.#bridge.run(async (api, command) => {
      await api.commands.executeCommand(command);
    }, id);
    const asks = this.page
      .locator('.quick-input-widget:visible, .monaco-dialog-box, .notification-toast:has(.monaco-button)')
      .first();
    await Promise.race([ended, asks.waitFor({ timeout: 20_000 })]);
  }

  /** Runs a command by its name in the palette, for example `Handrail: Open Chat`; again, when something closed the palette. */
  async runFromPalette(title: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget:visible .quick-input-box input');
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title });
    await expect(async () => {
      await this.page.keyboard.press('F1');
      // The box of another pick looks the same: only the palette's begins with this sign.
      await expect(input).toHaveValue(/^>/, { timeout: 2_000 });
      await input.fill(`>${title}`, { timeout: 2_000 });
      await row.first().click({ timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
  }

  /** The chat in the secondary side bar, opened as a person opens it. */
  async openChat(): Promise<Chat> {
    await this.runCommand('handrail.open');
    const chat = await Chat.find(this.page, 'sideBar');
    await expect(chat.composer).toBeVisible();
    return chat;
  }

  /** A new chat in an editor tab. */
  async openChatInEditor(): Promise<Chat> {
    await this.runCommand('handrail.newSessionInEditor');
    const chat = await Chat.find(this.page, 'editor');
    await expect(chat.composer).toBeVisible();
    return chat;
  }

  /** Reloads the window, and waits for it and its new extension host. */
  async reload(): Promise<void> {
    await this.#bridge.hostPid();
    const navigated = this.page.waitForEvent('framenavigated', {
      predicate: frame => frame === this.page.mainFrame(),
      timeout: 30_000,
    });
    await this.#bridge.run(api => {
      // After the answer, which could not be given from a host that is gone.
      setTimeout(() => void api.commands.executeCommand('workbench.action.reloadWindow'), 0);
    });
    await navigated;
    await this.#drawn();
    await this.#bridge.renewed();
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  /** The lines of a diff editor that are in view, top to bottom. */
  async diffText(side: 'original' | 'modified'): Promise<string[]> {
    const lines = this.page.locator(`.monaco-diff-editor .editor.${side} .view-lines .view-line`);
    // Lines stand in the page in no order; VS Code puts non-breaking spaces where the file has spaces.
    return lines.evaluateAll(elements =>
      elements
        .filter(element => element instanceof HTMLElement)
        .map(element => ({ top: Number.parseInt(element.style.top, 10), text: element.textContent }))
        .sort((one, other) => one.top - other.top)
        .map(({ text }) => text.replaceAll('\u00a0', ' ')),
    );
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.#bridge.run(async (api, id) => {
      await api.workspace.getConfiguration('workbench').update('colorTheme', id, true);
    }, theme.id);
    await this.page.locator(`.monaco-workbench.${theme.workbench}`).waitFor();
  }

  /** Drags the border of the secondary side bar until the bar is as wide as wanted. */
  async setSideBarWidth(wanted: number): Promise<void> {
    const bar = this.page.locator('.part.auxiliarybar');
    await until(`a side bar ${wanted} px wide`, async () => {
      const box = await bar.boundingBox();
      if (!box) return undefined;
      const missing = wanted - Math.round(box.width);
      if (missing === 0) return true;
      const x = await this.#sashNear(box.x);
      const y = box.y + box.height / 2;
      await this.page.mouse.move(x, y);
      await this.page.mouse.down();
      await this.page.mouse.move(x - missing, y, { steps: 4 });
      await this.page.mouse.up();
      return undefined;
    });
    // A pointer that rests on the border would light it up.
    await this.page.mouse.move(0, 0);
  }

  /** The middle of the handle that is nearest to a place; it stands a little beside the part that it moves. */
  async #sashNear(place: number): Promise<number> {
    const handles = await this.page
      .locator('.monaco-sash.vertical:not(.disabled)')
      .evaluateAll(elements => elements.map(element => element.getBoundingClientRect().x + element.clientWidth / 2));
    return handles.reduce((best, x) => (Math.abs(x - place) < Math.abs(best - place) ? x : best), Infinity);
  }

  async #drawn(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 30_000 });
  }
}
