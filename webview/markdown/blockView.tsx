import type { Token, Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useApp } from '../app/viewApp.ts';
import type { Block, TableBlock } from './blocks.ts';
import { CodeBlock } from './codeBlock.tsx';
import { useFold } from './foldState.ts';
import { isFootnoteNote } from './footnotes.ts';
import { inlineNodes, TaskMark } from './inlineView.tsx';
import { isMarked } from './lexer.ts';
import { languageOf } from './openFence.ts';
import { visibleProse } from './visibleText.ts';

/** How much of a long table is laid out until someone asks for all of it: a browser lays out a table as a whole. */
const shownRows = 40;

/** One block. It is drawn again only when it is another object. */
export function BlockView({ block }: { block: Block }): JSX.Element {
  return useMemo(() => drawn(block), [block]);
}

function drawn(block: Block): JSX.Element {
  switch (block.kind) {
    case 'code':
      return <CodeBlock code={block.code} language={block.language} info={block.info} open={block.open} />;
    case 'table':
      return <Table block={block} />;
    case 'plain':
      return <p class="raw-html">{visibleProse(block.text)}</p>;
    case 'token':
      return <>{blockNode(block.token, 0, block.continued)}</>;
  }
}

function blockNodes(tokens: readonly Token[]): ComponentChildren[] {
  return tokens.map((token, key) => blockNode(token, key, false));
}

function blockNode(token: Token, key: number, continued: boolean): ComponentChildren {
  if (isFootnoteNote(token)) {
    return (
      <div key={key} class="footnote" role="note" tabIndex={-1} data-label={token.label} dir="auto">
        <sup>{visibleProse(token.label)}</sup> {inlineNodes(token.tokens)}
      </div>
    );
  }
  if (!isMarked(token)) return <p key={key}>{visibleProse(token.raw)}</p>;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <Heading key={key} heading={token} />;
    case 'paragraph':
      return (
        <p key={key} class={continued ? 'continued' : undefined} dir="auto">
          {inlineNodes(token.tokens)}
        </p>
      );
    case 'text':
      return (
        <p key={key} dir="auto">
          {inlineNodes('tokens' in token ? token.tokens : [token])}
        </p>
      );
    case 'hr':
      return <hr key={key} />;
    case 'blockquote':
      return (
        <blockquote key={key} dir="auto">
          {blockNodes(token.tokens)}
        </blockquote>
      );
    case 'list':
      return <List key={key} list={token} continued={continued} />;
    case 'code':
      return (
        <CodeBlock
          key={key}
          code={token.text}
          language={languageOf(token.lang ?? '')}
          info={token.lang ?? ''}
          open={false}
        />
      );
    case 'table':
      return <Table key={key} block={{ kind: 'table', id: 0, start: 0, end: 0, head: token, parts: [token.rows] }} />;
    case 'html':
      return (
        <p key={key} class="raw-html" dir="auto">
          {visibleProse(token.raw.trimEnd())}
        </p>
      );
    case 'checkbox':
      return <TaskMark key={key} checked={token.checked} />;
    default:
      return (
        <p key={key} dir="auto">
          {inlineNodes([token])}
        </p>
      );
  }
}

/** Many short texts share the page, so there is no outline to keep: each heading stands at the same level. */
function Heading({ heading }: { heading: Tokens.Heading }): JSX.Element {
  return (
    <div class={`heading heading-${heading.depth}`} role="heading" aria-level={2} dir="auto">
      {inlineNodes(heading.tokens)}
    </div>
  );
}

function List({ list, continued }: { list: Tokens.List; continued: boolean }): JSX.Element {
  const name = `list${list.loose ? ' list-loose' : ''}${continued ? ' continued' : ''}`;
  const items = list.items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {blockNodes(item.tokens)}
    </li>
  ));
  return list.ordered ? (
    <ol class={name} start={list.start === '' ? 1 : list.start} dir="auto">
      {items}
    </ol>
  ) : (
    <ul class={name} dir="auto">
      {items}
    </ul>
  );
}

function Table({ block }: { block: TableBlock }): JSX.Element {
  const app = useApp();
  const total = block.parts.reduce((sum, rows) => sum + rows.length, 0);
  const folds = total > shownRows + 10;
  const [all, toggle] = useFold('table', block.head.header.map(cell => cell.text).join('|'), folds);
  let left = folds && !all ? shownRows : Infinity;
  return (
    <div class="table-block">
      <div class="table-scroll" tabIndex={0}>
        <table>
          <thead>
            <Cells cells={block.head.header} />
          </thead>
          {block.parts.map((rows, index) => {
            const count = Math.max(0, Math.min(rows.length, left));
            left -= rows.length;
            return count > 0 && <TableRows key={index} rows={rows} count={count} />;
          })}
        </table>
      </div>
      {folds && (
        <button type="button" class="link-button table-more" aria-expanded={all} onClick={toggle}>
          {all ? app.t('showLess') : `${app.t('showMore')} · ${app.t('moreLines', total - shownRows)}`}
        </button>
      )}
    </div>
  );
}

function TableRows({ rows, count }: { rows: readonly Tokens.TableCell[][]; count: number }): JSX.Element {
  return useMemo(
    () => (
      <tbody>
        {rows.slice(0, count).map((cells, index) => (
          <Cells key={index} cells={cells} />
        ))}
      </tbody>
    ),
    [rows, count],
  );
}

function Cells({ cells }: { cells: readonly Tokens.TableCell[] }): JSX.Element {
  return (
    <tr>
      {cells.map((cell, index) => {
        const align = cell.align === null ? undefined : `align-${cell.align}`;
        return cell.header ? (
          <th key={index} class={align} scope="col" dir="auto">
            {inlineNodes(cell.tokens)}
          </th>
        ) : (
          <td key={index} class={align} dir="auto">
            {inlineNodes(cell.tokens)}
          </td>
        );
      })}
    </tr>
  );
}
