/** Where rooms below the host write. VS Code's LogOutputChannel fits it as it is. */
export interface Logger {
  trace(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
}

const nothing = (): void => undefined;

/** For callers that do not care. */
export const silentLogger: Logger = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/**
 * The same log for those who end last. VS Code closes its channel before the agents have left, and a closed channel throws:
 * what is said from then on has no reader, and must not keep anything from coming to its end.
 */
export function lastingLogger(logger: Logger): Logger {
  const say =
    (level: keyof Logger) =>
    (message: string, ...details: unknown[]): void => {
      try {
        logger[level](message, ...details);
      } catch {
        // Nobody is left to tell that nobody listens.
      }
    };
  return { trace: say('trace'), debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
}
