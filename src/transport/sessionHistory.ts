import type { CliFrame } from '../protocol/cliFrame.ts';
import { decodeFrame } from '../protocol/decodeFrame.ts';
import type { WireProblem } from '../protocol/transport.ts';

export interface HistoryPage {
  readonly frames: readonly CliFrame[];
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string;
  /** The place after the last event of this page, to ask later for what came since. */
  readonly endCursor?: string;
}

/** The past of a session that lives elsewhere. */
export interface SessionHistory {
  /** One page of events, oldest first, after the cursor (from the beginning without one). */
  read(sessionId: string, cursor?: string, signal?: AbortSignal): Promise<HistoryPage>;
}

export type HistoryErrorCode = 'unauthorized' | 'notFound' | 'unavailable' | 'malformed' | 'tooLarge';

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface RestHistoryOptions {
  /** The root of the service; `/v1/sessions/{id}/events` is added. */
  readonly baseUrl: string;
  readonly token: string;
  readonly pageSize?: number;
  readonly timeoutMs?: number;
  readonly maxPageBytes?: number;
  readonly fetch?: typeof fetch;
  readonly onProblem?: (problem: WireProblem) => void;
}

/** `GET {baseUrl}/v1/sessions/{id}/events?limit=…&after_id=…` → `{data: [frame], has_more, last_id}`. */
export class RestSessionHistory implements SessionHistory {
  readonly #options: RestHistoryOptions;

  constructor(options: RestHistoryOptions) {
    this.#options = options;
  }

  async read(sessionId: string, cursor?: string, signal?: AbortSignal): Promise<HistoryPage> {
    const { baseUrl, pageSize = 200 } = this.#options;
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/v1/sessions/${encodeURIComponent(sessionId)}/events`);
    url.searchParams.set('limit', String(pageSize));
    if (cursor !== undefined) url.searchParams.set('after_id', cursor);
    return this.#readPage(await this.#get(url, signal));
  }

  async #get(url: URL, signal: AbortSignal | undefined): Promise<unknown> {
    const { token, timeoutMs = 15_000, maxPageBytes = 256 * 1024 * 1024, fetch: request = fetch } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(url, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        // A redirect would carry the token to another host.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      if (!response.ok) throw refusal(response.status);
      return JSON.parse(await readBounded(response, maxPageBytes));
    } catch (error) {
      if (error instanceof HistoryError) throw error;
      if (error instanceof SyntaxError)
        throw new HistoryError('malformed', 'The history is not JSON.', { cause: error });
      throw new HistoryError('unavailable', 'The history could not be read.', { cause: error });
    }
  }

  #readPage(body: unknown): HistoryPage {
    if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) {
      throw new HistoryError('malformed', 'The history has no list of events.');
    }
    const report = this.#options.onProblem ?? ((): void => undefined);
    const events: readonly unknown[] = body.data;
    // Through the same decoder as live frames: what is tolerated there is tolerated here.
    const frames = events.map(event => decodeFrame(JSON.stringify(event), report)).filter(frame => frame !== undefined);
    const last = 'last_id' in body && typeof body.last_id === 'string' ? body.last_id : undefined;
    if (last === undefined) return { frames };
    const more = 'has_more' in body && body.has_more === true && events.length > 0;
    return { frames, endCursor: last, ...(more ? { nextCursor: last } : {}) };
  }
}

function refusal(status: number): HistoryError {
  if (status === 401 || status === 403) return new HistoryError('unauthorized', 'The token was refused.');
  if (status === 404) return new HistoryError('notFound', 'There is no such session.');
  return new HistoryError('unavailable', `The service answered ${status}.`);
}

async function readBounded(response: Response, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > limit) throw new HistoryError('tooLarge', `A page of the history is larger than ${limit} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** All pages after the cursor, oldest first. Ends after `maxPages`: a service that always has more is not followed for ever. */
export async function* readAllHistory(
  history: SessionHistory,
  sessionId: string,
  options: { readonly cursor?: string; readonly maxPages?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<HistoryPage, void, undefined> {
  let cursor = options.cursor;
  for (let page = 0; page < (options.maxPages ?? 1000); page += 1) {
    const read = await history.read(sessionId, cursor, options.signal);
    yield read;
    if (read.nextCursor === undefined || read.nextCursor === cursor) return;
    cursor = read.nextCursor;
  }
}
