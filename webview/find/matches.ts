import { findPattern } from '../../src/bridge/findPattern.ts';

/** Where a query stands in the text of an element, also across the elements inside of it. */
export function rangesIn(element: Element, query: string): Range[] {
  const pattern = findPattern(query);
  if (!pattern) return [];
  const { document, nodes, text } = textNodesOf(element);
  const placeOf = placesIn(nodes);
  return [...text.matchAll(pattern)].flatMap(match => {
    const range = document.createRange();
    const start = placeOf(match.index);
    const end = placeOf(match.index + match[0].length - 1);
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

/** Matches come in order, so that one walk along the pieces places them all: ask with places that never go back. */
function placesIn(nodes: readonly Piece[]): (at: number) => { node: Text; offset: number } | undefined {
  let here = 0;
  return at => {
    while ((nodes[here + 1]?.from ?? Infinity) <= at) here++;
    const piece = nodes[here];
    return piece && { node: piece.node, offset: at - piece.from };
  };
}

/** Marks ranges by the browser's own highlights, which change nothing in the page. */
export function paint(name: 'handrail-find' | 'handrail-find-current', ranges: readonly Range[]): void {
  // Absent in the pages of tests.
  if (typeof Highlight === 'undefined') return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
