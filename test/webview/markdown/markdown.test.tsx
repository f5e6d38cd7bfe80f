import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Markdown } from '../../../webview/markdown/markdown.tsx';
import { byRole, click, mount } from '../cards/mount.tsx';
import type { Mounted } from '../cards/mount.tsx';
import { corpus, expectSafe, wordsOf } from './safety.ts';

let page: Mounted;
beforeEach(() => (page = mount()));
afterEach(() => page.dispose());

function show(text: string, streaming = false, of = 'item'): HTMLElement {
  page.show(<Markdown text={text} streaming={streaming} of={of} />);
  return page.root;
}

function html(text: string): string {
  return show(text).querySelector('.blocks')?.innerHTML ?? '';
}

describe('a long part that was opened', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

  it.each([
    ['code', `\`\`\`\n${lines(100)}\n\`\`\``],
    ['code in a list', `- one\n\n  \`\`\`\n  ${lines(100).replaceAll('\n', '\n  ')}\n  \`\`\``],
    ['a table', `| a |\n|---|\n${lines(100)}\n`],
  ])('stays open while its row is out of the page, and only in its own message: %s', (_kind, text) => {
    const more = (): Element | null => page.root.querySelector('button[aria-expanded]');
    show(text);
    page.root.querySelector<HTMLElement>('button[aria-expanded]')?.click();
    page.show(null);
    show(text);
    expect(more()?.getAttribute('aria-expanded')).toBe('true');
    page.show(null);
    show(text, false, 'another item');
    expect(more()?.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('markdown', () => {
  it('draws the usual marks', () => {
    expect(html('**b** *i* ~~d~~ `c`')).toBe(
      '<p dir="auto"><strong>b</strong> <em>i</em> <del>d</del> <code class="inline-code">c</code></p>',
    );
  });

  it('draws tables, task lists and footnotes', () => {
    const root = show('| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\nText[^n].\n\n[^n]: The note.\n');
    expect(root.querySelectorAll('thead th')).toHaveLength(2);
    expect(root.querySelector('td')?.className).toBe('align-center');
    expect([...root.querySelectorAll('.task-mark')].map(mark => mark.getAttribute('aria-label'))).toEqual([
      'Done',
      'Open',
    ]);
    expect(byRole(root, 'button', 'n').closest('sup')).not.toBeNull();
    expect(byRole(root, 'note', 'n The note.')).toBeTruthy();
  });

  it('brings the reader from a footnote mark to its note', () => {
    const root = show('Text[^n].\n\n[^n]: The note.\n');
    const note = byRole(root, 'note', 'n The note.');
    note.scrollIntoView = () => undefined;
    click(byRole(root, 'button', 'n'));
    expect(document.activeElement).toBe(note);
  });

  it('shows character references as characters, and never as elements', () => {
    const root = show('a &lt;b&gt; &amp; &#x41; &nosuch;');
    expect(root.textContent).toBe('a <b> & A &nosuch;');
    expect(root.querySelector('b')).toBeNull();
  });

  it('draws a few plain tags and shows every other as the text it is', () => {
    const root = show('<kbd>Ctrl</kbd> <kbd onclick="x()">C</kbd> <marquee>m</marquee> <b>never closed');
    expect(root.querySelectorAll('kbd')).toHaveLength(1);
    expect(root.querySelector('b')).toBeNull();
    expect(root.textContent).toContain('<kbd onclick="x()">C</kbd> <marquee>m</marquee> <b>never closed');
  });

  it('opens places of files in the editor', () => {
    const root = show('See src/a.ts:12:3, `my notes/b.md:4` and [this](src/c.ts#L7).');
    for (const link of root.querySelectorAll<HTMLElement>('.place-link')) click(link);
    expect(page.said.filter(message => message.type === 'openFile')).toEqual([
      { type: 'openFile', path: 'src/a.ts', line: 12, column: 3 },
      { type: 'openFile', path: 'my notes/b.md', line: 4 },
      { type: 'openFile', path: 'src/c.ts', line: 7 },
    ]);
  });

  it('asks the host to open pages and follows no link by itself', () => {
    const root = show('[docs](https://example.org/a)');
    const link = root.querySelector('a');
    const press = new MouseEvent('click', { bubbles: true, cancelable: true });
    link?.dispatchEvent(press);
    expect(press.defaultPrevented).toBe(true);
    expect(page.said).toContainEqual({ type: 'openLink', href: 'https://example.org/a' });
  });

  it('shows a link that leads elsewhere as text with its address', () => {
    const root = show('[click me](command:workbench.action.quit)');
    expect(root.querySelector('a')).toBeNull();
    expect(root.textContent).toContain('click me');
    expect(root.textContent).toContain('command:workbench.action.quit');
  });

  it('shows no picture from outside', () => {
    const root = show('![pixel](https://example.org/p.png) ![ok](data:image/png;base64,AAAA)');
    expect([...root.querySelectorAll('img')].map(image => image.src)).toEqual(['data:image/png;base64,AAAA']);
    expect(root.textContent).toContain('pixel');
  });

  it('makes characters visible that would turn the direction of the text', () => {
    expect(show('a \u202eb').textContent).toBe('a ⟨U+202E⟩b');
    expect(show('`a\u200bb`').textContent).toBe('a⟨U+200B⟩b');
  });

  it('keeps the elements of finished blocks while the text grows and when it is final', () => {
    const text = '# Head\n\nFirst **para**.\n\n```ts\nconst a = 1;\n```\n\nLast words';
    const nodes = new Map<number, Element[]>();
    for (let end = 1; end <= text.length; end++) {
      const root = show(text.slice(0, end), true);
      nodes.set(end, [...(root.querySelector('.blocks')?.children ?? [])]);
    }
    const draft = nodes.get(text.length) ?? [];
    const root = show(text);
    const final = [...(root.querySelector('.blocks')?.children ?? [])];
    expect(final).toHaveLength(4);
    expect(final.every((element, index) => element === draft[index])).toBe(true);
    const heading = nodes.get(10)?.[0];
    expect(heading).toBe(final[0]);
    // A code block is one element from its first line on.
    expect(nodes.get(text.indexOf('const a') + 3)?.[2]).toBe(final[2]);
  });

  it('never flickers: what is on the page only grows, mark by mark', () => {
    const text = 'Say **bold words** and `code` with [a link](https://example.org/page) plus *emphasis* done.';
    let before = '';
    for (let end = 1; end <= text.length; end++) {
      const shown = show(text.slice(0, end), true).textContent;
      expect(shown.startsWith(before.trimEnd()), `${JSON.stringify(before)} then ${JSON.stringify(shown)}`).toBe(true);
      before = shown;
    }
  });
});

describe('code blocks', () => {
  it('copy and insert the code as it was written', () => {
    const root = show('```ts\nconst a = "\u202e";\n```');
    click(byRole(root, 'button', 'Copy'));
    click(byRole(root, 'button', 'Insert at cursor'));
    expect(page.said.slice(-2)).toEqual([
      { type: 'copy', text: 'const a = "\u202e";' },
      { type: 'insertAtCursor', text: 'const a = "\u202e";' },
    ]);
    expect(byRole(root, 'group', 'Code, ts').textContent).toContain('⟨U+202E⟩');
  });

  it('fold when they are long, also while they are being written', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const root = show(`\`\`\`\n${lines}\n`, true);
    expect(root.querySelector('pre')?.textContent.split('\n')).toHaveLength(40);
    click(byRole(root, 'button', 'Show more · 60 more lines'));
    expect(root.querySelector('pre')?.textContent.split('\n')).toHaveLength(100);
  });

  it('get colours once they are finished, and say the same with them', async () => {
    const code = 'const a: number = 1; // <b>&amp;</b>\n"text"';
    const root = show(`\`\`\`ts\n${code}\n\`\`\``);
    expect(root.querySelector('[class^=token-]')).toBeNull();
    await expect.poll(() => root.querySelectorAll('[class^=token-]').length, { timeout: 10_000 }).toBeGreaterThan(3);
    expect(root.querySelector('pre')?.textContent).toBe(code);
    expectSafe(root);
  });
});

describe('long tables', () => {
  it('fold, and open on demand', () => {
    const rows = Array.from({ length: 200 }, (_, index) => `| ${index} | b |`).join('\n');
    const root = show(`| a | b |\n|---|---|\n${rows}\n`);
    expect(root.querySelectorAll('tbody tr')).toHaveLength(40);
    click(byRole(root, 'button', 'Show more · 160 more lines'));
    expect(root.querySelectorAll('tbody tr')).toHaveLength(200);
  });
});

describe('injected text', () => {
  it('comes in at least 300 forms', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(300);
  });

  it.each(corpus)('of kind $group stays text: $text', ({ text }) => {
    for (const streaming of [false, true]) {
      const root = show(text, streaming);
      expectSafe(root);
    }
    const shown = show(text).textContent.toLowerCase();
    const addresses = [...page.root.querySelectorAll('[title], [src], [href]')]
      .map(element => element.outerHTML)
      .join(' ');
    for (const word of wordsOf(text)) expect(shown + addresses.toLowerCase()).toContain(word);
  });
});
