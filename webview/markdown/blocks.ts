import type { Token, Tokens } from 'marked';

interface BlockBase {
  /** The place among the blocks: the same for as long as the block lives, so that its elements are kept. */
  readonly id: number;
  /** Where its source starts and ends in the text. */
  readonly start: number;
  readonly end: number;
}

export interface TokenBlock extends BlockBase {
  readonly kind: 'token';
  readonly token: Token;
  /** Goes on with the list or paragraph that the block before it holds the beginning of. */
  readonly continued: boolean;
}

export interface CodeBlockData extends BlockBase {
  readonly kind: 'code';
  readonly language: string;
  /** All that stands behind the fence, as the head of the block. */
  readonly info: string;
  readonly code: string;
  /** Still being written. */
  readonly open: boolean;
}

export interface TableBlock extends BlockBase {
  readonly kind: 'table';
  readonly head: Tokens.Table;
  /** Rows in pieces; a finished piece stays the same object. */
  readonly parts: readonly (readonly Tokens.TableCell[][])[];
}

/** Text that could not be read as markdown, as it is. */
export interface PlainBlock extends BlockBase {
  readonly kind: 'plain';
  readonly text: string;
}

/** One top-level piece of a text. */
export type Block = TokenBlock | CodeBlockData | TableBlock | PlainBlock;
