import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** The parts of the manifest that tests compare with what VS Code made of them. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category?: string }[];
    readonly configuration: ConfigurationSection | readonly ConfigurationSection[];
  };
}

export interface ConfigurationSection {
  readonly properties: Readonly<Record<string, { readonly scope?: string; readonly type?: string }>>;
}

/** Handrail as VS Code sees it. */
export function handrail(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension<unknown>('handrail-vscode.handrail');
  assert.ok(extension, 'VS Code does not know the extension');
  return extension;
}

export function manifest(): Manifest {
  // VS Code types the manifest as `any`; what is read here is checked by the manifest tests of the architecture layer.
  return handrail().packageJSON as Manifest;
}

/** Waits until the look shows something, and fails after a while with what was looked for. */
export async function eventually<T>(what: string, look: () => T | undefined, timeout = 10_000): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    assert.ok(Date.now() < end, `not seen within ${timeout} ms: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}

/** Runs commands one after the other and returns what Handrail wrote into its log as errors meanwhile: a command that fails tells the person and the log, not its caller. */
export async function faultsOf(...commands: readonly string[]): Promise<string[]> {
  const before = await loggedErrors();
  for (const command of commands) await vscode.commands.executeCommand(command);
  return (await loggedErrors()).slice(before.length);
}

async function loggedErrors(): Promise<string[]> {
  const results = process.env['HANDRAIL_TEST_RESULTS'];
  assert.ok(results !== undefined, 'HANDRAIL_TEST_RESULTS does not say where this run is');
  const folder = path.join(path.dirname(results), 'user-data', 'logs');
  const files = (await readdir(folder, { recursive: true })).filter(name => path.basename(name) === 'Handrail.log');
  assert.ok(files.length > 0, 'Handrail has no log');
  const texts = await Promise.all(files.map(name => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap(text => text.split('\n').filter(line => line.includes('[error]')));
}
