import type { JSX } from 'preact';
import type { ToolCard } from '../../src/bridge/toolCard.ts';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { isShownImage } from '../markdown/linkTarget.ts';
import { visibleCode } from '../markdown/visibleText.ts';
import { CutTextView } from './cutTextView.tsx';
import { DiffCount, DiffView } from './diffView.tsx';
import { FileLinkView } from './fileLinkView.tsx';
import { ToolLine } from './toolLine.tsx';
import { verbOf } from './words.ts';

type Card<Type extends ToolCard['type']> = Extract<ToolCard, { readonly type: Type }>;

export function EditCard({ tool, card }: { tool: ToolView; card: Card<'edit'> }): JSX.Element {
  const app = useApp();
  const { file, hunks, omittedLines, added, removed, created } = card;
  return (
    <ToolLine
      tool={tool}
      icon={created ? 'new-file' : 'edit'}
      verb={verbOf(app.t(created ? 'createdFile' : 'editedFile'))}
      subject={<FileLinkView file={file} />}
      end={<DiffCount added={added} removed={removed} />}
    >
      {hunks.length > 0 && (
        <div class="card">
          <DiffView file={file} hunks={hunks} omittedLines={omittedLines} foldKey={`diff:${tool.id}`} />
        </div>
      )}
    </ToolLine>
  );
}

export function ReadCard({ tool, card }: { tool: ToolView; card: Card<'read'> }): JSX.Element {
  const app = useApp();
  const { file, image } = card;
  const shown = image !== undefined && isShownImage(image) ? image : undefined;
  return (
    <ToolLine
      tool={tool}
      icon={shown === undefined ? 'file' : 'file-media'}
      verb={verbOf(app.t('readFile'))}
      subject={
        <>
          <FileLinkView file={file} />
          {file.line !== undefined && file.endLine !== undefined && (
            <span class="tool-detail"> {app.t('readLines', file.line, file.endLine)}</span>
          )}
        </>
      }
      initially={shown !== undefined}
    >
      {shown !== undefined && <img class="tool-image" src={shown} alt={app.t('imageFrom', visibleCode(file.label))} />}
    </ToolLine>
  );
}

export function SearchCard({ tool, card }: { tool: ToolView; card: Card<'search'> }): JSX.Element {
  const app = useApp();
  const { query, where, matches, files, output } = card;
  const count = matches ?? (files.length > 0 ? files.length : undefined);
  const found = count === undefined ? undefined : app.t(matches === undefined ? 'filesFound' : 'matchesFound', count);
  return (
    <ToolLine
      tool={tool}
      icon="search"
      verb={verbOf(app.t('searched'))}
      subject={
        <>
          <code class="tool-code">{visibleCode(query)}</code>
          {where !== undefined && <span class="tool-detail"> {app.t('workingDirectory', visibleCode(where))}</span>}
        </>
      }
      end={found !== undefined && <span class="line-end">{found}</span>}
    >
      {(files.length > 0 || output !== undefined) && (
        <>
          {files.length > 0 && (
            <ul class="tool-list">
              {files.map((file, index) => (
                <li key={index}>
                  <FileLinkView file={file} withLine />
                </li>
              ))}
            </ul>
          )}
          {output !== undefined && <CutTextView itemId={tool.id} part="output" cut={output} label={app.t('output')} />}
        </>
      )}
    </ToolLine>
  );
}
