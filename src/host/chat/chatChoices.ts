import type { ChatOptions } from './chatOptions.ts';
import type { SessionSlot } from './sessionSlot.ts';
import type { ShownSession } from './shownSession.ts';

export interface ChatChoicesOptions {
  readonly slot: SessionSlot;
  readonly shown: () => ShownSession;
  readonly bypass: ChatOptions['bypass'];
  /** The view shows a wish as soon as it is made; this makes it show the truth. */
  readonly refresh: () => void;
  /** Whether it went well; the person was told if not. */
  readonly orTell: (work: Promise<unknown> | undefined) => Promise<boolean>;
}

/** Model and mode, as a person chooses them: for the process that runs, or for the one that starts next. */
export class ChatChoices {
  readonly #options: ChatChoicesOptions;

  constructor(options: ChatChoicesOptions) {
    this.#options = options;
  }

  async setModel(value: string): Promise<void> {
    const { slot, shown, refresh, orTell } = this.#options;
    const model = value === 'default' ? null : value;
    if (!(await orTell(slot.live().then(session => session?.settings.setModel(model))))) return;
    shown().chooseModel(model ?? '');
    refresh();
  }

  async setMode(value: string): Promise<void> {
    const { slot, shown, bypass, refresh, orTell } = this.#options;
    if (value === 'bypassPermissions' && !(bypass?.offered() === true && (await bypass.confirm()))) {
      refresh();
      return;
    }
    const session = await slot.live();
    if (!(await orTell(session?.settings.setPermissionMode(value)))) return;
    // The mode without questions is for one process: the running one, or the one that starts next.
    if (session === undefined || value !== 'bypassPermissions') shown().chooseMode(value);
    refresh();
  }
}
