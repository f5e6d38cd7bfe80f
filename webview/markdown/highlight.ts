import { useEffect, useState } from 'preact/hooks';

export type CodeToken =
  'comment' | 'keyword' | 'type' | 'function' | 'string' | 'number' | 'property' | 'added' | 'removed';

export interface CodePiece {
  readonly text: string;
  readonly token?: CodeToken;
}

type Pieces = readonly CodePiece[];

/** Longer code stays plain: colouring it would hold up the page. */
const longest = 16_000;
const remembered = 200;

const known = new Map<string, Pieces | undefined>();
const waiting = new Map<string, { readonly code: string; readonly language: string; readonly done: Set<() => void> }>();
let running = false;

/** The code in colours, once they are there; asks for them in idle time. Nothing while the block is `open`. */
export function useHighlight(
  code: string,
  language: string,
  open: boolean,
  onFault: (error: unknown) => void,
): Pieces | undefined {
  const [, redraw] = useState(0);
  const key = `${language}\n${code}`;
  const wanted = !open && language !== '' && code.length <= longest;
  useEffect(() => {
    if (!wanted || known.has(key)) return undefined;
    const done = (): void => redraw(count => count + 1);
    const entry = waiting.get(key) ?? { code, language, done: new Set() };
    entry.done.add(done);
    waiting.set(key, entry);
    work(onFault);
    return () => {
      entry.done.delete(done);
      if (entry.done.size === 0) waiting.delete(key);
    };
  }, [key, wanted]);
  return wanted ? known.get(key) : undefined;
}

function work(onFault: (error: unknown) => void): void {
  if (running) return;
  running = true;
  import('./highlighter.ts')
    .then(async ({ highlightCode }) => {
      for (let [next] = waiting; next; [next] = waiting) {
        await idle();
        const [key, { code, language, done }] = next;
        if (!waiting.delete(key)) continue;
        remember(key, highlightCode(code, language));
        for (const redraw of done) redraw();
      }
    })
    .catch((error: unknown) => {
      waiting.clear();
      onFault(error);
    })
    .finally(() => (running = false));
}

function remember(key: string, pieces: Pieces | undefined): void {
  known.set(key, pieces);
  const [oldest] = known.keys();
  if (known.size > remembered && oldest !== undefined) known.delete(oldest);
}

function idle(): Promise<void> {
  return new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 1);
  });
}
