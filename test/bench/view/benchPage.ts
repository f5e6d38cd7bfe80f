import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import { launchChromium } from '../../support/vscode/browser.mjs';
import { ensureChromium } from '../../run/lib/chromium.mjs';
import { servePlayground } from '../../webview/playground/serve.ts';
import type { Playground } from '../../webview/playground/serve.ts';
import type { TranscriptItem } from '../../../src/session/transcriptModel.ts';
import { BenchHost } from './benchHost.ts';
import { readTrace } from './trace.ts';
import type { Tasks } from './trace.ts';

/** Ours as it is shipped, one of the two it is compared with, or next to nothing. */
export type View = 'ours' | 'naive' | 'keepsBelow' | 'bare';

const viewScripts: Readonly<Record<View, string>> = {
  ours: '/view/main.js',
  naive: '/naive.js',
  keepsBelow: '/keepsBelow.js',
  bare: '/bare.js',
};

const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

/** The view in Chromium, with the host beside it; a new page for each reading. */
export class BenchBrowser {
  readonly host: BenchHost;
  readonly #playground: Playground;
  readonly #browser: Browser;

  private constructor(playground: Playground, browser: Browser) {
    this.#playground = playground;
    this.#browser = browser;
    this.host = new BenchHost(playground.server);
  }

  static async start(root: string): Promise<BenchBrowser> {
    const names = ['naive', 'keepsBelow', 'bare', 'probe'];
    const scripts = Object.fromEntries(names.map(name => [name, `test/bench/view/page/${name}.ts`]));
    const playground = await servePlayground(root, { production: true, scripts });
    return new BenchBrowser(playground, await launchChromium(await ensureChromium()));
  }

  /** Opens a conversation and waits until it is painted. */
  async open(view: View, items: readonly TranscriptItem[]): Promise<BenchPage> {
    this.host.prepare(items);
    const page = await this.#browser.newPage({ viewport: { width: 420, height: 800 } });
    await page.goto(`${this.#playground.url}/?host=remote&view=${viewScripts[view]}`);
    await page.addScriptTag({ url: '/probe.js', type: 'module' });
    const end = Date.now() + 120_000;
    // Asked from here: a wait inside of the page needs `eval`, which its policy forbids.
    while (!(await page.evaluate(`performance.getEntriesByName('painted').length > 0 && 'probe' in globalThis`))) {
      if (Date.now() > end) throw new Error(`${view} has not painted ${items.length} messages within two minutes`);
      await pause(20);
    }
    if (view !== 'ours') await page.evaluate(`document.querySelector('.bench-log').style.height = '700px'`);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new BenchPage(page, session);
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.host.close();
    await this.#playground.close();
  }
}

export class BenchPage {
  readonly #page: Page;
  readonly #session: CDPSession;

  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Calls one of the functions of `page/probe.ts`. */
  async probe<Schema extends z.ZodType>(call: string, schema: Schema): Promise<z.infer<Schema>> {
    return schema.parse(await this.#page.evaluate(`probe.${call}`));
  }

  /** Bytes of JavaScript that are really held. */
  async heap(): Promise<number> {
    for (let round = 0; round < 3; round++) await this.#session.send('HeapProfiler.collectGarbage');
    return this.#metric('JSHeapUsedSize');
  }

  /** Seconds of processor time the page's thread has spent on tasks since it was opened; other programs are not in it. */
  async busySeconds(): Promise<number> {
    return this.#metric('TaskDuration');
  }

  /** The tasks of the page's thread while something is done. */
  async tasksDuring(work: () => Promise<void>): Promise<Tasks> {
    return readTrace(this.#session, work);
  }

  async close(): Promise<void> {
    await this.#page.close();
    await pause(50);
  }

  async #metric(name: string): Promise<number> {
    const { metrics } = metricsSchema.parse(await this.#session.send('Performance.getMetrics'));
    const found = metrics.find(metric => metric.name === name);
    if (!found) throw new Error(`Chromium does not tell ${name}`);
    return found.value;
  }
}
