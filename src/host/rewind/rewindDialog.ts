import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import { changesSince, totalsOf } from '../../session/rewind/agentChanges.ts';
import type { RewindPoint } from '../../session/store/rewindPoints.ts';
import { labelText, noticeText } from '../noticeText.ts';
import { resolvePath } from '../paths.ts';
import type { FoundLeftover, RewindPreview } from './rewindPreview.ts';
import { isRestorable } from './rewindPreview.ts';
import { summaryWords } from './rewindWords.ts';

export type RewindMode = 'files' | 'both' | 'conversation';

/** A prompt in one line; a name for an icon in it must not become one. */
export function promptLine(text: string, most = 60): string {
  const line = noticeText(text.trim().split('\n', 1)[0] ?? '').replaceAll('$(', '$ (');
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

export interface PointList {
  readonly points: readonly RewindPoint[];
  readonly changes: readonly AgentChange[];
  readonly folder: string;
  /** Only points since which this file was changed. */
  readonly file?: string;
}

interface PointItem extends vscode.QuickPickItem {
  readonly point?: RewindPoint;
}

/** Picks the message to go back to, newest first; those since which nothing was edited come last. */
export async function pickPoint({ points, changes, folder, file }: PointList): Promise<RewindPoint | undefined> {
  const ids = points.map(point => point.uuid);
  const items: PointItem[] = [];
  const others: PointItem[] = [];
  for (const point of points.toReversed()) {
    const since = changesSince(changes, ids, point.uuid);
    const item = { label: labelText(promptLine(point.text)), description: timeWords(point.at), point };
    if (since.length === 0) others.push(item);
    else if (file === undefined || since.some(change => resolvePath(change.path, folder) === file))
      items.push({ ...item, detail: vscode.l10n.t('{0} since then', totalWords(since)) });
  }
  if (file === undefined && others.length > 0) {
    items.push({ label: vscode.l10n.t('no edits by the agent since then'), kind: vscode.QuickPickItemKind.Separator });
    items.push(...others);
  }
  if (items.length === 0) {
    const nothing = vscode.l10n.t('There is no message to go back to yet.');
    const notThis = vscode.l10n.t('The agent has not changed this file in this conversation.');
    void vscode.window.showInformationMessage(file === undefined ? nothing : notThis);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Take the files back to before which message?'),
    matchOnDetail: true,
  });
  return picked?.point;
}

function timeWords(at: number): string {
  return at === 0 ? '' : new Date(at).toLocaleString();
}

export function totalWords(changes: readonly AgentChange[]): string {
  const { files, added, removed } = totalsOf(changes);
  const lines = `+${added} −${removed}`;
  return files === 1 ? vscode.l10n.t('1 file, {0}', lines) : vscode.l10n.t('{0} files, {1}', files, lines);
}

/** The choice after the preview. It stays open while the person looks around in the diff. */
export async function pickMode(preview: RewindPreview, title: string): Promise<RewindMode | undefined> {
  const files = { label: vscode.l10n.t('Files only'), mode: 'files' as const };
  const both = { label: vscode.l10n.t('Files and conversation'), mode: 'both' as const };
  const talk = { label: vscode.l10n.t('Conversation only'), mode: 'conversation' as const };
  const touchesFiles = preview.files.length > 0 || preview.leftovers.some(isRestorable);
  const items = [
    { ...files, detail: vscode.l10n.t('The conversation goes on; the agent is told which files went back.') },
    { ...both, detail: vscode.l10n.t('Goes on in a branch from there. The conversation so far stays in the history.') },
    { ...talk, detail: vscode.l10n.t('Goes on in a branch from there. No file is changed.') },
  ];
  const picked = await vscode.window.showQuickPick(touchesFiles ? items : items.slice(2), {
    title,
    placeHolder: summaryWords(preview, vscode.l10n.t),
    ignoreFocusOut: true,
  });
  return picked?.mode;
}

export interface Details {
  readonly restore: readonly FoundLeftover[];
  readonly keep: ReadonlySet<string>;
}

/** What the rewind would overwrite or leave: the person chooses. `undefined`: they went away. */
export async function pickDetails(preview: RewindPreview, folder: string): Promise<Details | undefined> {
  const edited = preview.files.filter(file => file.editedSince);
  if (edited.length === 0 && preview.leftovers.length === 0) return { restore: [], keep: new Set() };
  const items: DetailItem[] = [];
  if (edited.length > 0) {
    items.push(heading(vscode.l10n.t('edited since: overwrite?')));
    for (const { path } of edited) {
      items.push({ label: labelText(relative(folder, path)), overwrite: path, picked: true });
    }
  }
  const [able, unable] = [preview.leftovers.filter(isRestorable), preview.leftovers.filter(one => !isRestorable(one))];
  if (able.length > 0) {
    items.push(heading(vscode.l10n.t('not undone: take back too?')));
    for (const leftover of able)
      items.push({ label: labelText(leftover.path), description: changeWords(leftover), leftover });
  }
  if (unable.length > 0) {
    items.push(heading(vscode.l10n.t('not undone, nothing kept')));
    for (const leftover of unable) items.push({ label: labelText(leftover.path), description: changeWords(leftover) });
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('What should happen to these files?'),
    placeHolder: vscode.l10n.t('Ticked files go back. Undo Rewind brings everything back.'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  const overwritten = new Set(picked.flatMap(item => item.overwrite ?? []));
  return {
    restore: picked.flatMap(item => item.leftover ?? []),
    keep: new Set(edited.map(file => file.path).filter(path => !overwritten.has(path))),
  };
}

interface DetailItem extends vscode.QuickPickItem {
  readonly overwrite?: string;
  readonly leftover?: FoundLeftover;
}

function heading(label: string): DetailItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function changeWords({ path, change, afterRewind }: FoundLeftover): string {
  if (path.endsWith('/'))
    return change === 'created'
      ? vscode.l10n.t('empty folder, made since then')
      : vscode.l10n.t('empty folder, deleted since then');
  if (afterRewind) return vscode.l10n.t('goes back, but not all the way');
  switch (change) {
    case 'created':
      return vscode.l10n.t('made since then, would be deleted');
    case 'deleted':
      return vscode.l10n.t('deleted since then');
    case 'changed':
      return vscode.l10n.t('changed since then');
  }
}
