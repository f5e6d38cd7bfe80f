import { assertNever } from '../../base/assertNever.ts';
import type { ActionView, NoticeView } from '../../bridge/viewItem.ts';
import type { Notice, NoticeItem } from '../../session/transcriptModel.ts';
import type { Translate } from './words.ts';

type Row = Pick<NoticeView, 'level' | 'icon' | 'text'> &
  Partial<Pick<NoticeView, 'detail' | 'until' | 'actions' | 'undo'>>;

/** A notice as one quiet row; what failed also says what to do next. */
export function presentNotice(item: NoticeItem, t: Translate): NoticeView {
  const { actions = [], ...row } = rowOf(item.notice, t);
  return {
    kind: 'notice',
    id: item.id,
    at: item.at,
    ...(item.parentToolUseId === undefined ? {} : { parent: item.parentToolUseId }),
    ...row,
    actions,
  };
}

function rowOf(notice: Notice, t: Translate): Row {
  switch (notice.type) {
    case 'compacting':
      return { level: 'info', icon: 'fold', text: t('Compacting the conversation') };
    case 'compacted':
      return { level: 'info', icon: 'fold', text: compactedText(notice, t) };
    case 'compactFailed':
      return {
        level: 'warning',
        icon: 'warning',
        text: t('The conversation could not be compacted: {0}', notice.message),
      };
    case 'compactSummary':
      return { level: 'info', icon: 'note', text: t('Summary of the conversation so far'), detail: notice.text };
    case 'modelChanged':
      return { level: 'info', icon: 'symbol-misc', text: t('Model: {0}', notice.model) };
    case 'retrying':
      return {
        level: 'warning',
        icon: 'sync',
        text: retryText(notice, t),
        until: notice.retryAt,
        actions: [{ action: 'stop', label: t('Stop retrying') }],
      };
    case 'rateLimit':
      return rateLimitRow(notice, t);
    case 'informational':
      return { level: notice.level === 'warning' ? 'warning' : 'info', icon: 'info', text: notice.text };
    case 'localCommand':
      return {
        level: 'info',
        icon: 'terminal',
        text: notice.command ?? t('Command output'),
        ...(notice.output === '' ? {} : { detail: notice.output }),
      };
    case 'refusal':
      return { level: 'warning', icon: 'circle-slash', text: notice.text };
    case 'permissionDenied':
      return {
        level: 'warning',
        icon: 'shield',
        text: t('{0} was not allowed: {1}', notice.toolName, notice.message),
      };
    case 'hook':
      return {
        level: notice.outcome === 'success' ? 'info' : 'warning',
        icon: 'zap',
        text: t('Hook {0}: {1}', notice.name, notice.outcome),
        ...(notice.output === '' ? {} : { detail: notice.output }),
      };
    case 'memory':
      return { level: 'info', icon: 'book', text: t('Recalled memory'), detail: notice.paths.join('\n') };
    case 'stopped':
      // Not who: the CLI writes the same mark when a window closes in the middle of a turn.
      return { level: 'info', icon: 'debug-stop', text: t('The turn was stopped') };
    case 'turnFailed':
      return failureRow(notice, t);
    case 'writesLost':
      return {
        level: 'error',
        icon: 'error',
        text: t('The disk is full ({0}): the end of this session is not saved. Free some space.', notice.code),
      };
    case 'rewound':
      return rewoundRow(notice, t);
    case 'unknown':
      return {
        level: 'info',
        icon: 'question',
        text: t('The agent sent something this version does not know: {0}', notice.rawType),
        detail: safeJson(notice.raw),
      };
    default:
      return assertNever(notice);
  }
}

function rewoundRow(notice: Extract<Notice, { type: 'rewound' }>, t: Translate): Row {
  const { what, files, removed, undone } = notice;
  const count = files.length + removed.length;
  const names = [...files, ...removed.map(path => t('{0} (deleted)', path))];
  const head = {
    rewind: count === 1 ? t('1 file taken back') : t('{0} files taken back', count),
    undo: count === 1 ? t('Rewind undone, 1 file') : t('Rewind undone, {0} files', count),
    revert: count === 1 ? t('1 file reverted') : t('{0} files reverted', count),
  }[what];
  const few = names.slice(0, 3).join(', ');
  const text =
    count > 3 ? t('{0}: {1} and {2} more', head, few, count - 3) : [head, few].filter(part => part !== '').join(': ');
  return {
    level: 'info',
    icon: what === 'undo' ? 'redo' : 'discard',
    text: undone ? t('{0} (undone)', text) : text,
    ...(count > 3 ? { detail: names.slice(0, 500).join('\n') } : {}),
    ...(undone ? {} : { undo: t('Undo') }),
  };
}

function compactedText(notice: Extract<Notice, { type: 'compacted' }>, t: Translate): string {
  const { preTokens, postTokens } = notice;
  if (preTokens === undefined) return t('Conversation compacted');
  if (postTokens === undefined) return t('Conversation compacted, {0} tokens before', preTokens.toLocaleString());
  return t('Conversation compacted from {0} to {1} tokens', preTokens.toLocaleString(), postTokens.toLocaleString());
}

function retryText(notice: Extract<Notice, { type: 'retrying' }>, t: Translate): string {
  const cause = notice.status === null ? t('The service cannot be reached') : statusText(notice.status, t);
  return t('{0}. Trying again, {1} of {2}', cause, notice.attempt, notice.maxRetries);
}

function statusText(status: number, t: Translate): string {
  if (status === 401) return t('The service refused the sign-in (401)');
  if (status === 429) return t('Too many requests (429)');
  if (status === 529) return t('The service is overloaded (529)');
  return t('The service answered with error {0}', status);
}

function rateLimitRow(notice: Extract<Notice, { type: 'rateLimit' }>, t: Translate): Row {
  const when = notice.resetsAt === undefined ? undefined : new Date(notice.resetsAt * 1000).toLocaleTimeString();
  const reached = notice.status === 'rejected';
  const text = reached
    ? when === undefined
      ? t('Usage limit reached')
      : t('Usage limit reached. It resets at {0}', when)
    : when === undefined
      ? t('Close to the usage limit')
      : t('Close to the usage limit. It resets at {0}', when);
  return { level: reached ? 'error' : 'warning', icon: 'dashboard', text };
}

function failureRow(notice: Extract<Notice, { type: 'turnFailed' }>, t: Translate): Row {
  const retry: ActionView = { action: 'retry', label: t('Retry') };
  const signIn: ActionView = { action: 'signIn', label: t('Sign in') };
  const needsSignIn = notice.status === 401 || notice.code === 'authentication_failed';
  return {
    level: 'error',
    icon: 'error',
    text: notice.message === '' ? t('The turn failed ({0})', notice.code) : notice.message,
    actions: needsSignIn ? [signIn, retry] : [retry],
  };
}

function safeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2).slice(0, 20_000);
}
