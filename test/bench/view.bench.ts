import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BenchContext, Measure } from './harness.ts';
import { BenchBrowser } from './view/benchPage.ts';
import { measureOpening, measureScrolling } from './view/measureConversation.ts';
import { measureIdle } from './view/measureIdle.ts';
import { measureStreaming } from './view/measureStream.ts';

/** The view as it is shipped, in Chromium, under the policy of its page, with the host's own feed behind it. */
export async function measures(context: BenchContext): Promise<Measure[]> {
  const browser = await BenchBrowser.start(context.root);
  try {
    return [
      ...(await measureOpening(browser, context)),
      ...(await measureScrolling(browser, context)),
      ...(await measureStreaming(browser, context)),
      ...(await measureIdle(browser)),
      firstLoad(context.root),
    ];
  } finally {
    await browser.close();
  }
}

/** What a page loads before it can draw: the script and the styles, without the chunks that are loaded when needed. */
function firstLoad(root: string): Measure {
  const bytes = ['main.js', 'main.css']
    .map(name => gzipSync(readFileSync(path.join(root, '.build/playground-production/view', name))).length)
    .reduce((sum, size) => sum + size, 0);
  return { measure: 'view, zipped before lazy chunks, kB', ours: Math.round(bytes / 102.4) / 10, goal: 150 };
}
