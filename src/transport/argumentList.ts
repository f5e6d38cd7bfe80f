export type FlagErrorCode =
  | 'notAUuid'
  | 'emptyValue'
  | 'controlCharacter'
  | 'dangerousOnWindows'
  | 'notANumber'
  | 'notJson'
  | 'unknownValue'
  | 'needsOther'
  | 'conflict';

/** An option that the CLI would refuse or misread. Found before it is started: its own refusal is one line on stderr and exit 1. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
  readonly code: FlagErrorCode;
  readonly flag: string;

  constructor(code: FlagErrorCode, flag: string, message: string) {
    super(`${flag}: ${message}`);
    this.code = code;
    this.flag = flag;
  }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What cmd.exe would act upon if a shim stood between us and the CLI. */
const dangerousOnWindows = /[&|<>^%!"\r\n]/;

/** Builds an argument list and refuses what cannot be meant. Values with a choice of meaning go as `--flag=value`. */
export class ArgumentList {
  readonly list: string[] = [];
  readonly #platform: NodeJS.Platform;

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  on(flag: string, wanted: boolean | undefined): void {
    if (wanted === true) this.list.push(flag);
  }

  text(flag: string, value: string | undefined): void {
    if (value === undefined) return;
    if (value.length === 0) throw new FlagError('emptyValue', flag, 'the value is empty');
    this.#push(flag, value);
  }

  /** One argument, so that a value which begins with a dash is never read as a flag. */
  joined(flag: string, value: string): void {
    if (value.trim().length === 0) throw new FlagError('emptyValue', flag, 'the value is empty');
    if (this.#platform === 'win32' && dangerousOnWindows.test(value)) {
      throw new FlagError('dangerousOnWindows', flag, 'the value holds a character that is not safe on Windows');
    }
    // A line break would be a second line in a log or a title; no id or title holds one.
    if (/[\0\r\n]/.test(value)) throw new FlagError('controlCharacter', flag, 'the value holds a control character');
    this.list.push(`${flag}=${value}`);
  }

  uuid(flag: string, value: string | undefined): void {
    if (value === undefined) return;
    if (!uuidPattern.test(value)) throw new FlagError('notAUuid', flag, 'the value is not a UUID');
    this.joined(flag, value);
  }

  oneOf(flag: string, value: string | undefined, allowed: readonly string[]): void {
    if (value === undefined) return;
    if (!allowed.includes(value))
      throw new FlagError('unknownValue', flag, `unknown value; known are ${allowed.join(', ')}`);
    this.#push(flag, value);
  }

  number(flag: string, value: number | undefined, valid: (n: number) => boolean): void {
    if (value === undefined) return;
    if (!Number.isFinite(value) || !valid(value)) throw new FlagError('notANumber', flag, 'the number is out of range');
    this.#push(flag, String(value));
  }

  /** JSON written out, so that a mistake is not taken for a path. */
  json(flag: string, value: string | undefined): void {
    if (value === undefined) return;
    if (!isJsonObject(value)) throw new FlagError('notJson', flag, 'the value is not a JSON object');
    this.#push(flag, value);
  }

  /** An empty list is a statement of its own where the CLI takes one ("no tools", "no settings"). */
  commaList(flag: string, values: readonly string[] | undefined, emptyAllowed = false): void {
    if (values === undefined || (values.length === 0 && !emptyAllowed)) return;
    for (const value of values)
      if (value.trim().length === 0) throw new FlagError('emptyValue', flag, 'an entry is empty');
    this.#push(flag, values.join(','));
  }

  each(flag: string, values: readonly string[] | undefined): void {
    for (const value of values ?? []) this.text(flag, value);
  }

  #push(flag: string, value: string): void {
    if (value.includes('\0')) throw new FlagError('controlCharacter', flag, 'the value holds a NUL');
    // `--flag=value` also for a value with a leading dash: in two arguments it would be read as a flag.
    if (value.startsWith('-')) this.list.push(`${flag}=${value}`);
    else this.list.push(flag, value);
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
