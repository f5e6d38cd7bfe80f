import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { hostOptions, viewOptions } from '../../esbuild.mjs';
import { importsOf, sourceFiles } from './sourceScan.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What a room may import: other rooms, `node:` for all of Node's own modules, and packages by name. */
interface Room {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
  /** Rooms whose types it may name, without running their code. */
  readonly types?: readonly string[];
}

const rooms: Readonly<Record<string, Room>> = {
  'src/base': { rooms: [], packages: [] },
  'src/protocol': { rooms: ['src/base'], packages: ['zod'] },
  'src/transport': { rooms: ['src/base', 'src/protocol'], packages: ['node:', 'ws'] },
  'src/session': { rooms: ['src/base', 'src/protocol'], packages: ['uuid', '@modelcontextprotocol/sdk', 'diff'] },
  'src/bridge': { rooms: ['src/base'], packages: ['zod'], types: ['src/protocol', 'src/session'] },
  'src/host': {
    rooms: ['src/base', 'src/protocol', 'src/transport', 'src/session', 'src/bridge'],
    packages: ['node:', 'vscode', 'zod', 'diff'],
  },
  'src/extension.ts': {
    rooms: ['src/base', 'src/protocol', 'src/transport', 'src/session', 'src/bridge', 'src/host'],
    packages: ['node:', 'vscode'],
  },
  webview: {
    rooms: ['src/base', 'src/bridge'],
    packages: ['preact', '@preact/signals', 'marked', 'highlight.js', '@vscode/codicons'],
  },
};

const slashes = (file: string): string => file.replaceAll('\\', '/');

function roomOf(file: string): string | undefined {
  return Object.keys(rooms).find(room => file === room || file.startsWith(`${room}/`));
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** A sentence if the import breaks a wall. `target`: a file of the project, or the name of a package. */
function breach(from: string, target: string, typeOnly: boolean): string | undefined {
  const room = roomOf(from);
  const rules = room === undefined ? undefined : rooms[room];
  if (room === undefined || !rules) return `${from} is in no room`;
  const targetRoom = roomOf(target);
  if (targetRoom === undefined)
    return rules.packages.includes(packageOf(target)) ? undefined : `${from} may not import ${target}`;
  const allowed = [room, ...rules.rooms, ...(typeOnly ? (rules.types ?? []) : [])];
  return allowed.includes(targetRoom) ? undefined : `${from} may not import ${target}`;
}

describe('the walls between the rooms', () => {
  it.each([
    ['host', hostOptions()],
    ['view', viewOptions()],
  ])('hold in what esbuild put together for the %s', async (_, options) => {
    const { metafile } = await build({ ...options, write: false });
    const own = Object.entries(metafile.inputs).filter(
      ([file]) => /^(src|webview)\//.test(file) && /\.tsx?$/.test(file),
    );
    expect(own.length).toBeGreaterThan(10);
    const breaches = own.flatMap(([file, { imports }]) =>
      imports
        // A helper of esbuild's own, and the files of the host that are loaded when first used.
        .filter(({ path: target }) => !target.startsWith('<') && !target.startsWith('./lazy/'))
        .map(({ path: target, original }) =>
          breach(file, /^(src|webview)\//.test(target) ? target : (original ?? target), false),
        )
        .filter(sentence => sentence !== undefined),
    );
    expect(breaches).toEqual([]);
  });

  it('hold in every import line, also for types', () => {
    const files = ['src', 'webview'].flatMap(folder => sourceFiles(path.join(root, folder)));
    expect(files.length).toBeGreaterThan(50);
    const breaches = files.flatMap(importsOf).flatMap(({ file, line, specifier, typeOnly }) => {
      const from = slashes(path.relative(root, file));
      if (specifier.endsWith('.css') && specifier.startsWith('.')) return [];
      const target = specifier.startsWith('.')
        ? slashes(path.relative(root, path.resolve(path.dirname(file), specifier)))
        : specifier;
      const sentence = breach(from, target, typeOnly);
      return sentence === undefined ? [] : [`${sentence} (line ${line})`];
    });
    expect(breaches).toEqual([]);
  });

  it('are noticed when they are broken', () => {
    expect(breach('src/bridge/a.ts', 'src/session/b.ts', true)).toBeUndefined();
    expect(breach('src/bridge/a.ts', 'src/session/b.ts', false)).toBe(
      'src/bridge/a.ts may not import src/session/b.ts',
    );
    expect(breach('src/session/a.ts', 'src/transport/b.ts', true)).toBe(
      'src/session/a.ts may not import src/transport/b.ts',
    );
    expect(breach('src/session/a.ts', 'node:fs', false)).toBe('src/session/a.ts may not import node:fs');
    expect(breach('webview/a.tsx', 'src/host/b.ts', true)).toBe('webview/a.tsx may not import src/host/b.ts');
    expect(breach('src/protocol/a.ts', 'vscode', true)).toBe('src/protocol/a.ts may not import vscode');
  });
});
