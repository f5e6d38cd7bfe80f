import type { Disposable } from '../../src/base/disposable.ts';
import { toDisposable } from '../../src/base/disposable.ts';

/** Measurements of the page, apart so that tests without a layout can give their own. */
export interface Layout {
  heightOf(element: HTMLElement): number;
  scrollHeightOf(element: HTMLElement): number;
  /** Calls with the new height whenever it changes, before the paint that would show it. */
  observe(element: HTMLElement, onHeight: (height: number) => void): Disposable;
}

export function browserLayout(): Layout {
  const listeners = new WeakMap<Element, (height: number) => void>();
  const observer = new ResizeObserver(entries => {
    for (const entry of entries) {
      const box = entry.borderBoxSize[0];
      listeners.get(entry.target)?.(box ? box.blockSize : entry.contentRect.height);
    }
  });
  return {
    heightOf: element => element.getBoundingClientRect().height,
    scrollHeightOf: element => element.scrollHeight,
    observe(element, onHeight) {
      listeners.set(element, onHeight);
      observer.observe(element);
      return toDisposable(() => {
        listeners.delete(element);
        observer.unobserve(element);
      });
    },
  };
}
