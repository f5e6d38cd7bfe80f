import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Transport } from '../../protocol/transport.ts';

/** A line to a process that was started. */
export interface Connection {
  readonly transport: Transport;
  /** Absent if it could not be started. */
  readonly pid?: number;
}

interface Spare {
  readonly key: string;
  readonly connection: Connection;
  readonly expiry: Disposable;
}

/** A spare that nobody wanted for this long is not worth its memory. */
const keepMs = 10 * 60_000;

/**
 * At most one process that has been started and not spoken to. The CLI writes nothing before the first prompt, so one
 * that is never used leaves no trace. It fits only a session that would be started in exactly the same way.
 */
export class SpareProcess implements Disposable {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #isAlive: (pid: number) => boolean;
  #spare: Spare | undefined;

  constructor(options: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly isAlive?: (pid: number) => boolean;
  }) {
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#isAlive = options.isAlive ?? isAlive;
  }

  get pid(): number | undefined {
    return this.#spare?.connection.pid;
  }

  /** Keeps the connection for whoever starts a session in this way next. A spare for another way ends. */
  prepare(key: string, connect: () => Connection): void {
    if (this.#spare?.key === key && this.#lives(this.#spare)) return;
    this.dispose();
    const connection = connect();
    if (connection.pid === undefined) {
      this.#end(connection);
      return;
    }
    const expiry = this.#clock.after(keepMs, () => this.dispose());
    this.#spare = { key, connection, expiry };
  }

  /** The spare, if it fits and lives. One that does not fit ends: there are never two. */
  take(key: string): Connection | undefined {
    const spare = this.#spare;
    if (spare === undefined) return undefined;
    if (spare.key !== key || !this.#lives(spare)) {
      this.dispose();
      return undefined;
    }
    this.#spare = undefined;
    spare.expiry.dispose();
    return spare.connection;
  }

  dispose(): void {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined) return;
    spare.expiry.dispose();
    this.#end(spare.connection);
  }

  #lives({ connection: { pid } }: Spare): boolean {
    return pid !== undefined && this.#isAlive(pid);
  }

  #end({ transport }: Connection): void {
    transport.stop().catch((error: unknown) => this.#logger.error('A spare process did not stop', error));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
