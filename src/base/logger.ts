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
