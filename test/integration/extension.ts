import assert from 'node:assert/strict';
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
