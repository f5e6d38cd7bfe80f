import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insidePath, resolvePath } from '../../../src/host/paths.ts';

describe('a path', () => {
  it('is inside a folder by its parts, not by its first characters', () => {
    const folder = join('/', 'work', 'app');
    expect(insidePath(join(folder, 'src', 'a.ts'), folder)).toBe('src/a.ts');
    expect(insidePath(join(folder, '..notes', 'a.ts'), folder)).toBe('..notes/a.ts');
    expect(insidePath(folder, folder)).toBe('');
    expect(insidePath(join('/', 'work', 'app2', 'a.ts'), folder)).toBeUndefined();
    expect(insidePath(join('/', 'work'), folder)).toBeUndefined();
  });

  it('that begins with a tilde is in the home of the person, every other in the folder', () => {
    expect(resolvePath('~', '/work')).toBe(homedir());
    expect(resolvePath('~/a.ts', '/work')).toBe(join(homedir(), 'a.ts'));
    expect(resolvePath('~a.ts', join('/', 'work'))).toBe(join('/', 'work', '~a.ts'));
    expect(resolvePath(join('/', 'b.ts'), join('/', 'work'))).toBe(join('/', 'b.ts'));
  });
});
