import * as nodePath from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Deferred } from '../../base/deferred.ts';
import type { Logger } from '../../base/logger.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import { cleanText } from '../chat/cleanText.ts';
import { fileLink } from '../chat/fileLink.ts';
import type { Translate } from '../chat/words.ts';
import type { ShapedAsk } from './askShaper.ts';
import type { FileOnDisk } from './fileOnDisk.ts';
import type { Accepted } from './pendingProposal.ts';
import { PendingProposal } from './pendingProposal.ts';
import { decidedCard, proposalCard } from './proposalCard.ts';
import type { Appearance, ProposalStage, StagedText } from './proposalStage.ts';
import { proposalNotes } from './proposalTexts.ts';

export interface OpenProposalOptions {
  readonly id: string;
  readonly ask: PermissionAsk;
  readonly cwd: string;
  readonly path: string;
  readonly read: () => Promise<FileOnDisk>;
  readonly stage: ProposalStage;
  /** The card looks different. */
  readonly changed: () => void;
  readonly t: Translate;
  readonly logger: Logger;
}

/** A question about a file while it is open: keeps disk, card and diff in step, and ends with the question. */
export class OpenProposal implements Disposable {
  readonly id: string;
  readonly ask: PermissionAsk;
  readonly #options: OpenProposalOptions;
  readonly #owned = new DisposableStore();
  readonly #ready = new Deferred<PendingProposal | undefined>();
  #pending: PendingProposal | undefined;
  #shown: ShapedAsk | undefined;

  constructor(options: OpenProposalOptions) {
    this.id = options.id;
    this.ask = options.ask;
    this.#options = options;
  }

  /** Resolves when the file was read; undefined if that came to nothing. */
  get ready(): Promise<PendingProposal | undefined> {
    return this.#ready.promise;
  }

  /** Reads the file for the first time and watches it from then on. */
  async prepare(): Promise<void> {
    try {
      // Watched before it is read: what happens to it in between must not go unseen.
      this.#owned.add(this.#options.stage.watch(this.#options.path, () => this.#look()));
      const disk = await this.#options.read();
      if (this.#owned.isDisposed) return;
      this.#pending = PendingProposal.of(this.ask, disk);
      this.#changed();
    } finally {
      this.#ready.resolve(this.#pending);
    }
  }

  present(): ShapedAsk | undefined {
    const pending = this.#pending;
    if (pending === undefined) return undefined;
    const { cwd, stage, path, t } = this.#options;
    return (this.#shown ??= {
      card: proposalCard(pending, cwd),
      notes: proposalNotes(pending, { cwd, unsaved: stage.hasUnsaved(path) }, t),
      hasDiff: pending.hasDiff,
    });
  }

  /** The card after the answer: what was accepted, or what was asked about. */
  decided(allowed: boolean): ShapedAsk | undefined {
    const pending = this.#pending;
    if (pending === undefined) return undefined;
    const { cwd } = this.#options;
    return { card: allowed ? decidedCard(pending, cwd) : proposalCard(pending, cwd), notes: [], hasDiff: false };
  }

  async show(how: Appearance): Promise<void> {
    const staged = this.#staged();
    if (staged !== undefined) await this.#options.stage.show(staged, how);
  }

  /** What the person typed on the right side. */
  set edited(text: string) {
    if (this.#pending?.setRight(text) === true) this.#changed();
  }

  async choose(hunk: number, take: boolean): Promise<void> {
    const pending = this.#current();
    if (pending?.choose(hunk, take) !== true) {
      // The card shows the wish already; it has to see the truth again.
      this.#changed();
      return;
    }
    this.#changed();
    await this.#restage();
  }

  /** What allowing comes to, with the right side as it is in the editor this moment. Undefined: nothing was prepared. */
  async accept(leftOut: readonly number[]): Promise<Accepted | undefined> {
    await this.ready;
    const disk = await this.#options.read();
    const pending = this.#current();
    if (pending === undefined) return undefined;
    for (const hunk of leftOut) pending.choose(hunk, false);
    const accepted = pending.accept(disk);
    if (accepted.type === 'stale') await this.#refresh(disk);
    return accepted;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#ready.resolve(undefined);
    const { stage, logger } = this.#options;
    stage.close(this.id).catch((error: unknown) => logger.error('The diff of a proposal could not be closed', error));
  }

  /** The proposal with what the editor holds this moment taken in. */
  #current(): PendingProposal | undefined {
    const inEditor = this.#options.stage.rightOf(this.id);
    if (inEditor !== undefined) this.edited = inEditor;
    return this.#pending;
  }

  #look(): void {
    this.#options
      .read()
      .then(disk => this.#refresh(disk))
      .catch((error: unknown) => this.#options.logger.warn('A proposal could not follow its file', error));
  }

  async #refresh(disk: FileOnDisk): Promise<void> {
    if (this.#owned.isDisposed) return;
    const different = this.#current()?.refresh(disk) === true;
    // Even then: whether the editor holds unsaved changes is on the card, too.
    this.#changed();
    if (different) await this.#restage();
  }

  async #restage(): Promise<void> {
    const staged = this.#staged();
    if (staged !== undefined) await this.#options.stage.update(staged);
  }

  #staged(): StagedText | undefined {
    const pending = this.#pending;
    if (pending === undefined) return undefined;
    const { t, stage, path } = this.#options;
    const name = nameOf(pending);
    const { label } = fileLink(pending.proposal.path, this.#options.cwd);
    const shownPath = nodePath.join(nodePath.dirname(label), name);
    const title = stage.hasUnsaved(path)
      ? t('{0}: proposal for the saved file (Handrail)', cleanText(name))
      : t('{0}: proposal (Handrail)', cleanText(name));
    return { id: this.id, path: shownPath, title, left: pending.left, right: pending.right };
  }

  #changed(): void {
    this.#shown = undefined;
    this.#options.changed();
  }
}

const cellSuffixes: Readonly<Record<string, string>> = { markdown: 'md', raw: 'txt' };

/** The name of the file; a notebook's cell gets one that opens as text, in the language it most likely has. */
function nameOf({ proposal }: PendingProposal): string {
  const name = nodePath.basename(proposal.path);
  const { cell } = proposal;
  if (proposal.kind !== 'notebook') return name;
  return `${name} [${(cell?.index ?? 0) + 1}].${cellSuffixes[cell?.cellType ?? 'code'] ?? 'py'}`;
}
