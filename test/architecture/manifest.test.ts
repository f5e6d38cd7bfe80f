import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commandsRegisteredInSource } from './sourceScan.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

const menuItem = z.looseObject({ command: z.string().optional(), when: z.string().optional() });
const manifestSchema = z.looseObject({
  publisher: z.string(),
  name: z.string(),
  engines: z.object({ vscode: z.string() }),
  activationEvents: z.array(z.string()),
  extensionKind: z.array(z.string()),
  contributes: z.looseObject({
    commands: z.array(z.looseObject({ command: z.string(), title: z.string(), category: z.string() })),
    menus: z.record(z.string(), z.array(menuItem)),
    keybindings: z.array(z.looseObject({ command: z.string() })).default([]),
    configuration: z.looseObject({
      properties: z.record(z.string(), z.looseObject({ scope: z.string(), default: z.unknown() })),
    }),
  }),
});

const manifest = manifestSchema.parse(readJson('package.json'));
const texts = z.record(z.string(), z.string()).parse(readJson('package.nls.json'));
const declared = manifest.contributes.commands.map(({ command }) => command);
const sorted = (values: Iterable<string>): string[] => [...values].sort();

describe('commands', () => {
  it('are declared and registered one for one', () => {
    expect(sorted(commandsRegisteredInSource(path.join(root, 'src')))).toEqual(sorted(declared));
  });

  it('are declared once each, under the name of the extension', () => {
    expect(sorted(new Set(declared))).toEqual(sorted(declared));
    for (const command of declared) expect(command).toMatch(/^handrail\.[a-z][A-Za-z]*$/);
  });

  it('each have a rule that says when the palette shows them', () => {
    const rules = manifest.contributes.menus['commandPalette'] ?? [];
    expect(sorted(rules.map(({ command }) => command ?? ''))).toEqual(sorted(declared));
    for (const { command, when } of rules) expect(when, `the rule of ${String(command)}`).toBeTruthy();
  });

  it('that menus and keys name exist', () => {
    const named = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings]
      .map(({ command }) => command)
      .filter(command => command !== undefined);
    for (const command of named) expect(declared).toContain(command);
  });

  it('are grouped under one category', () => {
    for (const { category } of manifest.contributes.commands) expect(category).toBe('Handrail');
  });
});

describe('texts', () => {
  const used = new Set([...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(match => match[1] ?? ''));

  it('that the manifest asks for are there, and no others', () => {
    expect(sorted(Object.keys(texts))).toEqual(sorted(used));
  });

  it('are the same set in every language', () => {
    const languages = readdirSync(root).filter(name => /^package\.nls\..+\.json$/.test(name));
    for (const file of languages)
      expect(sorted(Object.keys(z.record(z.string(), z.string()).parse(readJson(file)))), file).toEqual(
        sorted(Object.keys(texts)),
      );
  });

  it('are never written into the manifest itself where a person sees them', () => {
    for (const { command, title } of manifest.contributes.commands) expect(title, command).toMatch(/^%.+%$/);
    const settings = JSON.stringify(manifest.contributes.configuration.properties);
    for (const match of settings.matchAll(/"(?:markdownD|d)escription":"([^"]*)"/g)) expect(match[1]).toMatch(/^%.+%$/);
  });
});

describe('the promise to VS Code', () => {
  it('is checked against the types of the oldest version it names', () => {
    const types = z.object({ version: z.string() }).parse(readJson('node_modules/@types/vscode/package.json'));
    const minor = (version: string): string | undefined => /(\d+\.\d+)\./.exec(version)?.[1];
    expect(minor(types.version)).toBe(minor(manifest.engines.vscode));
  });

  it('is not to be active before a person asks for something', () => {
    for (const event of manifest.activationEvents) expect(event).toMatch(/^on(WebviewPanel|View|Command|Uri)\b/);
  });

  it('is to run where the files are', () => {
    expect(manifest.extensionKind).toEqual(['workspace']);
    expect(`${manifest.publisher}.${manifest.name}`).toBe('handrail-vscode.handrail');
  });

  it('keeps settings that start programs out of the reach of a workspace', () => {
    const { properties } = manifest.contributes.configuration;
    const programs = Object.keys(properties).filter(name =>
      /^handrail\.claude\.(executable|environment|extra)/.test(name),
    );
    expect(programs).toHaveLength(3);
    for (const name of programs) expect(properties[name]?.scope, name).toBe('machine');
  });
});
