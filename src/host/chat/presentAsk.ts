import { assertNever } from '../../base/assertNever.ts';
import type { AlwaysView, AskView } from '../../bridge/viewItem.ts';
import type { PermissionUpdate } from '../../protocol/permission.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import { cleanText } from './cleanText.ts';
import type { ShapedAsk } from '../permissions/askShaper.ts';
import { matchedRule, sourceName } from '../permissions/ruleList.ts';
import type { Translate } from './words.ts';

const withDiff = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** An open question as its card: what will happen, why it is asked, what can be done. */
export function presentAsk(ask: PermissionAsk, cwd: string, t: Translate, shaped?: ShapedAsk): AskView {
  const special = reasonText(ask, t);
  const reason = special === undefined ? usualReason(ask, t) : { text: special, usual: false };
  const editable = editableText(ask);
  return {
    askId: ask.id,
    kind: ask.kind === 'tool' ? 'permission' : ask.kind,
    title: cleanText(ask.elicitation?.mcp_server_name ?? ask.title ?? ask.displayName ?? ask.toolName),
    // Of a file the CLI says only its name, which is on the card already.
    ...(ask.description === undefined || withDiff.has(ask.toolName) ? {} : { description: cleanText(ask.description) }),
    ...(reason === undefined ? {} : { reason }),
    oneClick: ask.oneClick,
    suggestAllow: ask.preselectAllow,
    hasDiff: shaped?.hasDiff ?? withDiff.has(ask.toolName),
    always: ask.suggestions.map((update, index) => presentUpdate(update, index, t)),
    ...(editable === undefined ? {} : { editable }),
    ...(ask.toolName === 'Bash' ? { cwd } : {}),
    fromSubagent: ask.agentId !== undefined,
    ...(shaped === undefined || shaped.notes.length === 0 ? {} : { notes: shaped.notes }),
  };
}

function editableText(ask: PermissionAsk): AskView['editable'] {
  const command = ask.input['command'];
  if (ask.toolName === 'Bash' && typeof command === 'string') return { field: 'command', value: command };
  if (withDiff.has(ask.toolName) || ask.kind !== 'tool') return undefined;
  return { field: 'json', value: JSON.stringify(ask.input, undefined, 2) };
}

/** The CLI gives no reason where the mode asks and no rule says otherwise. */
function usualReason({ kind, toolName, mode }: PermissionAsk, t: Translate): AskView['reason'] {
  if (kind !== 'tool') return undefined;
  const name = modeLabel(mode, t);
  const text = withDiff.has(toolName)
    ? t('The mode “{0}” asks before a file is changed, and no rule allows this change.', name)
    : t('The mode “{0}” asks before such a step, and no rule allows it.', name);
  return { text, usual: true };
}

function reasonText(ask: PermissionAsk, t: Translate): string | undefined {
  const { reason } = ask;
  const text = reason.text === undefined ? undefined : cleanText(reason.text);
  if (ask.deniedByPlanMode) return t('Plan mode is on: allowing this would leave it.');
  const rule = matchedRule(reason.matchedRule);
  if (rule !== undefined) {
    return rule.source === undefined
      ? t('Your rule “{0}” asks for this.', rule.name)
      : t('The rule “{0}” asks for this. It is kept for {1}.', rule.name, sourceName(rule.source, t));
  }
  switch (reason.type) {
    case undefined:
      return text;
    case 'mode':
      return text ?? t('This mode asks before such a step.');
    case 'rule':
      return text === undefined ? t('A rule of yours asks for this.') : t('A rule asks for this: {0}', text);
    case 'hook': {
      const hook = [reason.hookEvent, reason.hookSource].filter(part => part !== undefined).map(cleanText);
      const name = hook.length === 0 ? t('A hook') : t('The hook {0}', hook.join(', '));
      return text === undefined ? t('{0} asks for this.', name) : t('{0} asks for this: {1}', name, text);
    }
    case 'classifier':
      return text ?? t('The agent’s own check could not tell whether this is safe.');
    case 'subcommandResults':
      return text ?? t('A part of this command is not allowed by a rule.');
    case 'workingDir':
      return text ?? t('It reaches outside the folder of this session.');
    case 'safetyCheck':
      return text === undefined ? t('A safety check asks for this.') : t('A safety check asks for this: {0}', text);
    default:
      return text;
  }
}

/** One of the CLI's suggestions in plain words, with where it would be kept. */
function presentUpdate(update: PermissionUpdate, index: number, t: Translate): AlwaysView {
  return { index, label: updateLabel(update, t), where: destinationText(update.destination, t) };
}

function updateLabel(update: PermissionUpdate, t: Translate): string {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const rules = update.rules.map(rule =>
        cleanText(rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`),
      );
      const list = rules.join(', ');
      if (update.type === 'removeRules') return t('Remove the rule {0}', list);
      if (update.behavior === 'deny') return t('Never allow {0}', list);
      if (update.behavior === 'ask') return t('Always ask about {0}', list);
      return t('Always allow {0}', list);
    }
    case 'setMode':
      return t('Switch to the mode “{0}”', modeLabel(update.mode, t));
    case 'addDirectories':
      return t('Allow the folder {0}', update.directories.map(cleanText).join(', '));
    case 'removeDirectories':
      return t('No longer allow the folder {0}', update.directories.map(cleanText).join(', '));
    default:
      return assertNever(update);
  }
}

function destinationText(destination: string, t: Translate): string {
  switch (destination) {
    case 'session':
      return t('in this session');
    case 'localSettings':
      return t('in this project, for me');
    case 'projectSettings':
      return t('in this project, for everyone');
    case 'userSettings':
      return t('in all my projects');
    default:
      return cleanText(destination);
  }
}

export function modeLabel(mode: string, t: Translate): string {
  switch (mode) {
    case 'default':
      return t('Ask first');
    case 'acceptEdits':
      return t('Accept edits');
    case 'plan':
      return t('Plan');
    case 'dontAsk':
      return t('Don’t ask');
    case 'auto':
      return t('Auto');
    case 'bypassPermissions':
      return t('Bypass permissions');
    default:
      return cleanText(mode);
  }
}
