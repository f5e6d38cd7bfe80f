import type { Clock } from '../../base/clock.ts';
import type { Emitter } from '../../base/emitter.ts';
import type { TranscriptChange } from '../transcriptModel.ts';
import { Drafts } from './drafts.ts';
import { ItemStore } from './itemStore.ts';
import { MessageIds } from './messageIds.ts';
import { NoticeBoard } from './noticeBoard.ts';
import { PromptBook } from './promptBook.ts';
import { Speech } from './speech.ts';
import { ToolBook } from './toolBook.ts';
import { UserSpeech } from './userSpeech.ts';

/** What turns speech into items, for live frames and for transcript lines alike: the same parts, hence the same items. */
export class Parts {
  readonly store: ItemStore;
  readonly ids = new MessageIds();
  readonly tools: ToolBook;
  readonly prompts: PromptBook;
  readonly notices: NoticeBoard;
  readonly drafts: Drafts;
  readonly speech: Speech;
  readonly userSpeech: UserSpeech;

  constructor(changes: Emitter<TranscriptChange>, clock: Clock) {
    this.store = new ItemStore(changes);
    this.tools = new ToolBook(this.store, clock);
    this.prompts = new PromptBook(this.store, clock);
    this.notices = new NoticeBoard(this.store, clock);
    this.drafts = new Drafts(this.store, this.tools, this.ids, clock);
    this.speech = new Speech(this.store, this.drafts, this.tools, this.notices, this.ids, clock);
    this.userSpeech = new UserSpeech(this.speech, this.prompts, this.tools, this.notices);
  }

  forget(): void {
    this.store.clear();
    this.ids.forget();
    this.tools.forget();
    this.prompts.forget();
    this.notices.forget();
    this.drafts.forget();
    this.speech.forget();
  }
}
