import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import { launchChromium } from '../../support/vscode/browser.mjs';
import { servePlayground } from '../../webview/playground/serve.ts';

export interface CardPictureOptions {
  readonly root: string;
  /** Path of the browser. */
  readonly chromium: string;
  readonly folder: string;
  readonly log: (line: string) => void;
}

const themes = { dark: 'dark', light: 'light', 'hc-dark': 'hcDark', 'hc-light': 'hcLight' } as const;

/** What is pictured: every kind of card and row, closed and open, and what stands around the conversation. */
const scenes = [
  { name: 'cards', query: 'scenario=cards', height: 3400 },
  { name: 'cards-open', query: 'scenario=cards&open', height: 6400 },
  { name: 'asks', query: 'scenario=asks', height: 3000 },
  { name: 'busy', query: 'scenario=busy', height: 900 },
  { name: 'empty', query: 'scenario=empty', height: 700 },
  { name: 'starting', query: 'scenario=starting', height: 500 },
  { name: 'error', query: 'scenario=error', height: 700 },
  { name: 'crash', query: 'scenario=crash', height: 700 },
] as const;

const narrow = 300;
const wide = 900;

/** Takes pictures of the view that is shipped, fed by hand with every card there is: seconds, where the real thing takes minutes. */
export async function takeCardPictures({ root, chromium, folder, log }: CardPictureOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const playground = await servePlayground(root);
  const browser = await launchChromium(chromium);
  const taken: string[] = [];
  try {
    for (const [name, theme] of Object.entries(themes)) {
      for (const scene of scenes) {
        const widths = name === 'dark' && scene.name.startsWith('cards') ? [narrow, wide] : [narrow];
        for (const width of widths) {
          const file = path.join(folder, `${scene.name}-${width}-${name}.png`);
          await picture(
            browser,
            `${playground.url}/?theme=${theme}&${scene.query}`,
            { width, height: scene.height },
            file,
          );
          taken.push(file);
          log(path.basename(file));
        }
      }
    }
  } finally {
    await browser.close();
    await playground.close();
  }
  return taken;
}

async function picture(
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
  file: string,
): Promise<void> {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce', deviceScaleFactor: 1.5 });
  try {
    await page.goto(url);
    await page.locator('.dock').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: file, animations: 'disabled' });
  } finally {
    await page.close();
  }
}
