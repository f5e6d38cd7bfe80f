import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ViewState } from '../../../webview/app/viewState.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('keeps the first letter after a pause at once, and the ones that follow a moment later together', () => {
  const saved: string[] = [];
  const state = new ViewState({ getState: () => undefined, setState: () => undefined, postMessage: () => undefined });
  state.onDidSaveDraft(() => saved.push(state.draft.peek()));
  state.draft.value = 'a';
  expect(saved).toEqual(['a']);
  state.draft.value = 'ab';
  state.draft.value = 'abc';
  expect(saved).toEqual(['a']);
  vi.advanceTimersByTime(150);
  expect(saved).toEqual(['a', 'abc']);
  vi.advanceTimersByTime(1_000);
  state.draft.value = 'abcd';
  expect(saved).toEqual(['a', 'abc', 'abcd']);
});

it('takes words that were told to nobody for words typed here', () => {
  const typed = { version: 1, draft: 'words', expanded: [] };
  const told = { ...typed, draftKey: 'one' };
  const api = (state: unknown) => ({ getState: () => state, setState: () => undefined, postMessage: () => undefined });
  expect(new ViewState(api(typed)).restoredDraft).toBe('');
  expect(new ViewState(api(told)).restoredDraft).toBe('words');
});

it('does not tell the draft of another conversation as this one’s', () => {
  const told: (string | undefined)[] = [];
  const state = new ViewState({ getState: () => undefined, setState: () => undefined, postMessage: () => undefined });
  state.takeDraft('one', 'words of one', 0);
  vi.runAllTimers();
  state.onDidSaveDraft(() => told.push(state.draftKey));
  state.takeDraft('two', 'words of two', 0);
  vi.runAllTimers();
  expect(told).toEqual([]);
});
