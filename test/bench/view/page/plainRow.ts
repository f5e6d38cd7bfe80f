import DOMPurify from 'dompurify';
import { marked } from 'marked';
import type { ViewItem } from '../../../../src/bridge/viewItem.ts';

/** One message as HTML: what it says as Markdown, or which tool was used with what. */
export function plainRow(item: ViewItem): string {
  return `<article class="row row-${item.kind}">${body(item)}</article>`;
}

function body(item: ViewItem): string {
  switch (item.kind) {
    case 'text':
    case 'thinking':
    case 'prompt':
      return DOMPurify.sanitize(marked.parse(item.text, { async: false }));
    case 'tool':
      return DOMPurify.sanitize(`<b>${item.name}</b><pre>${JSON.stringify(item.card, null, 2)}</pre>`);
    case 'notice':
      return DOMPurify.sanitize(item.text);
  }
}
