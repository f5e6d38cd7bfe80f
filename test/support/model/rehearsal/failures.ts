import { cutAfter, fail, say } from '../script.ts';
import type { FailStatus, Turn } from '../script.ts';
import type { ModelRequest } from '../request.ts';

/** Failures that stay until the person stops or gives up; the others pass after `passes` tries. */
const kinds: Readonly<Record<string, { readonly turn: Turn; readonly passes: number }>> = {
  '400': lasting(400),
  '401': lasting(401),
  '403': lasting(403),
  '404': lasting(404),
  '413': lasting(413),
  '429': { turn: fail(429, { retryAfter: 2 }), passes: 2 },
  '500': { turn: fail(500), passes: 2 },
  '529': lasting(529),
  cut: {
    turn: [cutAfter(3), say('This answer will break off in the middle of a sentence, and come again whole.')],
    passes: 1,
  },
};

/**
 * The scene `error`. A repeated request looks the same each time, so this is the one place that counts: tries per
 * session and place in the conversation, forgotten when the failure has passed.
 */
export class Failures {
  readonly #tries = new Map<string, number>();

  /** The failure for this request; an answer when it has passed; undefined if the person asked for something else. */
  take(request: ModelRequest, prompt: string): Turn | undefined {
    const asked = /\berror\b(?:\W+(\d{3}|cut))?/i.exec(prompt);
    if (!asked) return undefined;
    const name = asked[1]?.toLowerCase() ?? '500';
    const kind = kinds[name];
    if (!kind) return say(`I can fail with ${Object.keys(kinds).join(', ')}; ${name} is not among them.`);
    const key = `${String(request.headers['x-claude-code-session-id'])} ${request.messages.length}`;
    const tries = (this.#tries.get(key) ?? 0) + 1;
    if (tries > kind.passes) {
      this.#tries.delete(key);
      return say(`Recovered: the failure (${name}) has passed, and this is the answer.`);
    }
    if (Number.isFinite(kind.passes)) this.#tries.set(key, tries);
    return kind.turn;
  }
}

function lasting(status: FailStatus): { readonly turn: Turn; readonly passes: number } {
  return { turn: fail(status), passes: Infinity };
}
