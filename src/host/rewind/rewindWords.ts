import { basename } from 'node:path';
import { assertNever } from '../../base/assertNever.ts';
import type { RewindError } from '../../session/rewind/rewindError.ts';
import type { Translate } from '../chat/words.ts';
import { noticeText } from '../noticeText.ts';
import type { RewindPreview } from './rewindPreview.ts';
import { mostShown } from './rewindPreview.ts';

/** What went wrong, what was kept, and what to do. */
export function errorWords(error: RewindError, t: Translate): string {
  const names = nameList(error.paths, t);
  switch (error.code) {
    case 'notEnabled':
      return t('The agent kept no copies of files in this session, so nothing can be taken back.');
    case 'unknownPoint':
      return t('The agent kept no copies at this message. It may have run together with a later one: try the next.');
    case 'refused':
      return t('The agent refused to take the files back: {0}. No file was changed.', noticeText(error.message));
    case 'busy':
      return t('The agent is working. Stop it first, then take the files back.');
    case 'readOnly':
      return t('These files may not be written: {0}. Nothing was changed.', names);
    case 'changedMeanwhile':
      return t('These files changed since the preview: {0}. Nothing was changed; look at it again.', names);
    case 'noSpace':
      return t('There is no room on the disk for this. Nothing was changed.');
    case 'failed':
      return t('The files could not be taken back: {0}. Everything is as it was before.', noticeText(error.message));
    case 'halfDone':
      return t(
        'These files could neither be taken back nor put back: {0}. Their state is saved: use Undo Rewind.',
        names,
      );
    case 'nothingSaved':
      return t('There is no rewind to undo.');
    case 'undone':
      return t('This was undone already.');
    case 'moved':
      return t('Another conversation was opened meanwhile. Nothing was changed.');
    case 'noSession':
      return t('Nothing was said in this conversation or branch yet. Send a message first.');
    default:
      return assertNever(error.code);
  }
}

export function nameList(paths: readonly string[], t: Translate, most = 5): string {
  const names = paths.slice(0, most).map(path => noticeText(basename(path)));
  const rest = paths.length - names.length;
  return rest > 0 ? t('{0} and {1} more', names.join(', '), rest) : names.join(', ');
}

/** One line: what a rewind does, and what it does not. */
export function summaryWords(preview: RewindPreview, t: Translate): string {
  const gone = preview.files.filter(file => file.change === 'delete').length;
  const modes = preview.files.filter(file => file.modeOnly).length;
  const back = preview.files.length - gone - modes;
  const parts: string[] = [];
  if (preview.files.length === 0) parts.push(t('No file of the agent has changed since then'));
  if (back > 0) parts.push(back === 1 ? t('1 file goes back') : t('{0} files go back', back));
  if (gone > 0) parts.push(gone === 1 ? t('1 file is deleted') : t('{0} files are deleted', gone));
  if (modes > 0)
    parts.push(modes === 1 ? t('1 file gets its old permissions') : t('{0} files get their old permissions', modes));
  const outside = preview.files.filter(file => file.outside).length;
  if (outside > 0) parts.push(t('{0} of them outside of this folder', outside));
  if (back + gone > mostShown) parts.push(t('the diff shows the first {0}', mostShown));
  const left = preview.leftovers.length;
  if (left > 0) parts.push(left === 1 ? t('1 file is not undone') : t('{0} files are not undone', left));
  if (preview.skipped.length > 0) parts.push(t('{0} cannot be taken back', preview.skipped.length));
  if (preview.compared === 'not') parts.push(t('changes by commands cannot be told for this message'));
  if (preview.compared === 'late') parts.push(t('what commands did as the turn began may be missing here'));
  if (preview.compared === 'partly') parts.push(t('not all files of this folder were compared'));
  if (preview.state?.kind === 'git') parts.push(t('ignored files not compared'));
  return parts.join(' · ');
}
