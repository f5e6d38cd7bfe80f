import { describe, expect, it } from 'vitest';
import { bestPaths, withFolders } from '../../../src/host/fuzzyPaths.ts';

const paths = withFolders([
  'src/client.ts',
  'src/client.test.ts',
  'docs/client notes.md',
  'README.md',
  'src/ui/clientList.tsx',
]);
const names = (query: string): string[] => bestPaths(query, paths, 10).map(entry => entry.path);

describe('completing a path', () => {
  it('puts the file whose name begins with the query and is shortest first', () => {
    expect(names('client')[0]).toBe('src/client.ts');
  });

  it('finds letters in order, also across folders, and nothing else', () => {
    expect(names('sct')).toContain('src/client.ts');
    expect(names('zzz')).toEqual([]);
  });

  it('does not mind case, backslashes and spaces', () => {
    expect(names('SRC\\CLI')).toContain('src/client.ts');
    expect(names('client notes')).toEqual(['docs/client notes.md']);
  });

  it('offers each folder once and the top of the tree when nothing was typed', () => {
    expect(
      paths
        .filter(entry => entry.folder)
        .map(entry => entry.path)
        .sort(),
    ).toEqual(['docs', 'src', 'src/ui']);
    expect(names('').slice(0, 3).sort()).toEqual(['README.md', 'docs', 'src']);
  });
});
