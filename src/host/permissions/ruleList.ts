import * as nodePath from 'node:path';
import type { PermissionRules } from '../../protocol/hostAnswers.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { Translate } from '../chat/words.ts';

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
      label: `${behaviourName(rule.behavior, t)}: ${cleanText(rule.rule)}`,
      description: sourceName(rule.source, t),
      ...(detail.length === 0 ? {} : { detail: detail.join(' – ') }),
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

function behaviourName(behaviour: string, t: Translate): string {
  switch (behaviour) {
    case 'allow':
      return t('Allow');
    case 'deny':
      return t('Deny');
    case 'ask':
      return t('Ask');
    default:
      return cleanText(behaviour);
  }
}

function isOff(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** The CLI describes a rule as a text, or as a text with its middle stressed. */
function plain(description: unknown): string {
  if (typeof description === 'string') return cleanText(description);
  if (typeof description !== 'object' || description === null) return '';
  const part = (key: 'prefix' | 'emphasis' | 'suffix'): string => {
    const value: unknown = Object.hasOwn(description, key) ? Reflect.get(description, key) : '';
    return typeof value === 'string' ? value : '';
  };
  return cleanText(part('prefix') + part('emphasis') + part('suffix')).trim();
}
