import type { TranscriptNode } from '../../protocol/transcriptLine.ts';
import type { Aftermath } from '../transcript/fromLines.ts';
import { itemsFromLines } from '../transcript/fromLines.ts';
import { readUserText } from '../transcript/markers.ts';
import type { TranscriptItem } from '../transcriptModel.ts';
import type { BranchReader, PlacedNode } from './branchReader.ts';

export interface HistoryPage {
  /** Oldest first, top level and nested together, ready for `Transcript.load` or `prepend`. */
  readonly items: readonly TranscriptItem[];
  /** Whether there may be older ones. */
  readonly more: boolean;
  /** Lines that could not be read, so far. */
  readonly corruptLines: number;
}

/** What a nested part of a page is read from: the items of the subagent that a tool use started. */
export type ReadNested = (tools: readonly TranscriptItem[]) => Promise<readonly TranscriptItem[]>;

/** The items of a session page by page, newest page first. */
export class History {
  readonly #branch: BranchReader;
  readonly #nested: ReadNested;
  /** Read for the page before and belonging to the next. */
  #pending: readonly PlacedNode[] | undefined;
  #later: Aftermath | undefined;
  #ended = false;

  constructor(branch: BranchReader, nested: ReadNested) {
    this.#branch = branch;
    this.#nested = nested;
  }

  /** About `size` items, more if a message or a tool and its result would be parted. `undefined` after the oldest page. */
  async older(size = 50): Promise<HistoryPage | undefined> {
    if (this.#ended) return undefined;
    const nodes = await this.#collect(size);
    if (nodes.length === 0) return undefined;
    const { items, before } = itemsFromLines(nodes, this.#later === undefined ? {} : { later: this.#later });
    this.#later = before;
    const nested = await this.#nested(items);
    return { items: [...items, ...nested], more: !this.#ended, corruptLines: this.#branch.corruptLines };
  }

  async #collect(size: number): Promise<TranscriptNode[]> {
    const page = new PageBuilder(size);
    if (this.#pending) page.add(this.#pending);
    this.#pending = undefined;
    for (;;) {
      const step = await this.#branch.next();
      if (!step) {
        this.#ended = true;
        break;
      }
      if (page.isFull && page.mayEndBefore(step)) {
        this.#pending = step;
        break;
      }
      page.add(step);
    }
    return page.nodes();
  }
}

class PageBuilder {
  readonly #size: number;
  readonly #steps: (readonly PlacedNode[])[] = [];
  /** Results whose call is not on the page yet. */
  readonly #lonely = new Set<string>();
  #shown = 0;
  #oldestMessage: string | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  get isFull(): boolean {
    return this.#shown >= this.#size && this.#lonely.size === 0;
  }

  mayEndBefore(step: readonly PlacedNode[]): boolean {
    return this.#oldestMessage === undefined || messageOf(step) !== this.#oldestMessage;
  }

  add(step: readonly PlacedNode[]): void {
    this.#steps.push(step);
    this.#oldestMessage = messageOf(step);
    for (const { node } of step.toReversed()) {
      if (isShown(node)) this.#shown++;
      if (node.type !== 'user' && node.type !== 'assistant') continue;
      for (const block of node.message.content) {
        if (block.type === 'tool_result') this.#lonely.add(block.tool_use_id);
        if (block.type === 'tool_use') this.#lonely.delete(block.id);
      }
    }
  }

  nodes(): TranscriptNode[] {
    return this.#steps.toReversed().flatMap(step => step.map(placed => placed.node));
  }
}

function messageOf(step: readonly PlacedNode[]): string | undefined {
  for (const { node } of step) if (node.type === 'assistant') return node.message.id;
  return undefined;
}

/** Whether a line makes an item of its own. An estimate for the size of pages, no more. */
function isShown(node: TranscriptNode): boolean {
  if (node.type === 'assistant') return true;
  if (node.type !== 'user' || node.isMeta === true) return false;
  return node.message.content.some(block => block.type === 'text' && readUserText(block.text).kind !== 'caveat');
}
