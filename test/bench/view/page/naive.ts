import { plainRow } from './plainRow.ts';
import { WholeConversation } from './wholeConversation.ts';

/** The first thing that works: everything is drawn anew, and all Markdown read anew, whenever anything changes. */
const log = document.createElement('div');
log.setAttribute('role', 'log');
log.className = 'transcript-viewport bench-log';
document.getElementById('root')?.append(log);

const conversation = new WholeConversation(acquireVsCodeApi(), () => {
  log.innerHTML = conversation.items.map(plainRow).join('');
  log.scrollTop = log.scrollHeight;
});
