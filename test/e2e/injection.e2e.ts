import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import type { Frame, Locator, Page } from '@playwright/test';
import corpus from '../fixtures/injection/corpus.json' with { type: 'json' };
import { fail, say, think, tool } from '../support/model/script.ts';
import type { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import type { Project } from './support/project.ts';

/**
 * After each string a word of ours: as long as all of them are read, no string has swallowed what follows it. The tilde before
 * it ends a terminal's sequence, which would rightly take the next letter.
 */
const mark = (at: number): string => `mark${at}x`;

function marked(texts: readonly { readonly text: string }[], separator: string, from = 0): string {
  return texts.map(({ text }, at) => `${text}${separator}~ ${mark(from + at)}`).join(separator);
}

/** In so many parts, for places that hold little. */
function parts(count: number, separator: string): string[] {
  const size = Math.ceil(corpus.length / count);
  return Array.from({ length: count }, (_, at) =>
    marked(corpus.slice(at * size, (at + 1) * size), separator, at * size).replaceAll(/[\r\n]+/g, ' '),
  );
}

const everything = marked(corpus, '\n\n');
/** Without what ends a line of a shell or a terminal early. */
const everythingInLines = marked(corpus, ' ').replaceAll(/[\r\n\0]+/g, ' ');

/** The program refuses control characters in a command by itself. */
const hostileCommand = `node evil.mjs # ${everythingInLines.replaceAll(/\p{Cc}/gu, '')}`;

/** What the page asks of other machines, and what it lets run. */
function watch(page: Page): { readonly outside: string[]; readonly dialogs: string[] } {
  const seen = { outside: new Array<string>(), dialogs: new Array<string>() };
  page.on('request', request => {
    const { protocol, hostname, pathname } = new URL(request.url());
    if (!/^(?:https?|wss?):$/.test(protocol) || hostname === '127.0.0.1' || isOwnFile(hostname, pathname)) return;
    seen.outside.push(request.url());
  });
  page.on('dialog', dialog => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return seen;
}

/** A file of the view itself: VS Code gives it an address that its own worker answers and that leads nowhere. */
function isOwnFile(hostname: string, pathname: string): boolean {
  const view = /\/handrail-vscode\.handrail-[^/]+\/dist\/view\/[\w./-]+$/;
  return hostname.endsWith('.vscode-resource.vscode-cdn.net') && view.test(pathname) && !pathname.includes('..');
}

/** Elements that only a text can have brought into the page, and whether anything ran. */
async function harm(chat: Chat): Promise<string[]> {
  return harmIn(await chat.frame());
}

function harmIn(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const foreign =
      'script, iframe, object, embed, svg, math, style, link, form, base, meta, video, audio, template, [srcdoc], [style*="fixed"]';
    const found = [...document.querySelectorAll(`#root :is(${foreign})`)].map(one => one.outerHTML.slice(0, 200));
    const loads = [...document.querySelectorAll('#root [src]')]
      .map(one => one.getAttribute('src') ?? '')
      .filter(source => !/^(?:data:image\/|blob:)/.test(source));
    const attributes = [...document.querySelectorAll('#root *')].flatMap(one =>
      one.getAttributeNames().filter(name => name.startsWith('on')),
    );
    return [...found, ...loads, ...attributes, ...('__ran' in globalThis ? ['it ran'] : [])];
  });
}

/** The marks that cannot be read in a part of the page, its fields included. */
async function unread(part: Locator, marks = corpus.length): Promise<string[]> {
  const text = await part.evaluate(element =>
    [element.textContent, ...[...element.querySelectorAll('textarea')].map(field => field.value)].join(' '),
  );
  return Array.from({ length: marks }, (_, at) => mark(at)).filter(word => !text.includes(word));
}

async function openAll(part: Locator): Promise<void> {
  for (let turn = 0; turn < 6; turn++) {
    const opened = await part.evaluate(element => {
      const closed = [...element.querySelectorAll<HTMLElement>('button[aria-expanded="false"]:not([aria-haspopup])')];
      for (const button of closed) button.click();
      return closed.length;
    });
    if (opened === 0) return;
  }
}

async function readable(chat: Chat, part: Locator): Promise<void> {
  await openAll(part);
  await expect.poll(() => unread(part)).toEqual([]);
  expect(await harm(chat)).toEqual([]);
}

/** Commands with hostile descriptions, sessions with hostile titles, and a hook that gives a hostile reason. */
async function prepare(project: Project): Promise<void> {
  const commands = path.join(project.folder, '.claude', 'commands');
  await mkdir(commands, { recursive: true });
  for (const [at, description] of parts(40, ' ').entries()) {
    // The program takes these three for the end of the head, wherever they stand.
    const inHead = JSON.stringify(description.replaceAll('---', '- -'));
    const front = `---\ndescription: ${inHead}\nargument-hint: ${JSON.stringify(corpus[at]?.text)}\n---\n`;
    await writeFile(path.join(commands, `evil${at}.md`), `${front}Do it.\n`);
  }
  await writeFile(path.join(project.folder, 'corpus.txt'), everythingInLines);
  const reason = path.join(project.root, 'hook.json');
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: everythingInLines,
  };
  await writeFile(reason, JSON.stringify({ hookSpecificOutput }));
  const hooks = { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: `cat '${reason}'` }] }] };
  const config = path.join(project.home, '.claude');
  const sessions = path.join(config, 'projects', project.folder.replaceAll(/[^A-Za-z0-9]/g, '-'));
  await mkdir(sessions, { recursive: true });
  await writeFile(
    path.join(config, 'settings.json'),
    JSON.stringify({ permissions: { allow: ['Bash(cat corpus.txt)'] }, hooks }),
  );
  for (const [at, title] of parts(5, ' ').entries()) {
    const sessionId = `6f0b6b53-7a42-4a52-9e3c-0d9a5d8f3b1${at}`;
    const line = {
      parentUuid: null,
      isSidechain: false,
      type: 'user',
      uuid: `9f0b6b53-7a42-4a52-9e3c-0d9a5d8f3b1${at}`,
      timestamp: new Date().toISOString(),
      cwd: project.folder,
      sessionId,
      version: '2.1.326',
      message: { role: 'user', content: title },
    };
    await writeFile(path.join(sessions, `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
  }
}

/** A page that believes what it is told: the strings as its own HTML, without a policy. */
async function serveGullible(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const page = `<!doctype html><meta charset="utf-8"><div id="root"></div><script>
    for (const text of ${JSON.stringify(corpus.map(({ text }) => text)).replaceAll('<', String.raw`\u003c`)}) {
      const place = document.createElement('div');
      place.innerHTML = text;
      document.getElementById('root').append(place);
    }
  </script>`;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
    response.end(request.url === '/' ? page : '');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

test.describe('Hostile text', () => {
  test('is noticed by the same watch in a page that does not clean it', async ({ page }) => {
    const gullible = await serveGullible();
    try {
      const seen = watch(page);
      // Some of the strings lead away; an empty answer keeps the page where it is.
      await page.route(
        url => url.href !== gullible.url,
        route => (route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.continue()),
      );
      await page.goto(gullible.url);
      await expect.poll(() => harmIn(page.mainFrame())).toContain('it ran');
      const harmed = await harmIn(page.mainFrame());
      for (const kind of ['<svg', '<iframe', '<style', '<form', '<math']) {
        expect(
          harmed.some(one => one.toLowerCase().startsWith(kind)),
          kind,
        ).toBe(true);
      }
      expect(harmed.some(one => /^on[a-z]+$/.test(one))).toBe(true);
      expect(harmed.some(one => /^https?:/.test(one))).toBe(true);
      await expect.poll(() => seen.outside.length).toBeGreaterThan(2);
    } finally {
      await gullible.close();
    }
  });

  test('stays text wherever the panel shows it', async ({ model, project, workbench, page }) => {
    test.setTimeout(120_000);
    await prepare(project);
    const seen = watch(page);
    const evilFile = path.join(project.folder, `<img src=x onerror=globalThis.__ran=1> \u202egnp.ts`);
    const labels = parts(16, ' ');
    const questions = [0, 1, 2, 3].map(at => ({
      question: `${corpus[at]?.text ?? ''} ${at}?`,
      header: corpus[at + 4]?.text.slice(0, 12) ?? '',
      multiSelect: at % 2 === 0,
      options: labels.slice(at * 4, at * 4 + 4).map(label => ({ label, description: label })),
    }));
    model.onRequest(({ kind }) =>
      kind === 'title' ? say(`{"title": ${JSON.stringify(parts(5, ' ')[0])}}`) : undefined,
    );
    model.enqueue(
      [think(everything), say(everything), tool('Bash', { command: hostileCommand, description: everythingInLines })],
      tool('Bash', { command: 'cat corpus.txt', description: everythingInLines }),
      // Without the line ends about which VS Code itself asks.
      tool('Write', { file_path: evilFile, content: everything.replaceAll(/[\u2028\u2029]/g, ' ') }),
      tool('AskUserQuestion', { questions }),
      tool('TodoWrite', {
        todos: parts(20, ' ').map(content => ({ content, activeForm: content, status: 'in_progress' })),
      }),
      say('Finished.'),
    );

    const chat = await workbench.openChat();
    await expect(chat.body.locator('.empty-list').last().getByRole('button')).toHaveCount(5);
    expect(await harm(chat)).toEqual([]);
    await chat.composer.click();
    await page.keyboard.type('/evil');
    await readable(chat, chat.body.getByRole('listbox'));

    await chat.prompt(everything);
    await expect(chat.permission('Bash')).toBeVisible({ timeout: 30_000 });
    await readable(chat, chat.permission('Bash'));
    await chat.log.focus();
    await page.keyboard.press('Home');
    await readable(chat, chat.prompts.first());
    await page.keyboard.press('ArrowDown');
    await readable(chat, chat.article('Thinking').first());
    await page.keyboard.press('ArrowDown');
    await readable(chat, chat.answers.first());
    await chat.button('Jump to latest').click();
    await chat.answer('Bash', 'Deny');

    await expect(chat.permission('Write')).toBeVisible({ timeout: 30_000 });
    await readable(chat, chat.permission('Write'));
    await chat.log.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await readable(chat, chat.article('Bash').last());
    await chat.button('Jump to latest').click();
    await chat.answer('Write', 'Deny');

    const question = chat.body.getByRole('group', { name: 'Question' });
    await expect(question).toBeVisible({ timeout: 30_000 });
    await readable(chat, question);
    await expect(async () => {
      if (await question.isVisible()) await question.getByRole('button', { name: 'Skip' }).click({ timeout: 2_000 });
      await expect(question).toBeHidden({ timeout: 1_000 });
    }).toPass();

    await expect(chat.answers.last()).toContainText('Finished.', { timeout: 30_000 });
    await openAll(chat.log);
    await expect.poll(() => unread(chat.log)).toEqual([]);
    await chat.idle();
    // The program may try again before it gives up.
    model.onRequest(({ kind }) => (kind === 'main' ? fail(400, { message: everythingInLines }) : undefined));
    await chat.prompt('Once more.');
    await expect(chat.article('Notice').last()).toBeVisible({ timeout: 30_000 });
    await readable(chat, chat.article('Notice').last());

    expect(seen).toEqual({ outside: [], dialogs: [] });
    await expect(chat.composer).toBeVisible();
  });
});
