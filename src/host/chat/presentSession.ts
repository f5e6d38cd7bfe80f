import type {
  ChoiceView,
  CommandView,
  ErrorCard,
  ResumeView,
  SessionView,
  TaskView,
} from '../../bridge/sessionView.ts';
import type { OpenPrompt } from '../../session/prompt.ts';
import type { SessionInfo } from '../../session/sessionInfo.ts';
import type { SessionState } from '../../session/sessionState.ts';
import type { TaskInfo, UsageInfo } from '../../session/transcriptModel.ts';
import { splitContext } from '../context/contextText.ts';
import { cleanText } from './cleanText.ts';
import { modeLabel } from './presentAsk.ts';
import type { Translate } from './words.ts';

export interface SessionParts {
  readonly state: SessionState | undefined;
  readonly info: SessionInfo | undefined;
  readonly usage: UsageInfo;
  readonly tasks: Iterable<TaskInfo>;
  readonly prompts: readonly OpenPrompt[];
  readonly failure: ErrorCard | undefined;
  readonly openAsks: readonly string[];
  /** When the running turn began. */
  readonly turnStartedAt: number | undefined;
  readonly recent: SessionView['recent'];
  readonly resume: ResumeView;
  /** Before the agent said so: what the next session will start with. */
  readonly wantedModel: string;
  readonly wantedMode: string;
  readonly allowBypass: boolean;
}

const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk'] as const;

/** Everything about the session that is not an item of the conversation. */
export function presentSession(parts: SessionParts, t: Translate): SessionView {
  const { info, usage } = parts;
  const mode = info?.mode ?? parts.wantedMode;
  const context = contextOf(usage);
  return {
    state: parts.state?.type ?? 'none',
    title: cleanText(info?.title ?? ''),
    ...(parts.turnStartedAt === undefined ? {} : { turnStartedAt: parts.turnStartedAt }),
    model: modelOf(info, parts.wantedModel, t),
    models: (info?.models ?? []).map(model => ({
      value: model.value,
      label: cleanText(model.displayName),
      description: cleanText(model.description),
    })),
    mode,
    modes: modeChoices(mode, parts.allowBypass, t),
    ...(info?.effort === undefined ? {} : { effort: info.effort }),
    efforts: effortChoices(info),
    ...(context === undefined ? {} : { context }),
    ...(usage.totalCostUsd > 0 ? { costUsd: usage.totalCostUsd } : {}),
    queue: parts.prompts
      .filter(prompt => prompt.state === 'queued')
      .map(prompt => ({ id: prompt.uuid, text: splitContext(prompt.text).words })),
    tasks: [...parts.tasks].filter(isShown).map(taskView),
    commands: (info?.commands ?? []).map(commandView),
    ...(parts.failure === undefined ? {} : { error: parts.failure }),
    openAsks: parts.openAsks,
    recent: parts.recent,
    resume: parts.resume,
  };
}

function contextOf(usage: UsageInfo): SessionView['context'] {
  if (usage.contextTokens === undefined || usage.contextWindow === undefined || usage.contextWindow <= 0)
    return undefined;
  return { usedTokens: usage.contextTokens, maxTokens: usage.contextWindow };
}

function modelOf(info: SessionInfo | undefined, wanted: string, t: Translate): SessionView['model'] {
  const used = info?.model;
  if (used === undefined) {
    const offered = info?.models.find(model => model.value === wanted);
    return { value: wanted, label: wanted === '' ? t('Default') : cleanText(offered?.displayName ?? wanted) };
  }
  const known = info?.models.find(
    model => model.value === used || (model.resolvedModel === used && model.value !== 'default'),
  );
  return { value: known?.value ?? used, label: cleanText(known?.displayName ?? used) };
}

function modeChoices(current: string, allowBypass: boolean, t: Translate): readonly ChoiceView[] {
  const offered: string[] = [...modes, ...(allowBypass ? ['bypassPermissions'] : [])];
  if (!offered.includes(current)) offered.push(current);
  return offered.map(value => ({ value, label: modeLabel(value, t), description: modeDescription(value, t) }));
}

function modeDescription(mode: string, t: Translate): string {
  switch (mode) {
    case 'default':
      return t('Asks before each step that no rule allows');
    case 'acceptEdits':
      return t('Edits files in the folder without asking');
    case 'plan':
      return t('Reads and plans, changes nothing');
    case 'auto':
      return t('The agent’s own safety check decides');
    case 'dontAsk':
      return t('Refuses whatever would need a question');
    case 'bypassPermissions':
      return t('Runs everything without asking');
    default:
      return '';
  }
}

function effortChoices(info: SessionInfo | undefined): readonly ChoiceView[] {
  const model = info?.models.find(one => one.value === info.model || one.resolvedModel === info.model);
  return (model?.effortLevels ?? []).map(value => ({ value, label: value }));
}

function isShown(task: TaskInfo): boolean {
  return !task.ambient && task.background && (task.status === 'running' || task.status === 'pending');
}

function taskView(task: TaskInfo): TaskView {
  return {
    taskId: task.taskId,
    description: cleanText(task.description),
    status: task.status,
    startedAt: task.startedAt,
    stoppable: true,
  };
}

function commandView(command: SessionInfo['commands'][number]): CommandView {
  return {
    name: command.name,
    description: cleanText(command.description),
    argumentHint: cleanText(command.argumentHint),
  };
}
