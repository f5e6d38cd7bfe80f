import type { JSX, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import '../styles/markdown.css';
import '../styles/code.css';
import type { Block } from './blocks.ts';
import { BlockView } from './blockView.tsx';
import { FoldScope } from './foldState.ts';
import { MarkdownDocument } from './markdownDocument.ts';

export interface MarkdownProps {
  readonly text: string;
  readonly streaming: boolean;
  /** Whose text it is. */
  readonly of: string;
}

/** What the agent wrote. Finished blocks are drawn once; only the end of a text that grows is drawn again. */
export function Markdown({ text, streaming, of }: MarkdownProps): JSX.Element {
  const memory = useRef<Drawn | undefined>(undefined);
  const drawn = (memory.current ??= new Drawn());
  return (
    <FoldScope.Provider value={of}>
      <div class="markdown">{drawn.update(text, streaming)}</div>
    </FoldScope.Provider>
  );
}

/** The document and the groups already drawn: the same group gives the same node, which Preact passes over. */
class Drawn {
  readonly #document = new MarkdownDocument();
  readonly #nodes: { readonly blocks: readonly Block[]; readonly node: VNode }[] = [];

  update(text: string, streaming: boolean): VNode[] {
    this.#document.update(text, streaming);
    const { groups } = this.#document;
    this.#nodes.length = Math.min(this.#nodes.length, groups.length);
    groups.forEach((blocks, index) => {
      if (this.#nodes[index]?.blocks === blocks) return;
      this.#nodes[index] = { blocks, node: <BlockGroup key={index} blocks={blocks} /> };
    });
    return this.#nodes.map(({ node }) => node);
  }
}

function BlockGroup({ blocks }: { blocks: readonly Block[] }): JSX.Element {
  return (
    <div class="blocks">
      {blocks.map(block => (
        <BlockView key={block.id} block={block} />
      ))}
    </div>
  );
}
