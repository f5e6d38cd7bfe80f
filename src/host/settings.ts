import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';

const schema = {
  'claude.executable': z._default(z.string(), ''),
  'claude.environment': z._default(z.record(z.string(), z.string()), {}),
  'claude.extraArguments': z._default(z.array(z.string()), []),
  'claude.idleTimeoutMinutes': z._default(z.number().check(z.minimum(0)), 60),
  model: z._default(z.string(), ''),
  'permissions.initialMode': z._default(
    z.enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions']),
    'default',
  ),
  'permissions.allowBypass': z._default(z.boolean(), false),
  'diff.open': z._default(z.enum(['onRequest', 'automatically']), 'automatically'),
  'permissions.notify': z._default(z.enum(['whenHidden', 'always', 'never']), 'whenHidden'),
  'context.attach': z._default(z.enum(['off', 'selection', 'file']), 'selection'),
  'context.deny': z._default(z.array(z.string()), ['**/.env*', '**/*.pem']),
  'chat.sendKey': z._default(z.enum(['enter', 'modEnter']), 'enter'),
};

type Schema = typeof schema;
export type SettingName = keyof Schema;
export type Setting<Name extends SettingName> = z.infer<Schema[Name]>;

/**
 * One setting, checked: files people share and edit by hand are an edge like any other.
 * A value of the wrong form is logged and the default counts.
 */
export function readSetting<Name extends SettingName>(
  name: Name,
  scope: vscode.Uri | undefined,
  logger: Logger,
): Setting<Name>;
export function readSetting(name: SettingName, scope: vscode.Uri | undefined, logger: Logger): unknown {
  const value: unknown = vscode.workspace.getConfiguration('handrail', scope).get(name);
  const parsed = schema[name].safeParse(value);
  if (parsed.success) return parsed.data;
  logger.warn(`The setting handrail.${name} is not usable and its default counts: ${z.prettifyError(parsed.error)}`);
  return schema[name].parse(undefined);
}

/** Tells settings that are still the same from those to be read again: asking VS Code costs more than a patch of the view. */
export class SettingsWatch implements Disposable {
  readonly #owned = new DisposableStore();
  #changes = 0;

  start(): void {
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (change.affectsConfiguration('handrail')) this.#changes += 1;
      }),
    );
  }

  /** The same as `read`, which is asked again only after a setting of ours has changed. */
  keep<T>(read: () => T): () => T {
    let known: { readonly changes: number; readonly value: T } | undefined;
    return () => {
      if (known?.changes !== this.#changes) known = { changes: this.#changes, value: read() };
      return known.value;
    };
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
