import type { Locator, Page } from '@playwright/test';
import { servePlayground } from '../webview/playground/serve.ts';
import { prepared } from './support/environment.ts';
import { expect, test } from './support/fixtures.ts';

/** The width of a side bar that nobody has touched. */
const width = 300;

test.describe('In a side bar of the usual width', () => {
  let playground: Awaited<ReturnType<typeof servePlayground>>;
  test.beforeAll(async () => {
    playground = await servePlayground(prepared().root);
  });
  test.afterAll(() => playground.close());

  const open = async (page: Page, scenario: string, height: number): Promise<void> => {
    await page.setViewportSize({ width, height });
    await page.goto(`${playground.url}/?scenario=${scenario}`);
    await page.getByRole('textbox', { name: 'Message the agent' }).waitFor();
    await page.evaluate(() => document.fonts.ready);
  };
  /** Texts that do not have the room they need. */
  const cut = (texts: Locator): Promise<string[]> =>
    texts.evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent));

  test('how a tool was answered can be read to its end', async ({ page }) => {
    await open(page, 'cards', 7_000);
    const ends = page.locator('.tool-line > .line-end');
    await expect(ends.filter({ hasText: 'Accepted with your changes' }).first()).toBeVisible();
    expect(await cut(ends)).toEqual([]);
  });

  for (const scenario of ['tour', 'busy']) {
    test(`model and mode can be read beside all that stands with them: ${scenario}`, async ({ page }) => {
      await open(page, scenario, 900);
      await expect(page.getByRole('button', { name: 'Context: ' })).toBeVisible();
      expect(await cut(page.locator('.bar-text:visible'))).toEqual([]);
    });
  }

  test('the toolbar of the last message is all there', async ({ page }) => {
    await open(page, 'tour', 900);
    const last = page.getByRole('article').last();
    await last.hover();
    const bar = await last.locator('.message-actions').boundingBox();
    const log = await page.getByRole('log').boundingBox();
    expect((bar?.y ?? Infinity) + (bar?.height ?? 0)).toBeLessThanOrEqual((log?.y ?? 0) + (log?.height ?? 0));
  });
});
