import * as nodePath from 'node:path';
import type { PermissionRules } from '../../protocol/hostAnswers.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { Translate } from '../chat/words.ts';
import { labelText } from '../noticeText.ts';

export interface RulePlaces {
  readonly cwd: string;
  /** The CLI's own folder, usually `~/.claude`. */
  readonly config: string;
}

export interface RuleEntry {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  /** The file that holds the rule; absent when no file does. */
  readonly file?: string;
}

/** The rules in force, each with where it is kept. */
export function ruleEntries(rules: PermissionRules, places: RulePlaces, t: Translate): RuleEntry[] {
  return rules.rules.map(rule => {
    const file = ruleFile(rule.source, places);
    const detail = [plain(rule.description), isOff(rule.notInEffect) ? t('not in effect') : ''].filter(Boolean);
    return {
      label: `${behaviourName(rule.behavior, t)}: ${labelText(rule.rule)}`,
      description: labelText(sourceName(rule.source, t)),
      ...(detail.length === 0 ? {} : { detail: labelText(detail.join(' – ')) }),
      ...(file === undefined ? {} : { file }),
    };
  });
}

export function ruleFile(source: string, { cwd, config }: RulePlaces): string | undefined {
  switch (source) {
    case 'userSettings':
      return nodePath.join(config, 'settings.json');
    case 'projectSettings':
      return nodePath.join(cwd, '.claude', 'settings.json');
    case 'localSettings':
      return nodePath.join(cwd, '.claude', 'settings.local.json');
    default:
      return undefined;
  }
}

export function sourceName(source: string, t: Translate): string {
  switch (source) {
    case 'session':
      return t('this session');
    case 'cliArg':
      return t('the command line');
    case 'command':
      return t('a command');
    case 'userSettings':
      return t('all my projects');
    case 'projectSettings':
      return t('this project, for everyone');
    case 'localSettings':
      return t('this project, for me');
    case 'flagSettings':
      return t('settings given at the start');
    case 'policySettings':
      return t('the organisation');
    default:
      return cleanText(source);
  }
}

/** The rule that a question names as its reason, whatever form this CLI gives it. */
export function matchedRule(rule: unknown): { readonly name: string; readonly source?: string } | undefined {
  if (typeof rule === 'string') return rule === '' ? undefined : { name: cleanText(rule) };
  const fields = fieldsOf(rule);
  if (fields === undefined) return undefined;
  const value = fieldsOf(fields['ruleValue']) ?? fields;
  const tool = textOf(value['toolName']);
  const content = textOf(value['ruleContent']);
  const name = textOf(fields['rule']) ?? (content === undefined ? tool : `${tool ?? ''}(${content})`);
  if (name === undefined) return undefined;
  const source = textOf(fields['source']);
  return { name: cleanText(name), ...(source === undefined ? {} : { source }) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function behaviourName(behaviour: string, t: Translate): string {
  switch (behaviour) {
    case 'allow':
      return t('Allow');
    case 'deny':
      return t('Deny');
    case 'ask':
      return t('Ask');
    default:
      return labelText(behaviour);
  }
}

function isOff(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** The CLI describes a rule as a text, or as a text with its middle stressed. */
function plain(description: unknown): string {
  if (typeof description === 'string') return cleanText(description);
  const fields = fieldsOf(description);
  const parts = ['prefix', 'emphasis', 'suffix'].map(key => textOf(fields?.[key]) ?? '');
  return cleanText(parts.join('')).trim();
}
