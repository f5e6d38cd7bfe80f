import type { ErrorCard } from '../../bridge/sessionView.ts';
import type { ActionView } from '../../bridge/viewItem.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { Translate } from '../chat/words.ts';
import type { SessionHolder } from './sessionHolder.ts';
import type { OpenTurn } from './turnJournal.ts';

/** What is to be known about a session that was opened from disk. */
export interface ReturnNote {
  readonly turn?: OpenTurn;
  readonly corruptLines: number;
  readonly holder?: SessionHolder;
}

/** One card for all of it, the weightiest first; nothing when there is nothing to say. */
export function presentReturn(note: ReturnNote, t: Translate): ErrorCard | undefined {
  const dismiss: ActionView = { action: 'dismiss', label: t('Dismiss') };
  const damaged =
    note.corruptLines === 0
      ? ''
      : note.corruptLines === 1
        ? t('1 damaged line of this session could not be read and is missing.')
        : t('{0} damaged lines of this session could not be read and are missing.', note.corruptLines);
  if (note.holder !== undefined) {
    return {
      level: 'warning',
      title: t('Another process has this session open'),
      message: joined(
        t(
          'The process {0} works on it. If both go on, what one of them adds is lost. Fork it to go on here.',
          note.holder.pid,
        ),
        damaged,
      ),
      tried: [],
      actions: [{ action: 'fork', label: t('Fork session') }, dismiss],
    };
  }
  if (note.turn !== undefined) return interrupted(note.turn, damaged, dismiss, t);
  if (damaged === '') return undefined;
  return { level: 'info', title: t('This session is damaged'), message: damaged, tried: [], actions: [dismiss] };
}

function interrupted(turn: OpenTurn, damaged: string, dismiss: ActionView, t: Translate): ErrorCard {
  const asked = turn.asks.map(({ tool }) => t('{0} was waiting for your answer and did not run.', cleanText(tool)));
  const detail = turn.asks.map(({ tool, input }) => `${cleanText(tool)}\n${cleanText(input)}`).join('\n\n');
  return {
    level: 'warning',
    title: t('The last turn was interrupted'),
    message: joined(t('What was finished is saved.'), ...asked, damaged),
    tried: [],
    ...(detail === '' ? {} : { detail }),
    actions: [{ action: 'continue', label: t('Continue the turn') }, dismiss],
  };
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter(sentence => sentence !== '').join(' ');
}
