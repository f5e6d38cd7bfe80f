import type { JSX } from 'preact';
import type { FileLink } from '../../src/bridge/toolCard.ts';
import { PlaceLink } from '../markdown/placeLink.tsx';
import { visibleCode } from '../markdown/visibleText.ts';

/** A file the host named, with its lines. */
export function FileLinkView({ file, withLine = false }: { file: FileLink; withLine?: boolean }): JSX.Element {
  const { label, path, line } = file;
  return (
    <PlaceLink place={line === undefined || line < 1 ? { path } : { path, line }}>
      <Path label={visibleCode(label)} />
      {withLine && line !== undefined && `:${line}`}
    </PlaceLink>
  );
}

/** Where there is little room the folders are cut, and the name of the file is seen. */
function Path({ label }: { label: string }): JSX.Element {
  const name = /[^/\\]*$/.exec(label)?.[0] ?? '';
  const folder = label.slice(0, label.length - name.length);
  return (
    <bdi class="path">
      {folder !== '' && <span class="path-folder">{folder}</span>}
      <span class="path-name">{name}</span>
    </bdi>
  );
}
