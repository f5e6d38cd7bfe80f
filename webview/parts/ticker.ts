import { useEffect } from 'preact/hooks';
import { signal } from '@preact/signals';

const now = signal(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, in steps of a second, for as long as someone shows it: one timer for all, none when nobody looks. */
export function useSeconds(active: boolean): number {
  useEffect(() => {
    if (!active) return undefined;
    users++;
    now.value = Date.now();
    timer ??= setInterval(() => (now.value = Date.now()), 1000);
    return () => {
      users--;
      if (users > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [active]);
  return active ? now.value : now.peek();
}
