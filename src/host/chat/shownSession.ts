import type { ResumeView } from '../../bridge/sessionView.ts';
import { PERMISSION_MODES } from '../../protocol/permission.ts';
import type { SessionInfo } from '../../session/sessionInfo.ts';
import type { PermissionModeFlag, StartFrom } from '../../transport/flags.ts';
import type { ReturnNote } from '../sessions/presentReturn.ts';
import type { SessionTarget } from '../sessions/sessionTarget.ts';

/** What the next process is started with. */
export interface Wanted {
  /** Empty: the CLI's default. */
  readonly model: string;
  readonly mode: PermissionModeFlag;
}

/** Which session a chat shows, how the next process goes on with it, and what there is to know about it. */
export class ShownSession {
  /** The session that the next process goes on with; its file is there. */
  id: string | undefined;
  /** The session to branch off with the next prompt. */
  fork: SessionTarget | undefined;
  savedTitle = '';
  note: ReturnNote | undefined;
  /** The session of an earlier window, until it is open. */
  #restore: SessionTarget | undefined;
  #mode: PermissionModeFlag | undefined;
  #model: string | undefined;

  constructor(restore: SessionTarget | undefined) {
    this.#restore = restore;
  }

  get restore(): SessionTarget | undefined {
    return this.#restore;
  }

  restored(): void {
    this.#restore = undefined;
  }

  /** The session to come back to after a restart of the window; nothing while nothing was said. */
  get comeBackTo(): string | undefined {
    return this.id ?? (this.#restore?.fork === true ? undefined : this.#restore?.sessionId);
  }

  clear(): void {
    this.id = undefined;
    this.fork = undefined;
    this.savedTitle = '';
    this.note = undefined;
    this.#mode = undefined;
    this.#model = undefined;
  }

  startFrom(): StartFrom {
    if (this.fork !== undefined && this.id === undefined) {
      const { sessionId, at } = this.fork;
      return { kind: 'resume', session: sessionId, fork: {}, ...(at === undefined ? {} : { at }) };
    }
    return this.id === undefined ? { kind: 'new' } : { kind: 'resume', session: this.id };
  }

  resumeView(folder: string): ResumeView {
    const model = this.#model === undefined ? {} : { model: this.#model };
    return this.id === undefined
      ? { folder, ...(this.#restore ?? this.fork), ...model }
      : { folder, sessionId: this.id, ...model };
  }

  /** Title and mode as the agent says they are: what a process that takes over has to go on with. */
  follow(info: SessionInfo): void {
    if (info.title !== undefined && info.title !== '') this.savedTitle = info.title;
    const mode = PERMISSION_MODES.find(known => known === info.mode);
    // The mode without questions is chosen anew each time, by a person.
    this.#mode = mode === 'bypassPermissions' ? 'default' : mode;
  }

  /** The model that the person chose for this session, if they did. */
  get chosenModel(): string | undefined {
    return this.#model ?? this.#restore?.model;
  }

  chooseModel(model: string): void {
    this.#model = model;
  }

  /** Also the mode without questions, which the person has just confirmed: it holds for the process that starts next. */
  chooseMode(mode: string): void {
    this.#mode = PERMISSION_MODES.find(known => known === mode) ?? this.#mode;
  }

  /** What was chosen in this conversation wins over what sessions begin with. */
  wanted(initial: Wanted): Wanted {
    return { model: this.#model ?? initial.model, mode: this.#mode ?? initial.mode };
  }
}
