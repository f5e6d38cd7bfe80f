import type { ComponentChildren } from 'preact';

/** A sentence with a node in the place of `{0}`, so that translations may put it where they like. */
export function withNode(template: string, node: ComponentChildren): ComponentChildren[] {
  const [before = '', after = ''] = template.split('{0}');
  return [before, node, after];
}

/** The words before `{0}`, for a button that the node stands behind. */
export function verbOf(template: string): string {
  const [before = '', after = ''] = template.split('{0}');
  return before.trim() === '' ? after.trim() : before.trim();
}
