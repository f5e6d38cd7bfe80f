import type { HostAnswers } from '../../bridge/hostMessages.ts';
import type { ViewRequest } from '../../bridge/viewMessages.ts';
import type { Chat } from './chat.ts';
import { fullText } from './fullText.ts';

/** The answer to each question of the view. */
export async function answerView(chat: Chat, request: ViewRequest): Promise<HostAnswers[ViewRequest['name']]> {
  const { feed } = chat;
  switch (request.name) {
    case 'send':
      return chat.take(request);
    case 'readItems':
      return feed.read(request.from, request.count);
    case 'locate':
      return feed.locate(request.itemId);
    case 'find':
      return feed.find(request.query);
    case 'completeFile':
      return { paths: await chat.composer.completeFile(request.query) };
    case 'readFull':
      return { text: fullText(feed.transcript.find(request.itemId), request.part) };
  }
}
