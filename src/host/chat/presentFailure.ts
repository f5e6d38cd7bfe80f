import { assertNever } from '../../base/assertNever.ts';
import type { ErrorCard } from '../../bridge/sessionView.ts';
import type { ActionView } from '../../bridge/viewItem.ts';
import type { StopReason } from '../../session/sessionState.ts';
import type { ExecutableSearch, TriedExecutable } from '../../transport/findExecutable.ts';
import type { StartFailure } from '../../transport/startFailure.ts';
import { cleanText } from './cleanText.ts';
import type { SlotFailure } from './sessionSlot.ts';
import { mostCrashes } from './sessionSlot.ts';
import type { Translate } from './words.ts';

/** The agent's program is not to be found: every place that was looked at, and what to do. */
export function presentNotFound(search: ExecutableSearch, t: Translate): ErrorCard {
  return {
    title: t('The claude program was not found'),
    message: t(
      'Install Claude Code, or set “handrail.claude.executable” to the path of the program. Then start again.',
    ),
    tried: search.tried.map(tried => triedLine(tried, t)),
    actions: [
      { action: 'restart', label: t('Start again') },
      { action: 'diagnose', label: t('Diagnose') },
      { action: 'openSettings', label: t('Open settings') },
    ],
  };
}

function triedLine(tried: TriedExecutable, t: Translate): string {
  const place = `${sourceText(tried.source, t)}: ${cleanText(tried.path)}`;
  const outcome = outcomeText(tried.outcome, t);
  return tried.detail === undefined ? `${place} – ${outcome}` : `${place} – ${outcome} (${cleanText(tried.detail)})`;
}

function sourceText(source: TriedExecutable['source'], t: Translate): string {
  switch (source) {
    case 'setting':
      return t('setting');
    case 'environment':
      return 'CLAUDE_BIN';
    case 'path':
      return 'PATH';
    case 'wellKnown':
      return t('usual place');
  }
}

function outcomeText(outcome: TriedExecutable['outcome'], t: Translate): string {
  switch (outcome) {
    case 'ok':
      return t('works');
    case 'notFound':
      return t('not there');
    case 'notExecutable':
      return t('not executable');
    case 'isDirectory':
      return t('a folder');
    case 'refusedScript':
      return t('a script, which is not safe to start');
    case 'probeFailed':
      return t('did not answer');
  }
}

/** Why there is no agent although one was wanted; nothing when nothing went wrong. */
export function presentFailure(failure: SlotFailure | undefined, t: Translate): ErrorCard | undefined {
  switch (failure?.type) {
    case undefined:
      return undefined;
    case 'notFound':
      return presentNotFound(failure.search, t);
    case 'rejected':
      return presentRejected(failure.message, t);
    case 'stopped':
      return presentStop(failure.reason, t, failure.times);
  }
}

/** A start that could not even be tried. */
function presentRejected(message: string, t: Translate): ErrorCard {
  return {
    title: t('The agent could not be started'),
    message: cleanText(message),
    tried: [],
    actions: [
      { action: 'restart', label: t('Start again') },
      { action: 'openSettings', label: t('Open settings') },
    ],
  };
}

/** Why a session is over, as a card; nothing when there is nothing to say. */
export function presentStop(reason: StopReason, t: Translate, times = 1): ErrorCard | undefined {
  const restart: ActionView = { action: 'restart', label: t('Restart') };
  const showLog: ActionView = { action: 'showLog', label: t('Show log') };
  const diagnose: ActionView = { action: 'diagnose', label: t('Diagnose') };
  switch (reason.code) {
    case 'asked':
      return undefined;
    case 'exited':
      return card(t('The agent has ended'), t('The conversation is saved. Restart to go on.'), reason.stderrTail, [
        restart,
      ]);
    case 'failedToStart':
      return card(
        t('The agent could not be started'),
        sentence(
          startText(reason.message, t),
          reason.exitCode === undefined ? '' : t('It ended with exit code {0}.', reason.exitCode),
          oftenText(times, t),
        ),
        reason.stderrTail,
        [restart, diagnose, { action: 'openSettings', label: t('Open settings') }, showLog],
      );
    case 'resumeFailed':
      return card(t('The session could not be continued'), cleanText(reason.message), reason.stderrTail, [
        { action: 'newSession', label: t('New session') },
        showLog,
      ]);
    case 'crashed':
      return card(
        reason.duringTurn ? t('The agent ended in the middle of a turn') : t('The agent ended unexpectedly'),
        sentence(
          endText(reason, t),
          t('What was finished is saved. Restart to go on from there.'),
          oftenText(times, t),
        ),
        reason.stderrTail,
        [
          restart,
          ...(reason.duringTurn ? [{ action: 'continue', label: t('Continue the turn') } as const] : []),
          ...(times >= mostCrashes ? [diagnose] : []),
          showLog,
        ],
      );
    case 'broken':
      return card(t('The line to the agent broke'), cleanText(reason.message), reason.stderrTail, [restart, showLog]);
    default:
      return assertNever(reason);
  }
}

const startTexts: Readonly<Record<StartFailure, (about: string, t: Translate) => string>> = {
  notFound: (about, t) => t('There is no program at {0}.', about),
  notExecutable: (about, t) => t('{0} cannot be run as a program.', about),
  folderMissing: (about, t) => t('The folder {0} is no longer there.', about),
  folderNotAllowed: (about, t) => t('The folder {0} may not be entered.', about),
  tooBig: (about, t) => t('{0} cannot be started: its arguments and variables are too large.', about),
  other: about => about,
};

/** The transport tells a code and what it is about (`describeStartFailure`). Everything else is the program's own last word. */
function startText(message: string, t: Translate): string {
  const [, code = '', about = ''] = /^(\w+): (.*)$/s.exec(message) ?? [];
  return isStartFailure(code) ? startTexts[code](about, t) : message;
}

function isStartFailure(code: string): code is StartFailure {
  return Object.hasOwn(startTexts, code);
}

function oftenText(times: number, t: Translate): string {
  return times < mostCrashes
    ? ''
    : t('It ended {0} times in a row, so Handrail does not start it again by itself.', times);
}

function endText(reason: Extract<StopReason, { code: 'crashed' }>, t: Translate): string {
  if (reason.signal !== undefined) return t('It was ended by the signal {0}.', reason.signal);
  return reason.exitCode === undefined ? '' : t('It ended with exit code {0}.', reason.exitCode);
}

function sentence(...parts: readonly string[]): string {
  return parts
    .map(cleanText)
    .filter(part => part !== '')
    .join(' ');
}

function card(title: string, message: string, stderrTail: string, actions: readonly ActionView[]): ErrorCard {
  const detail = cleanText(stderrTail).trim();
  return { title, message, tried: [], ...(detail === '' ? {} : { detail }), actions };
}
