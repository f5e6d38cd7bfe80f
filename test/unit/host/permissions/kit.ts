import { Emitter } from '../../../../src/base/emitter.ts';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { FileOnDisk } from '../../../../src/host/permissions/fileOnDisk.ts';
import type { Appearance, ProposalStage, StagedText } from '../../../../src/host/permissions/proposalStage.ts';
import type { PermissionAsk } from '../../../../src/session/permissionAsk.ts';
import type { PlanComment } from '../../../../src/session/planAnswers.ts';
import { toAsk } from '../../../../src/session/permissionAsk.ts';
import { textFile } from '../../../../src/session/proposal/presentFile.ts';

export function askAbout(
  toolName: string,
  input: Record<string, unknown>,
  id = 'ask-1',
  mode = 'default',
): PermissionAsk {
  const request = { subtype: 'can_use_tool', tool_name: toolName, input, tool_use_id: `use-${id}` } as const;
  return toAsk(id, request, 0, mode);
}

export function onDisk(text: string): FileOnDisk {
  return { file: textFile(text), realPath: '/project/a.txt', writable: true };
}

/** An editor that only remembers what it was told. */
export class MemoryStage implements ProposalStage {
  readonly open = new Map<string, StagedText>();
  readonly shown: { readonly id: string; readonly how: Appearance }[] = [];
  readonly unsaved = new Set<string>();
  readonly watched = new Map<string, () => void>();
  readonly #edits = new Emitter<{ readonly id: string; readonly text: string }>();
  readonly onDidEdit = this.#edits.event;

  show(text: StagedText, how: Appearance): Promise<void> {
    this.open.set(text.id, text);
    this.shown.push({ id: text.id, how });
    return Promise.resolve();
  }

  update(text: StagedText): Promise<void> {
    if (this.open.has(text.id)) this.open.set(text.id, text);
    return Promise.resolve();
  }

  rightOf(id: string): string | undefined {
    return this.open.get(id)?.right;
  }

  readonly #comments = new Map<string, PlanComment[]>();
  readonly #commented = new Emitter<string>();
  readonly onDidComment = this.#commented.event;

  commentsOn(id: string): readonly PlanComment[] {
    return this.#comments.get(id) ?? [];
  }

  /** What a person writes beside the lines. */
  comment(id: string, comment: PlanComment): void {
    this.#comments.set(id, [...this.commentsOn(id), comment]);
    this.#commented.fire(id);
  }

  /** What a person does on the right side. */
  type(id: string, text: string): void {
    const staged = this.open.get(id);
    if (staged === undefined) throw new Error(`${id} is not open`);
    this.open.set(id, { ...staged, right: text });
    this.#edits.fire({ id, text });
  }

  close(id: string): Promise<void> {
    this.open.delete(id);
    return Promise.resolve();
  }

  watch(path: string, changed: () => void): Disposable {
    this.watched.set(path, changed);
    return toDisposable(() => this.watched.delete(path));
  }

  hasUnsaved(path: string): boolean {
    return this.unsaved.has(path);
  }
}
