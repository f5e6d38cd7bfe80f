import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { PlanComment } from '../../session/planAnswers.ts';

interface Noted {
  readonly thread: vscode.CommentThread;
  /** The lines as they were when the person wrote about them. */
  readonly quote: string;
}

/** What a person writes beside the lines of a plan, with VS Code's own comments. It goes to the agent with their answer. */
export class PlanComments implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<string>());
  readonly #noted = new Map<string, Noted[]>();
  readonly #panel = new CommentsPanel();
  /** The plan that a document shows; undefined for every other document. */
  readonly #planOf: (uri: vscode.Uri) => string | undefined;

  constructor(planOf: (uri: vscode.Uri) => string | undefined) {
    this.#planOf = planOf;
  }

  /** By the plan that was commented on. */
  get onDidChange(): Event<string> {
    return this.#changes.event;
  }

  start(): void {
    const controller = this.#owned.add(
      vscode.comments.createCommentController('handrail.plan', vscode.l10n.t('Plan (Handrail)')),
    );
    controller.options = {
      prompt: vscode.l10n.t('Comment on the plan'),
      placeHolder: vscode.l10n.t('What should be different here?'),
    };
    controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) =>
        this.#planOf(uri) === undefined ? [] : [new vscode.Range(0, 0, lineCount - 1, 0)],
    };
  }

  /** Takes what VS Code hands to the button below a comment. */
  add(reply: unknown): void {
    if (!isReply(reply) || reply.text.trim() === '') return;
    const { thread, text } = reply;
    const id = this.#planOf(thread.uri);
    if (id === undefined) return;
    const mine = { body: text, mode: vscode.CommentMode.Preview, author: { name: vscode.l10n.t('You') } };
    this.#panel.commenting();
    thread.label = vscode.l10n.t('For the agent');
    thread.comments = [...thread.comments, mine];
    const noted = this.#noted.get(id) ?? [];
    if (!noted.some(known => known.thread === thread)) noted.push({ thread, quote: linesOf(thread) });
    this.#noted.set(id, noted);
    this.#changes.fire(id);
  }

  /** Takes a thread back. */
  remove(thread: unknown): void {
    for (const [id, noted] of this.#noted) {
      const kept = noted.filter(known => known.thread !== thread);
      if (kept.length === noted.length) continue;
      this.#noted.set(id, kept);
      for (const known of noted) if (known.thread === thread) known.thread.dispose();
      this.#changes.fire(id);
    }
  }

  /** In the order of the plan. */
  on(id: string): readonly PlanComment[] {
    return (this.#noted.get(id) ?? [])
      .flatMap(({ thread, quote }) =>
        thread.comments.map(({ body }) => ({
          line: (thread.range?.start.line ?? 0) + 1,
          quote,
          text: typeof body === 'string' ? body : body.value,
        })),
      )
      .sort((one, other) => one.line - other.line);
  }

  /** The plan was answered. */
  async close(id: string): Promise<void> {
    this.#forget(id);
    if ([...this.#noted.values()].every(noted => noted.length === 0)) await this.#panel.close();
  }

  dispose(): void {
    for (const id of [...this.#noted.keys()]) this.#forget(id);
    this.#owned.dispose();
  }

  #forget(id: string): void {
    for (const { thread } of this.#noted.get(id) ?? []) thread.dispose();
    this.#noted.delete(id);
  }
}

/**
 * VS Code opens its panel with a list of all comments when the first one of a window is written (`comments.openView`), and
 * leaves it there, empty, when they are gone. No extension can see what the panel shows: it is closed only where it opened
 * because of us and a person who has no terminal and debugs nothing can hardly have had it open for something else.
 */
class CommentsPanel {
  #before = false;
  #ours = false;

  commenting(): void {
    const opens = vscode.workspace.getConfiguration('comments').get<string>('openView') ?? '';
    if (!this.#before) this.#ours = opens.startsWith('firstFile') && isUnused();
    this.#before = true;
  }

  async close(): Promise<void> {
    if (!this.#ours) return;
    this.#ours = false;
    if (isUnused()) await vscode.commands.executeCommand('workbench.action.closePanel');
  }
}

function isUnused(): boolean {
  return vscode.window.terminals.length === 0 && vscode.debug.activeDebugSession === undefined;
}

function linesOf({ uri, range }: vscode.CommentThread): string {
  const document = vscode.workspace.textDocuments.find(one => one.uri.toString() === uri.toString());
  if (document === undefined || range === undefined) return '';
  const last = document.lineAt(Math.min(range.end.line, document.lineCount - 1)).range.end;
  return document.getText(new vscode.Range(new vscode.Position(range.start.line, 0), last));
}

function isReply(value: unknown): value is vscode.CommentReply {
  return typeof value === 'object' && value !== null && 'thread' in value && 'text' in value;
}
