import * as vscode from 'vscode';
import { z } from 'zod';
import type { Logger } from '../base/logger.ts';

const schema = {
  'claude.executable': z.string().default(''),
  'claude.environment': z.record(z.string(), z.string()).default({}),
  'claude.extraArguments': z.array(z.string()).default([]),
  model: z.string().default(''),
  'permissions.initialMode': z.enum(['default', 'acceptEdits', 'plan', 'dontAsk', 'auto']).default('default'),
  'chat.sendKey': z.enum(['enter', 'modEnter']).default('enter'),
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
