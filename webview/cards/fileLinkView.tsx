import type { JSX } from 'preact';
import type { FileLink } from '../../src/bridge/viewModel.ts';
import { PlaceLink } from '../markdown/placeLink.tsx';
import { visibleCode } from '../markdown/visibleText.ts';

/** A file the host named, with its lines. */
export function FileLinkView({ file, withLine = false }: { file: FileLink; withLine?: boolean }): JSX.Element {
  const { label, path, line } = file;
  return (
    <PlaceLink place={line === undefined || line < 1 ? { path } : { path, line }}>
      <bdi>{visibleCode(label)}</bdi>
      {withLine && line !== undefined && `:${line}`}
    </PlaceLink>
  );
}
