import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Transport } from '../../protocol/transport.ts';
import { AgentSession } from '../../session/agentSession.ts';
import type { Transcript } from '../../session/transcript/transcript.ts';
import type { ExecutableSearch } from '../../transport/findExecutable.ts';
import type { PermissionModeFlag, StartFrom } from '../../transport/flags.ts';

/** What a chat wants to talk to. */
export interface StartRequest {
  readonly cwd: string;
  readonly from: StartFrom;
  /** Already holds the history when a session goes on. */
  readonly transcript: Transcript;
  readonly mode: PermissionModeFlag;
  /** Empty: the CLI's default. */
  readonly model: string;
}

export interface Launch extends Omit<StartRequest, 'transcript'> {
  readonly executable: string;
}

export type StartOutcome =
  | { readonly type: 'started'; readonly session: AgentSession }
  | { readonly type: 'notFound'; readonly search: ExecutableSearch };

export interface SessionStarterOptions {
  find(): Promise<ExecutableSearch>;
  /** Builds the line to a new process. The one place where session and transport meet. */
  connect(launch: Launch): Transport;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Finds the program, starts it and gives back the session on it. The session may still be starting. */
export class SessionStarter {
  readonly #options: SessionStarterOptions;

  constructor(options: SessionStarterOptions) {
    this.#options = options;
  }

  async start(request: StartRequest): Promise<StartOutcome> {
    const search = await this.#options.find();
    if (search.found === undefined) return { type: 'notFound', search };
    const { transcript, ...rest } = request;
    const { logger, clock } = this.#options;
    logger.info(`Starting ${search.found.path} ${search.found.version ?? '(version unknown)'} in ${request.cwd}`);
    const transport = this.#options.connect({ ...rest, executable: search.found.path });
    const { from } = request;
    const session = new AgentSession({
      transport,
      transcript,
      cwd: request.cwd,
      mode: request.mode,
      resuming: from.kind === 'resume',
      ...(from.kind === 'resume' && from.fork === undefined ? { sessionId: from.session } : {}),
      initialize: { perTaskStopAffordance: true },
      logger,
      ...(clock === undefined ? {} : { clock }),
    });
    // The failure shows in the session's state; here it would only be told a second time.
    session.start().catch((error: unknown) => logger.debug('The session did not become ready', error));
    return { type: 'started', session };
  }
}
