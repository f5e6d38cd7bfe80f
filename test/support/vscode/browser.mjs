// The browser that shows the workbench of `server.mjs`.
import { chromium } from 'playwright-core';
import { remotePath } from './server.mjs';

/** Chromium for a window on loopback: it can reach 127.0.0.1 and nothing else. */
export const CHROMIUM_ARGUMENTS = Object.freeze([
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]);

/**
 * Starts Chromium. Signals stay with the caller: a browser that takes Ctrl+C for itself would leave the server behind.
 * @param {string} executablePath
 * @param {{ headed?: boolean }} [options]
 */
export function launchChromium(executablePath, { headed = false } = {}) {
  return chromium.launch({
    executablePath,
    headless: !headed,
    args: [...CHROMIUM_ARGUMENTS],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/**
 * The workbench reads extensions under development and a test suite from a `meta` element of its page, which the server
 * leaves empty; so the page is taught to read more than is written there.
 * @param {unknown} developmentOptions
 */
const readDevelopmentOptions = developmentOptions => `
  if (window === top) {
    const read = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = read.call(this, name);
      if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings') return value;
      const settings = JSON.parse(value);
      Object.assign((settings.developmentOptions ??= {}), ${JSON.stringify(developmentOptions)});
      return JSON.stringify(settings);
    };
  }`;

/**
 * Secret storage asks its server for a key; without an answer secrets live in memory only. Answered in the page: a route of
 * Playwright would keep the browser from caching anything.
 */
const answerForKey = `
  if (window === top) {
    const real = window.fetch;
    window.fetch = (target, options) => {
      const url = target instanceof Request ? target.url : String(target);
      return url.endsWith('/mint-key') ? Promise.resolve(new Response(new Uint8Array(32).fill(7))) : real(target, options);
    };
  }`;

/**
 * Makes a page or context ready for the workbench. To be called before it goes there.
 * @param {Pick<import('playwright-core').BrowserContext, 'addInitScript'>} page
 * @param {{ authority: string, extensions?: readonly string[], tests?: string | undefined }} options extensions under development and the
 *   file whose `run()` the extension host calls (which counts only with at least one such extension)
 */
export async function prepareWorkbench(page, { authority, extensions = [], tests }) {
  /** @param {string} file */
  const uri = file => ({ scheme: 'vscode-remote', authority, path: remotePath(file) });
  await page.addInitScript({
    content: readDevelopmentOptions({
      ...(extensions.length > 0 && { extensions: extensions.map(uri) }),
      ...(tests !== undefined && { extensionTestsPath: uri(tests) }),
    }),
  });
  await page.addInitScript({ content: answerForKey });
}
