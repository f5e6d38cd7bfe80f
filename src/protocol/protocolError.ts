/** `invalidFrame`: it does not have the form the CLI expects. `notSerialisable`: it cannot be written as JSON at all. */
export type ProtocolErrorCode = 'invalidFrame' | 'notSerialisable';

/** Something on our side that must not reach the wire. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
