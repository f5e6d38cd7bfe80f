import { WholeConversation } from './wholeConversation.ts';

/** The least a view can do: the newest message as plain text. What it needs is what machine, socket and feed need. */
const log = document.createElement('pre');
log.setAttribute('role', 'log');
log.className = 'bench-log';
document.getElementById('root')?.append(log);

const conversation = new WholeConversation(acquireVsCodeApi(), () => {
  const last = conversation.items.at(-1);
  log.textContent = last?.kind === 'text' ? last.text.slice(-2000) : '';
});
