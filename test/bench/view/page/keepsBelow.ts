import { plainRow } from './plainRow.ts';
import { WholeConversation } from './wholeConversation.ts';

/**
 * A list as several panels have it: all messages are in memory, rows above the viewport are left out of the page, but
 * everything from the first visible row down to the end stays in it, so that the end is always there to follow.
 * A changed row is drawn anew as a whole.
 */
const estimate = 72;
const overscan = 400;
const log = document.createElement('div');
log.setAttribute('role', 'log');
log.className = 'transcript-viewport bench-log';
const spacer = document.createElement('div');
log.append(spacer);
document.getElementById('root')?.append(log);

const heights: number[] = [];
const rows = new Map<number, Element>();
let first = 0;
let following = true;

const conversation = new WholeConversation(acquireVsCodeApi(), changed => {
  const fresh = rows.size === 0;
  if (fresh) first = Math.max(0, conversation.items.length - 20);
  for (let index = Math.max(changed, first); index < conversation.items.length; index++) {
    const old = rows.get(index);
    const made = draw(index);
    if (old) old.replaceWith(made);
    else log.append(made);
    rows.set(index, made);
  }
  place();
  if (following) log.scrollTop = log.scrollHeight;
});

function draw(index: number): Element {
  const holder = document.createElement('template');
  const item = conversation.items[index];
  holder.innerHTML = item ? plainRow(item) : '';
  return holder.content.firstElementChild ?? document.createElement('article');
}

function place(): void {
  let above = 0;
  for (let index = 0; index < first; index++) above += heights[index] ?? estimate;
  spacer.style.height = `${above}px`;
}

log.addEventListener('scroll', () => {
  following = log.scrollHeight - log.clientHeight - log.scrollTop < 4;
  const top = log.scrollTop - overscan;
  let above = 0;
  let index = 0;
  while (index < conversation.items.length && above + (heights[index] ?? estimate) <= top) {
    above += heights[index++] ?? estimate;
  }
  const added: Element[] = [];
  for (let place = first - 1; place >= index; place--) {
    const made = draw(place);
    rows.set(place, made);
    added.unshift(made);
  }
  spacer.after(...added);
  // Measured all at once, after all are in the page.
  for (const [place, element] of added.entries()) heights[index + place] = element.getBoundingClientRect().height;
  for (let place = first; place < index; place++) {
    rows.get(place)?.remove();
    rows.delete(place);
  }
  first = index;
  place();
});
