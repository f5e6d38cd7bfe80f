import { itemIdOf } from './permissionAsk.ts';
import type { DeskChange } from './permissionDesk.ts';
import type { Transcript } from './transcript/transcript.ts';

/** What was asked and answered, as part of what was said. A question that ended without an answer leaves its row as it is. */
export function recordAsk(transcript: Transcript, change: DeskChange): void {
  const { ask } = change;
  const id = itemIdOf(ask);
  const outcome = change.type === 'opened' ? undefined : change.outcome;
  if (ask.elicitation !== undefined) {
    if (outcome === undefined) transcript.elicitationAsked(id, ask.elicitation);
    else transcript.elicitationEnded(id, outcome.type === 'elicited' ? outcome.action : undefined);
  } else if (outcome === undefined) transcript.permissionAsked(id, ask.toolName, ask.input);
  else if (outcome.type === 'allowed') transcript.permissionAnswered(id, true, outcome.input);
  else if (outcome.type === 'denied') transcript.permissionAnswered(id, false);
}
