import type { QueuedView, SessionView } from '../../src/bridge/sessionView.ts';
import type { Conversation } from './conversation.ts';

/** How far from the end a prompt that waits can be: what came after it belongs to the turn it waits for. */
const reach = 200;

/**
 * What was typed while the agent worked and still waits, oldest first. The conversation says so at once; the session says
 * it again a little later, and also for prompts whose page is not loaded.
 */
export function queuedPrompts(conversation: Conversation, session: SessionView): readonly QueuedView[] {
  conversation.watchOrder();
  const total = conversation.total.value;
  const waiting = new Map<string, QueuedView>();
  const settled = new Set<string>();
  for (let index = Math.max(0, total - reach); index < total; index++) {
    // Only prompts are listened to: a streaming answer must not redraw the list.
    const known = conversation.itemAt(index);
    const item = known?.kind === 'prompt' ? conversation.item(known.id)?.value : undefined;
    if (item?.kind !== 'prompt') continue;
    if (item.state === 'queued') waiting.set(item.id, { id: item.id, text: item.text });
    else settled.add(item.id);
  }
  for (const one of session.queue) if (!settled.has(one.id)) waiting.set(one.id, waiting.get(one.id) ?? one);
  return [...waiting.values()];
}
