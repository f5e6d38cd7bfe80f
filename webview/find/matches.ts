import { findPattern } from '../../src/bridge/findPattern.ts';

/** Where a query stands in the text of an element, also across the elements inside of it. */
export function rangesIn(element: Element, query: string): Range[] {
  const pattern = findPattern(query);
  if (!pattern) return [];
  const { document, nodes, text } = textNodesOf(element);
  return [...text.matchAll(pattern)].flatMap(match => {
    const range = document.createRange();
    const start = placeIn(nodes, match.index);
    const end = placeIn(nodes, match.index + match[0].length - 1);
    if (!start || !end) return [];
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    return [range];
  });
}

interface Piece {
  readonly node: Text;
  /** Where its text begins in the whole. */
  readonly from: number;
}

function textNodesOf(element: Element): { document: Document; nodes: Piece[]; text: string } {
  const document = element.ownerDocument;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Piece[] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  return { document, nodes, text };
}

function placeIn(nodes: readonly Piece[], at: number): { node: Text; offset: number } | undefined {
  const piece = nodes.findLast(({ from }) => from <= at);
  return piece && { node: piece.node, offset: at - piece.from };
}

/** Marks ranges by the browser's own highlights, which change nothing in the page. */
export function paint(name: 'handrail-find' | 'handrail-find-current', ranges: readonly Range[]): void {
  // Absent in the pages of tests.
  if (typeof Highlight === 'undefined') return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
