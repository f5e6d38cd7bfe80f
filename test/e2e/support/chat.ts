import type { Frame, FrameLocator, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { Theme } from './themes.ts';
import { until } from './waiting.ts';

const OUTER = 'iframe.webview.ready[src*="extensionId=handrail-vscode.handrail"]';

/** The parts of the window that a chat can be in, as VS Code names them. */
const parts = { sideBar: '.part.auxiliarybar', editor: '.part.editor' } as const;

/** The chat, found by the roles and names that assistive technology uses too. */
export class Chat {
  readonly composer: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly log: Locator;
  readonly prompts: Locator;
  readonly answers: Locator;
  /** The card that says what keeps the session from working. */
  readonly error: Locator;
  readonly body: Locator;
  readonly #outer: Locator;
  readonly #frame: FrameLocator;

  private constructor(outer: Locator) {
    this.#outer = outer;
    this.#frame = outer.contentFrame().frameLocator('iframe#active-frame');
    this.composer = this.#frame.getByRole('textbox', { name: 'Message the agent' });
    this.send = this.#frame.getByRole('button', { name: 'Send', exact: true });
    this.stop = this.#frame.getByRole('button', { name: 'Stop', exact: true });
    this.log = this.#frame.getByRole('log', { name: 'Conversation' });
    this.prompts = this.log.getByRole('article', { name: 'You' });
    this.answers = this.log.getByRole('article', { name: 'Agent' });
    this.error = this.#frame.getByRole('alert');
    this.body = this.#frame.locator('body');
  }

  /**
   * Waits for the chat that is in view in one part of the window. A chat that was hidden comes back in another frame, which
   * has to be found anew.
   */
  static async find(page: Page, part: keyof typeof parts): Promise<Chat> {
    const id = await until(`a chat in ${parts[part]}`, () => overlayOver(page, parts[part]));
    return new Chat(page.locator(`[id="${id}"] > ${OUTER}`));
  }

  /** Types a prompt and sends it. */
  async prompt(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.send.click();
  }

  /** Waits until no turn runs. */
  async idle(): Promise<void> {
    await expect(this.stop).toBeHidden();
    await expect(this.send).toBeVisible();
  }

  group(name: string): Locator {
    return this.#frame.getByRole('group', { name, exact: true });
  }

  permission(tool: string): Locator {
    return this.#frame.getByRole('group', { name: `Permission: ${tool}` });
  }

  /**
   * Answers a permission card. Its buttons do nothing for a moment after they appeared or moved, so that nobody presses them by
   * accident; like a person, this presses again until the card has gone.
   */
  async answer(tool: string, button: 'Allow' | 'Deny'): Promise<void> {
    const card = this.permission(tool);
    await expect(card).toBeVisible();
    await expect(async () => {
      if (await card.isVisible())
        await card.getByRole('button', { name: button, exact: true }).click({ timeout: 2_000 });
      await expect(card).toBeHidden({ timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
  }

  button(name: string | RegExp): Locator {
    return this.#frame.getByRole('button', { name });
  }

  article(name: string): Locator {
    return this.log.getByRole('article', { name });
  }

  /** Waits until the chat has taken up the theme. */
  async hasTheme(theme: Theme): Promise<void> {
    await expect(this.body).toHaveAttribute('data-vscode-theme-id', theme.id);
    await expect(this.body).toContainClass(theme.webview);
  }

  /** The innermost frame, for what has to run inside the page. */
  async frame(): Promise<Frame> {
    const inner = await this.#outer.contentFrame().locator('iframe#active-frame').elementHandle();
    const frame = await inner.contentFrame();
    if (!frame) throw new Error('The chat has no frame.');
    return frame;
  }
}

/**
 * VS Code lays the frames of all webviews over its window, outside the parts that they belong to; so the one that is wanted is
 * known by its place. Returns the id of the element around the frame.
 */
async function overlayOver(page: Page, part: string): Promise<string | undefined> {
  const area = await page.locator(part).first().boundingBox();
  if (!area) return undefined;
  return page.locator(OUTER).evaluateAll((frames, { x, y, width, height }) => {
    const inside = frames.find(frame => {
      const box = frame.getBoundingClientRect();
      const [middle, centre] = [box.x + box.width / 2, box.y + box.height / 2];
      const shown = box.width > 0 && frame.checkVisibility({ visibilityProperty: true });
      return shown && middle > x && middle < x + width && centre > y && centre < y + height;
    });
    return inside?.parentElement?.id;
  }, area);
}
