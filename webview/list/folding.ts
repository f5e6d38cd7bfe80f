import { signal } from '@preact/signals';
import type { ViewApp } from '../app/viewApp.ts';
import type { ListModel } from './listModel.ts';

/** Which runs of quiet rows are drawn as one. A run's first row speaks for it and owns whether it is open. */
export class Folding {
  readonly #app: ViewApp;
  readonly #model: ListModel;
  /** Changes whenever a run was opened or closed. */
  readonly version = signal(0);

  constructor(app: ViewApp, model: ListModel) {
    this.#app = app;
    this.#model = model;
  }

  /** First place of the run that this place is in. */
  leaderOf(index: number): number {
    let leader = index;
    while (leader > 0 && this.#quiet(leader - 1)) leader--;
    return leader;
  }

  /** Last place of the run that starts here. */
  endOf(leader: number): number {
    let end = leader;
    while (this.#quiet(end + 1)) end++;
    return end;
  }

  /** Whether this place speaks for a run of two or more. */
  isLeader(index: number): boolean {
    return this.#quiet(index) && !this.#quiet(index - 1) && this.#quiet(index + 1);
  }

  isFollower(index: number): boolean {
    return this.#quiet(index) && this.#quiet(index - 1);
  }

  key(leader: number): string | undefined {
    const id = this.#app.conversation.idAt(leader);
    return id === undefined ? undefined : `fold:${id}`;
  }

  isOpen(leader: number): boolean {
    const key = this.key(leader);
    return key !== undefined && this.#app.expansion(key).peek();
  }

  toggle(leader: number): void {
    const key = this.key(leader);
    if (key === undefined) return;
    this.#app.state.toggle(key);
    this.refresh(leader, this.endOf(leader) + 1);
    this.version.value++;
  }

  /** Opens the run that a place is in, if it is in one. */
  openAt(index: number): void {
    const leader = this.#model.isHidden(index) ? this.leaderOf(index) : index;
    if (this.isLeader(leader) && !this.isOpen(leader)) this.toggle(leader);
  }

  /** Brings the list in step for places [from, to) and their right neighbour, whose part depends on them. */
  refresh(from: number, to: number): void {
    for (let index = from; index <= to && index < this.#model.count; index++) {
      const folded = this.isFollower(index) && !this.isOpen(this.leaderOf(index));
      this.#model.hide(index, folded || this.#app.conversation.queuedAt(index));
    }
  }

  #quiet(index: number): boolean {
    return this.#app.conversation.foldableAt(index);
  }
}
