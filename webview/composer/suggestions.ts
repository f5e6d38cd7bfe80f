import { effect, signal } from '@preact/signals';
import type { Disposable } from '../../src/base/disposable.ts';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { matchCommands, triggerAt } from './trigger.ts';
import type { Trigger } from './trigger.ts';

export interface Suggestion {
  readonly key: string;
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
  /** What takes the place of what was typed. */
  readonly insert: string;
  /** A folder goes on being completed. */
  readonly goesOn: boolean;
}

export interface SuggestionList {
  readonly trigger: Trigger;
  readonly entries: readonly Suggestion[];
  readonly active: number;
}

const debounceMs = 60;

/** What could be meant at the caret. Answers of the host that come after the question changed are dropped. */
export class Suggestions implements Disposable {
  readonly list = signal<SuggestionList | undefined>(undefined);
  readonly #app: ViewApp;
  readonly #clock: Clock;
  readonly #stop: () => void;
  #asked = 0;
  /** A command is being typed that nobody knew when it was looked for: the agent may not have named its commands yet. */
  #unknownCommand: Trigger | undefined;
  #timer: Disposable | undefined;
  /** Closed with Escape: stays so until the caret leaves this trigger. */
  #dismissed: number | undefined;

  constructor(app: ViewApp, clock: Clock = systemClock) {
    this.#app = app;
    this.#clock = clock;
    this.#stop = effect(() => {
      const { commands } = app.sync.session.value;
      const trigger = this.#unknownCommand;
      if (trigger && matchCommands(commands, trigger.query).length > 0) this.#showCommands(trigger);
    });
  }

  update(text: string, caret: number): void {
    const trigger = triggerAt(text, caret);
    if (!trigger || trigger.from !== this.#dismissed) this.#dismissed = undefined;
    if (!trigger || this.#dismissed !== undefined) {
      this.#cancel();
      this.list.value = undefined;
      return;
    }
    if (trigger.kind === 'command') this.#showCommands(trigger);
    else this.#askForFiles(trigger);
  }

  move(step: 1 | -1): void {
    const list = this.list.peek();
    if (!list) return;
    const count = list.entries.length;
    this.list.value = { ...list, active: (list.active + step + count) % count };
  }

  dismiss(): void {
    this.#dismissed = this.list.peek()?.trigger.from;
    this.close();
  }

  close(): void {
    this.#cancel();
    this.list.value = undefined;
  }

  dispose(): void {
    this.#stop();
    this.close();
  }

  #cancel(): void {
    this.#asked++;
    this.#unknownCommand = undefined;
    this.#timer?.dispose();
  }

  #showCommands(trigger: Trigger): void {
    this.#cancel();
    this.#show(
      trigger,
      matchCommands(this.#app.sync.session.peek().commands, trigger.query).map(command => ({
        key: command.name,
        icon: 'terminal',
        label: `/${command.name}${command.argumentHint === '' ? '' : ` ${command.argumentHint}`}`,
        detail: command.description,
        insert: `/${command.name} `,
        goesOn: false,
      })),
    );
    if (this.list.peek() === undefined) this.#unknownCommand = trigger;
  }

  #askForFiles(trigger: Trigger): void {
    this.#cancel();
    const asked = this.#asked;
    this.#timer = this.#clock.after(debounceMs, () => void this.#readFiles(trigger, asked));
  }

  async #readFiles(trigger: Trigger, asked: number): Promise<void> {
    try {
      const { paths } = await this.#app.completeFile(trigger.query);
      if (asked !== this.#asked) return;
      this.#show(
        trigger,
        paths.map(({ path, folder }) => ({
          key: path,
          icon: folder ? 'folder' : 'file',
          label: baseName(path),
          detail: path,
          insert: folder ? `@${path.replace(/\/?$/, '/')}` : `@${quoted(path)} `,
          goesOn: folder,
        })),
      );
    } catch (error) {
      if (asked === this.#asked) this.list.value = undefined;
      this.#app.fault(error);
    }
  }

  #show(trigger: Trigger, entries: readonly Suggestion[]): void {
    this.list.value = entries.length === 0 ? undefined : { trigger, entries, active: 0 };
  }
}

function baseName(path: string): string {
  return path.replace(/\/$/, '').split('/').at(-1) ?? path;
}

/** A mention ends at a space, so a path with one is quoted. */
function quoted(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path;
}
