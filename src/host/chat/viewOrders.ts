import type { Logger } from '../../base/logger.ts';
import type { ViewMessage } from '../../bridge/viewMessages.ts';
import { elicitationCard } from '../permissions/elicitation.ts';
import type { Chat } from './chat.ts';

/** What each message of the view makes the chat do. */
export async function carryOut(chat: Chat, message: ViewMessage, logger: Logger): Promise<void> {
  const { services } = chat;
  switch (message.type) {
    case 'ready':
      chat.greet();
      return;
    case 'ack':
      chat.feed.acknowledge(message.revision);
      return;
    case 'removeSelection':
      chat.composer.removeSelection(message.id);
      return;
    case 'stop':
      await chat.interrupt();
      return;
    case 'cancelQueued':
      await chat.prompts.takeBack(message.id, false);
      return;
    case 'editQueued':
      await chat.prompts.takeBack(message.id, true);
      return;
    case 'sendQueuedNow':
      await chat.prompts.sendQueuedNow(message.id);
      return;
    case 'answer':
      await chat.questions.answer(message.askId, message.answer);
      return;
    case 'showProposal':
      await chat.questions.show(message.askId);
      return;
    case 'chooseHunk':
      await chat.questions.chooseHunk(message.askId, message.hunk, message.take);
      return;
    case 'openLink':
      await services.openLink(message.href);
      return;
    case 'openAskedPage':
      await openAskedPage(chat, message.askId);
      return;
    case 'openFile':
      await services.openFile(message.path, chat.cwd, message.line, message.column);
      return;
    case 'copy':
      await services.copy(message.text);
      return;
    case 'insertAtCursor':
      await services.insertAtCursor(message.text);
      return;
    case 'setModel':
      await chat.choices.setModel(message.value);
      return;
    case 'setMode':
      await chat.choices.setMode(message.value);
      return;
    case 'setEffort':
      await chat.session?.settings.setEffort(message.value);
      return;
    case 'resend':
      await chat.prompts.resend(message.itemId);
      return;
    case 'stopTask':
      await chat.session?.requests.stopTask(message.taskId);
      return;
    case 'action':
      await act(chat, message.action);
      return;
    case 'fork':
      chat.fork(message.itemId);
      return;
    case 'draft':
    case 'attachments':
      chat.composer.drafts.keep(message);
      return;
    case 'openSession':
      await chat.openSession({ sessionId: message.sessionId });
      return;
    case 'keyboard':
      // Told to whoever opens editors; nothing for the conversation.
      return;
    case 'fault':
      logger.error(`The chat view failed: ${message.message}`);
      return;
    case 'rewind':
      await chat.rewindTo(message.itemId);
      return;
    case 'undoRewind':
      await chat.undoRewind(message.itemId);
      return;
  }
}

/** The address is that of the question itself, as its card shows it. */
async function openAskedPage({ session, services }: Chat, askId: string): Promise<void> {
  const asked = session?.desk.find(askId)?.elicitation;
  const page = asked === undefined ? undefined : elicitationCard(asked)?.page;
  if (page !== undefined && (await services.openLink(page.href))) session?.desk.pageOpened(askId);
}

async function act(chat: Chat, action: Extract<ViewMessage, { type: 'action' }>['action']): Promise<void> {
  switch (action) {
    case 'restart':
      await chat.ensureSession(true);
      return;
    case 'retry':
      await chat.prompts.resend();
      return;
    case 'stop':
      await chat.interrupt();
      return;
    case 'newSession':
      await chat.newSession();
      return;
    case 'showLog':
      chat.services.showLog();
      return;
    case 'openSettings':
      await chat.services.openSettings('handrail.claude');
      return;
    case 'signIn':
      await chat.services.signIn();
      return;
    case 'continue':
      await chat.continueTurn();
      return;
    case 'dismiss':
      chat.dismissNote();
      return;
    case 'fork':
      chat.fork();
      return;
    case 'diagnose':
      await chat.services.diagnose();
      return;
  }
}
