import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { SelectionChip, ViewOptions } from '../../bridge/hostMessages.ts';
import type { ViewStrings } from '../../bridge/strings.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import type { AcceptedChanges } from '../../session/proposal/acceptedChanges.ts';
import type { PermissionModeFlag } from '../../transport/flags.ts';
import type { AskShaper } from '../permissions/askShaper.ts';
import type { ChatRewind } from '../rewind/chatRewind.ts';
import type { DraftBook } from '../sessions/draftBook.ts';
import type { Leaving } from '../sessions/leaveTurn.ts';
import type { PastSessions } from '../sessions/pastSessions.ts';
import type { StartOutcome, StartRequest } from '../sessions/sessionStarter.ts';
import type { SessionTarget } from '../sessions/sessionTarget.ts';
import type { Chat } from './chat.ts';
import type { ChatServices } from './chatServices.ts';
import type { Translate } from './words.ts';

/** What a chat takes from the editors around it. */
export interface ChatContext {
  /** Something else is selected. */
  readonly onDidChange: Event<undefined>;
  /** What would go along with the next message. */
  chip(cwd: string): SelectionChip | undefined;
  /** The piece behind a chip, as it stands in the editor now. */
  take(id: string, cwd: string): ViewAttachment | undefined;
  remove(id: string): void;
  /** Whether nothing may be attached from the file. */
  deniesPath(path: string): boolean;
}

/** What a chat is made of. Everything that is not the conversation itself comes from outside. */
export interface ChatOptions {
  readonly cwd: string;
  readonly start: (request: StartRequest) => Promise<StartOutcome>;
  readonly services: ChatServices;
  readonly strings: () => ViewStrings;
  readonly viewOptions: () => ViewOptions;
  readonly past: PastSessions;
  readonly drafts: DraftBook;
  /** Under what the draft is kept until there is a session. */
  readonly draftKey: string;
  /** The session to begin with, as left behind by an earlier window. */
  readonly restore?: SessionTarget;
  /** Brings the session to the front if another chat of the window shows it already. */
  readonly showElsewhere?: (sessionId: string, but: Chat) => Promise<boolean>;
  /** Shows a session, or a new one, in a chat of its own. */
  readonly openTab?: (target: SessionTarget | undefined, folder: string) => void;
  /** What becomes of a turn that runs when a person goes to another conversation. */
  readonly leaving?: () => Promise<Leaving>;
  readonly context?: ChatContext;
  /** Lets a person see and shape what they are asked about. `fail`: a question could not be shown. */
  readonly shaper?: (fail: (askId: string, message: string) => void) => AskShaper;
  /** Tells the agent what a person changed in its proposals. */
  readonly changeNotes?: Pick<AcceptedChanges, 'note'>;
  /** Holds the state of the folder before prompts, and takes files back to it. */
  readonly rewind?: ChatRewind<Chat>;
  /** The view got the keyboard, or lost it. */
  readonly keyboard?: (here: boolean) => void;
  /** Whether the mode without questions is offered at all, and the last word of the person before it is set. */
  readonly bypass?: { readonly offered: () => boolean; readonly confirm: () => Promise<boolean> };
  readonly initial: () => { readonly model: string; readonly mode: PermissionModeFlag };
  readonly t: Translate;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly newId?: () => string;
}
