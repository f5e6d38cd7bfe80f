import { describe, expect, it } from 'vitest';
import { findPlaces, placeOf } from '../../../webview/markdown/filePlaces.ts';

const found: [text: string, path: string, line: number, column?: number][] = [
  ['see src/a.ts:12', 'src/a.ts', 12],
  ['see src/a.ts:12:3.', 'src/a.ts', 12, 3],
  ['(src/a.ts:12)', 'src/a.ts', 12],
  ['"src/a.ts:12",', 'src/a.ts', 12],
  ['a.ts:1', 'a.ts', 1],
  ['./a.ts:7 and more', './a.ts', 7],
  ['../up/a.test.tsx:7', '../up/a.test.tsx', 7],
  ['/home/me/x.py:99:1', '/home/me/x.py', 99, 1],
  ['~/notes.md:3', '~/notes.md', 3],
  ['C:\\work\\a.cs:5:2', 'C:\\work\\a.cs', 5, 2],
  ['C:/code/a.cs:5', 'C:/code/a.cs', 5],
  ['src\\a.ts:4', 'src\\a.ts', 4],
  ['lines a.ts:10-20 here', 'a.ts', 10],
  ['lines a.ts:10–20 here', 'a.ts', 10],
  ['file.ts#L10', 'file.ts', 10],
  ['file.ts#L10-L20', 'file.ts', 10],
  ['file.ts#L10C4', 'file.ts', 10, 4],
  ['src/a.ts(12,5): error TS2322', 'src/a.ts', 12, 5],
  ['    at run (src/a.js:3:9)', 'src/a.js', 3, 9],
  ['app/[id]/page.tsx:8', 'app/[id]/page.tsx', 8],
  ['@scope/pkg/index.d.ts:2', '@scope/pkg/index.d.ts', 2],
  ['Makefile:14: recipe failed', 'Makefile', 14],
  ['.eslintrc:2', '.eslintrc', 2],
  ['src/a.ts:12: error', 'src/a.ts', 12],
  ['src/größe.ts:4'.normalize().replace('öß', 'oss'), 'src/grosse.ts', 4],
];

const notFound = [
  '12:30',
  'at 12:30:45 today',
  'http://x:80',
  'http://example.com:8080/a',
  'https://example.com/a.js:10',
  'localhost:3000',
  'example.com:443',
  'api.example.io:8443',
  '127.0.0.1:8080',
  'key:1',
  'a: 1',
  'version 1.2.3:4',
  'ratio 3.5:1',
  'std::vector:3',
  'foo.bar::baz',
  'a.ts:',
  'a.ts:0',
  'a.ts:12.5',
  'a.ts:12abc',
  'user@host.org:22',
  'C:12',
  'vscode://file/a.ts:1',
  'command:workbench.action:1',
  '',
];

describe('places of files in prose', () => {
  it.each(found)('finds the place in “%s”', (text, path, line, column) => {
    expect(findPlaces(text)).toMatchObject([column === undefined ? { path, line } : { path, line, column }]);
  });

  it.each(notFound)('finds none in “%s”', text => {
    expect(findPlaces(text)).toEqual([]);
  });

  it('tells where each of several places stands', () => {
    const text = 'From a.ts:1 to src/b.ts:22:3.';
    expect(findPlaces(text).map(({ start, end }) => text.slice(start, end))).toEqual(['a.ts:1', 'src/b.ts:22:3']);
  });

  it('takes no long time over a long line without any place', () => {
    const line = `${'a/'.repeat(5_000)}:1 ${'x.'.repeat(5_000)}:1 ${'-'.repeat(20_000)}:1`;
    const start = performance.now();
    expect(findPlaces(line)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('a file named by inline code', () => {
  it.each([
    ['src/a b.ts:12', { path: 'src/a b.ts', line: 12 }],
    ['My Documents/a.ts:3:4', { path: 'My Documents/a.ts', line: 3, column: 4 }],
    ['C:\\Program Files\\x.ini:2', { path: 'C:\\Program Files\\x.ini', line: 2 }],
    ['src/client.ts', { path: 'src/client.ts' }],
    ['./run.sh', { path: './run.sh' }],
    ['/etc/hosts.conf', { path: '/etc/hosts.conf' }],
    ['client.ts:4', { path: 'client.ts', line: 4 }],
  ])('reads %s', (code, place) => {
    expect(placeOf(code)).toEqual(place);
  });

  it.each([
    'client.ts',
    'foo.bar',
    'a/b',
    'and/or',
    '12:30',
    'npm run build:1',
    'example.com/a.html',
    'https://example.com/a.js:1',
    '//server/share/a.ts:1',
    '\\\\server\\share\\a.ts:1',
    'x ? a.b : 1',
    'command:x.y:1',
  ])('makes nothing of %s', code => {
    expect(placeOf(code)).toBeUndefined();
  });
});
