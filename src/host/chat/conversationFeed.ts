import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { silentLogger } from '../../base/logger.ts';
import type { HostAnswers, HostMessage } from '../../bridge/hostMessages.ts';
import type { SessionView } from '../../bridge/sessionView.ts';
import type { AskOutcome, PermissionAsk } from '../../session/permissionAsk.ts';
import { itemIdOf } from '../../session/permissionAsk.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { History } from '../../session/store/history.ts';
import type { Transcript } from '../../session/transcript/transcript.ts';
import type { NoticeItem } from '../../session/transcriptModel.ts';
import { woven } from '../rewind/chatRewind.ts';
import { findInConversation } from './findText.ts';
import { PatchFeed } from './patchFeed.ts';
import { presentSafely } from './presentItem.ts';
import { StepList } from './stepList.ts';
import type { ShapedAsk } from '../permissions/askShaper.ts';
import type { Translate } from './words.ts';

export interface ConversationFeedOptions {
  /** Owned from here on. */
  readonly transcript: Transcript;
  readonly cwd: string;
  readonly t: Translate;
  readonly ask: (toolUseId: string) => PermissionAsk | undefined;
  /** What the card of a tool use shows beyond what the CLI said. */
  readonly shaped?: (toolUseId: string) => ShapedAsk | undefined;
  readonly session: () => SessionView;
  readonly post: (message: HostMessage) => void;
  readonly clock: Clock;
  readonly logger?: Logger;
}

/** Items of history read in one go. */
const pageSize = 200;

/** One conversation on its way to the view: the transcript, how its questions were answered, and the feed of patches. */
export class ConversationFeed implements Disposable {
  readonly transcript: Transcript;
  readonly #owned = new DisposableStore();
  readonly #outcomes = new Map<string, AskOutcome>();
  readonly #patches: PatchFeed;
  readonly #t: Translate;

  constructor(options: ConversationFeedOptions) {
    const { logger = silentLogger, transcript, cwd, t, ask } = options;
    this.transcript = this.#owned.add(transcript);
    this.#t = t;
    const steps = new StepList(() => transcript.items);
    const context = {
      cwd,
      t,
      ask,
      shaped: (toolUseId: string) => options.shaped?.(toolUseId),
      task: (taskId: string) => transcript.tasks.get(taskId),
      step: (taskId: string, toolUseId: string) => steps.subject(taskId, toolUseId),
      outcome: (toolUseId: string) => this.#outcomes.get(toolUseId),
    };
    this.#patches = this.#owned.add(
      new PatchFeed({
        source: transcript,
        present: item => presentSafely(item, context, error => logger.error(`Item ${item.id} cannot be shown`, error)),
        session: () => withSteps(options.session(), steps),
        post: options.post,
        clock: options.clock,
      }),
    );
    this.#owned.add(
      transcript.onDidChange(change => {
        this.#patches.change(change);
        if (!steps.change(change)) return;
        this.#patches.sessionChanged();
        for (const toolUseId of steps.takeNamed()) this.#patches.touch(toolUseId);
      }),
    );
  }

  /** Whether anything was said that the CLI has taken up. */
  get hasBegun(): boolean {
    return this.transcript.items.some(
      item => item.kind !== 'prompt' || (item.state !== 'queued' && item.state !== 'cancelled'),
    );
  }

  /**
   * Older pages one after the other, each in its own turn of the event loop, until the beginning or our end. Resolves with the
   * number of damaged lines that were met.
   */
  async loadOlder(history: History, corruptLines = 0, rows: readonly NoticeItem[] = []): Promise<number> {
    let corrupt = corruptLines;
    const over = (): boolean => this.#owned.isDisposed;
    while (!over()) {
      const page = await history.older(pageSize);
      if (page === undefined || over()) return corrupt;
      corrupt = page.corruptLines;
      const next = this.transcript.items.find(item => item.at > 0)?.at;
      this.transcript.prepend(woven(page.items, rows, next));
      await new Promise(resolve => setImmediate(resolve));
    }
    return corrupt;
  }

  snapshot(): void {
    this.#patches.snapshot();
  }

  acknowledge(revision: number): void {
    this.#patches.acknowledge(revision);
  }

  sessionChanged(): void {
    this.#patches.sessionChanged();
  }

  deskChanged(change: DeskChange): void {
    const itemId = itemIdOf(change.ask);
    if (change.type === 'closed') this.#outcomes.set(itemId, change.outcome);
    this.#patches.touch(itemId);
  }

  /** The card of a tool use looks different although the conversation did not change. */
  touch(toolUseId: string): void {
    this.#patches.touch(toolUseId);
  }

  read(from: number, count: number): HostAnswers['readItems'] {
    return { ...this.#patches.read(from, count), total: this.transcript.items.length, from };
  }

  /** Both as the view will know them: what is still gathered goes out first. */
  locate(itemId: string): HostAnswers['locate'] {
    this.#patches.flush();
    const { items } = this.transcript;
    const item = this.transcript.find(itemId);
    return { index: item === undefined ? -1 : items.lastIndexOf(item), total: items.length };
  }

  find(query: string): HostAnswers['find'] {
    this.#patches.flush();
    return findInConversation(this.transcript, query, this.#t);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

function withSteps(session: SessionView, steps: StepList): SessionView {
  const checklist = steps.view;
  return checklist === undefined ? session : { ...session, checklist };
}
