import { describe, expect, it } from 'vitest';
import { isShownImage, linkTarget } from '../../../webview/markdown/linkTarget.ts';

describe('where a link may lead', () => {
  it.each(['https://example.org/a?b#c', 'http://localhost:3000', 'mailto:a@example.org', 'HTTPS://EXAMPLE.ORG'])(
    'lets %s through to the host',
    href => {
      expect(linkTarget(href)).toEqual({ kind: 'web', href });
    },
  );

  it.each([
    ['src/a.ts', { path: 'src/a.ts' }],
    ['src/a.ts#L10', { path: 'src/a.ts', line: 10 }],
    ['src/a.ts:10:2', { path: 'src/a.ts', line: 10, column: 2 }],
    ['my%20notes/a.md', { path: 'my notes/a.md' }],
    ['file:///home/me/a.ts', { path: '/home/me/a.ts' }],
    ['file:///C:/a/b.ts', { path: 'C:/a/b.ts' }],
    ['C:\\a\\b.ts', { path: 'C:\\a\\b.ts' }],
    ['README.md', { path: 'README.md' }],
  ])('takes %s for a file', (href, place) => {
    expect(linkTarget(href)).toEqual({ kind: 'file', place });
  });

  it.each([
    'command:workbench.action.terminal.new',
    'vscode://file/etc/passwd',
    'vscode-insiders:x',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'blob:https://x/y',
    'ftp://x/y',
    'tel:1',
    'file://server/share/a.ts',
    '//example.org/a',
    '\\\\server\\share\\a.ts',
    'https:',
    'https://',
    'https:example.org',
    '%6aavascript:alert(1)',
    'ssh://x',
    'http://exa\u202emple.org',
  ])('blocks %s', href => {
    expect(linkTarget(href)).toEqual({ kind: 'blocked' });
  });

  it('leads nowhere from a link to a part of the page', () => {
    expect(linkTarget('#part')).toEqual({ kind: 'none' });
  });
});

describe('pictures in a text', () => {
  it('shows those that come with the text, of kinds that cannot carry script', () => {
    expect(isShownImage('data:image/png;base64,AAAA')).toBe(true);
    for (const address of [
      'https://example.org/a.png',
      'data:image/svg+xml;base64,AAAA',
      'data:image/png,AAAA',
      'data:text/html;base64,AAAA',
      'data:image/png;base64,AAAA" onerror="x',
      'a.png',
    ]) {
      expect(isShownImage(address)).toBe(false);
    }
  });
});
