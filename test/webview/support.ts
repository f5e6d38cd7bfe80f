import type { PromptView, TextView, ThinkingView, ToolView, ViewItem } from '../../src/bridge/viewItem.ts';

/** Items for tests: only what a test is about has to be said. */
export function text(id: string, more: Partial<TextView> = {}): TextView {
  return { kind: 'text', id, at: 0, text: `Text of ${id}`, streaming: false, aborted: false, ...more };
}

export function prompt(id: string, more: Partial<PromptView> = {}): PromptView {
  return {
    kind: 'prompt',
    id,
    at: 0,
    text: `Prompt ${id}`,
    attachments: [],
    state: 'completed',
    synthetic: false,
    rewindable: true,
    ...more,
  };
}

export function thinking(id: string, more: Partial<ThinkingView> = {}): ThinkingView {
  return { kind: 'thinking', id, at: 0, text: 'Hm.', streaming: false, redacted: false, durationMs: 6000, ...more };
}

export function read(id: string, more: Partial<ToolView> = {}): ToolView {
  const label = `${id}.ts`;
  return {
    kind: 'tool',
    id,
    at: 0,
    name: 'Read',
    status: 'done',
    durationMs: 200,
    card: { type: 'read', file: { label, path: `/project/${label}` } },
    ...more,
  };
}

export function texts(count: number, from = 0): ViewItem[] {
  return Array.from({ length: count }, (_, index) => text(`t${from + index}`));
}
