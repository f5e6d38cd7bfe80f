import type { TranscriptLineOf, TranscriptNode } from '../../protocol/transcriptLine.ts';
import { decodeTranscriptLine, isTranscriptNode } from '../../protocol/transcriptLine.ts';
import type { RawLine } from './backwardLines.ts';
import { BackwardLines, isRecordedRequest } from './backwardLines.ts';
import type { SessionFiles, TranscriptRef } from './sessionFiles.ts';

/** A line of the tree and where it stands in the file. */
export interface PlacedNode {
  readonly node: TranscriptNode;
  readonly offset: number;
}

export interface BranchOptions {
  /** A subagent's file: all its lines are side chains. */
  readonly sidechain?: boolean;
  /** Go on before a compaction, over the link the CLI itself does not follow. */
  readonly acrossCompaction?: boolean;
  readonly blockSize?: number;
}

/**
 * Walks the current branch of a transcript from its leaf to its root, reading no more of the file than it must.
 *
 * The leaf is the latest in the file that ends in speech of the main thread. The branch runs through lines of every
 * kind. Tools called together hang beside it (each result follows its own call), so what belongs to a message on the
 * branch is taken along. A corrupt line costs only itself: the branch goes on behind it.
 */
export class BranchReader {
  readonly #lines: BackwardLines;
  readonly #options: BranchOptions;
  readonly #decoder = new TextDecoder();
  /** Lines read and not used: beside the branch, or before their time. By the uuid of their parent. */
  readonly #beside = new Map<string, PlacedNode[]>();
  readonly #readAhead = new Map<string, PlacedNode>();
  readonly #used = new Set<string>();
  readonly #checkpoints = new Set<string>();
  /** The next one on the branch; `null` before the leaf is found, `undefined` at the root. */
  #wanted: string | null | undefined = null;
  /** Offset of the last one found. */
  #last = Infinity;
  /** Parent of a line that could not be read whole: where the branch goes on if that line was the wanted one. */
  #bridge: string | undefined;
  /** The root is a summary of what stands before it. */
  #compacted = false;
  #corrupt = 0;

  constructor(files: SessionFiles, ref: TranscriptRef, size: number, options: BranchOptions = {}) {
    this.#lines = new BackwardLines(files, ref, size, options.blockSize);
    this.#options = options;
  }

  get corruptLines(): number {
    return this.#corrupt;
  }

  /** Uuids of the prompts files can be taken back to, among the lines read. */
  get checkpoints(): ReadonlySet<string> {
    return this.#checkpoints;
  }

  /** The next step towards the root with what belongs to it, in the order of the file; `undefined` at the root. */
  async next(): Promise<readonly PlacedNode[] | undefined> {
    while (this.#wanted !== undefined) {
      const known = this.#wanted === null ? undefined : this.#readAhead.get(this.#wanted);
      if (known) return this.#take(known);
      const line = await this.#lines.next();
      const placed = line ? this.#read(line) : undefined;
      if (!line && !this.#goOnWithout()) return undefined;
      if (placed && this.#isNext(placed.node)) return this.#take(placed);
      if (placed) this.#keep(placed);
    }
    if (!this.#compacted) await this.#readToBeginning();
    return undefined;
  }

  /** What stands before the root is not shown, but damage there may have been a part of the conversation. */
  async #readToBeginning(): Promise<void> {
    for (let line = await this.#lines.next(); line; line = await this.#lines.next()) this.#read(line);
  }

  #isNext(node: TranscriptNode): boolean {
    if (this.#wanted !== null) return node.uuid === this.#wanted || this.#bridgesTo(node);
    return this.#isLeaf(node);
  }

  /**
   * The latest line of the main thread. Everything after it in the file was turned down, so nothing that counts follows
   * it: no need to know the children.
   */
  #isLeaf(node: TranscriptNode): boolean {
    if (node.teamName !== undefined || (node.isSidechain === true && !this.#isSidechain())) return false;
    return node.isMeta !== true || (node.type !== 'user' && node.type !== 'assistant');
  }

  #isSidechain(): boolean {
    return this.#options.sidechain === true;
  }

  #bridgesTo(node: TranscriptNode): boolean {
    return this.#bridge !== undefined && node.uuid === this.#bridge;
  }

  #read(line: RawLine): PlacedNode | undefined {
    if (isRecordedRequest(line.bytes)) return undefined;
    const text = this.#decoder.decode(line.bytes);
    const decoded = decodeTranscriptLine(text, ignore);
    if (decoded === undefined) {
      this.#corruptLine(text);
      return undefined;
    }
    if (isTranscriptNode(decoded)) return { node: decoded, offset: line.offset };
    if (decoded.type === 'other' && decoded.rawType === 'file-history-snapshot') {
      const prompt = decoded.raw['messageId'];
      if (typeof prompt === 'string') this.#checkpoints.add(prompt);
    }
    return undefined;
  }

  #corruptLine(text: string): void {
    this.#corrupt++;
    if (typeof this.#wanted !== 'string') return;
    const uuid = /"uuid":"([^"]+)"/.exec(text)?.[1];
    if (uuid !== undefined && uuid !== this.#wanted) return;
    this.#bridge ??= /"parentUuid":"([^"]+)"/.exec(text)?.[1];
  }

  #take(placed: PlacedNode): readonly PlacedNode[] {
    const { node } = placed;
    this.#used.add(node.uuid);
    this.#last = placed.offset;
    this.#bridge = undefined;
    this.#wanted = this.#parentOf(node);
    const together = [placed, ...this.#belongingTo(node)];
    return together.sort((a, b) => a.offset - b.offset);
  }

  #parentOf(node: TranscriptNode): string | undefined {
    const across = this.#options.acrossCompaction === true ? node.logicalParentUuid : undefined;
    const parent = node.parentUuid ?? across ?? undefined;
    this.#compacted = parent === undefined && typeof node.logicalParentUuid === 'string';
    // A circle would be no tree; the branch ends where it closes.
    return parent === undefined || this.#used.has(parent) ? undefined : parent;
  }

  #keep(placed: PlacedNode): void {
    const { node } = placed;
    const parent = node.parentUuid ?? undefined;
    this.#readAhead.set(node.uuid, placed);
    if (parent === undefined) return;
    const siblings = this.#beside.get(parent);
    if (siblings) siblings.push(placed);
    else this.#beside.set(parent, [placed]);
  }

  /** Calls of the same message and the results of its calls, which the file keeps as branches of their own. */
  #belongingTo(node: TranscriptNode): PlacedNode[] {
    if (node.type !== 'assistant') return [];
    const found: PlacedNode[] = [];
    for (const placed of this.#beside.get(node.uuid) ?? []) {
      const other = placed.node;
      if (this.#used.has(other.uuid)) continue;
      const same = other.type === 'assistant' && other.message.id !== undefined && other.message.id === node.message.id;
      if (!same && !(other.type === 'user' && isToolResult(other))) continue;
      this.#used.add(other.uuid);
      found.push(placed, ...this.#belongingTo(other));
    }
    return found;
  }

  /** The beginning was reached and the wanted line is missing: the branch goes on with what stands before it in the file. */
  #goOnWithout(): boolean {
    if (typeof this.#wanted !== 'string') return false;
    let nearest: PlacedNode | undefined;
    for (const placed of this.#readAhead.values()) {
      const before = placed.offset < this.#last && !this.#used.has(placed.node.uuid);
      const main = placed.node.isSidechain !== true || this.#isSidechain();
      if (before && main && (nearest === undefined || placed.offset > nearest.offset)) nearest = placed;
    }
    this.#wanted = nearest?.node.uuid;
    return nearest !== undefined;
  }
}

const ignore = (): void => undefined;

export function isToolResult(line: TranscriptLineOf<'user'>): boolean {
  return line.message.content.some(block => block.type === 'tool_result');
}
