import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageExtension } from '../run/package.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Every file of the package, by name or, where the name carries a hash, by form. Each must be there. */
const allowed: readonly (string | RegExp)[] = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist/extension.js',
  'dist/guardian.js',
  'dist/lazy/mcpBridge.js',
  'dist/notices.txt',
  'dist/view/main.js',
  'dist/view/main.css',
  /^dist\/view\/assets\/codicon-[A-Z0-9]+\.ttf$/,
  'media/icon.png',
  'media/handrail.svg',
  'media/handrail-waiting.svg',
  'media/handrail-working.svg',
];
/** These may be there, in any number. */
const optional: readonly RegExp[] = [
  /^dist\/lazy\/[A-Za-z]+\.js$/,
  /^dist\/view\/chunks\/[A-Za-z-]+-[A-Z0-9]+\.js$/,
  /^package\.nls\.[a-z-]+\.json$/,
  /^l10n\/bundle\.l10n(\.[a-z-]+)?\.json$/,
  /^media\/walkthrough\/[\w-]+\.(md|svg|png)$/,
];

const fits = (file: string, rule: string | RegExp): boolean =>
  typeof rule === 'string' ? rule === file : rule.test(file);

describe('the package', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-package-'));
  const vsix = path.join(folder, 'handrail.vsix');
  let files: string[] = [];

  beforeAll(async () => {
    await packageExtension({ out: vsix });
    const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
    const { stdout } = await promisify(execFile)(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: root });
    files = stdout.split(/\r?\n/).filter(line => line !== '');
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('holds every file of the allow-list', () => {
    const missing = allowed.filter(rule => !files.some(file => fits(file, rule)));
    expect(missing.map(String)).toEqual([]);
  });

  it('holds nothing else', () => {
    const surplus = files.filter(file => ![...allowed, ...optional].some(rule => fits(file, rule)));
    expect(surplus).toEqual([]);
  });

  it('holds every file the manifest names', () => {
    const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
    const named = [...manifest.matchAll(/"(?:\.\/)?((?:dist|media|l10n)\/[^"*]+)"/g)].map(match => match[1] ?? '');
    expect(named).toContain('dist/extension.js');
    expect(named.filter(file => !files.includes(file))).toEqual([]);
  });

  it('holds no map and no trace of this machine', () => {
    const code = files
      .filter(file => /\.(js|css)$/.test(file))
      .map(file => readFileSync(path.join(root, file), 'utf8'));
    for (const text of code) {
      expect(text).not.toContain('sourceMappingURL');
      expect(text).not.toContain(root);
    }
  });

  it('carries the licence of every package that is bundled', () => {
    const notices = readFileSync(path.join(root, 'dist', 'notices.txt'), 'utf8');
    for (const name of ['zod', 'uuid', 'preact', '@vscode/codicons']) expect(notices).toContain(`\n${name} `);
    expect(notices).not.toContain('no licence named');
  });

  it('is small enough to be installed without a thought', () => {
    expect(existsSync(vsix)).toBe(true);
    expect(statSync(vsix).size).toBeLessThan(1_500_000);
  });
});
