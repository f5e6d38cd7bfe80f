import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ViewAnswer } from '../../bridge/viewMessages.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import { questionsOf } from '../../session/questionAnswers.ts';
import type { AcceptedChanges } from '../../session/proposal/acceptedChanges.ts';
import { errorText } from '../errorText.ts';
import type { AskShaper } from '../permissions/askShaper.ts';
import { elicitationCard } from '../permissions/elicitation.ts';
import { decide } from '../permissions/decide.ts';
import type { Translate } from './words.ts';

export interface ChatQuestionsOptions {
  readonly session: () => AgentSession | undefined;
  readonly shaper: ((fail: (askId: string, message: string) => void) => AskShaper) | undefined;
  readonly changeNotes: Pick<AcceptedChanges, 'note'> | undefined;
  readonly tell: (message: string) => void;
  readonly t: Translate;
  readonly logger: Logger;
}

/** The open questions of a chat: how they are shown, shaped and answered, each once. */
export class ChatQuestions implements Disposable {
  readonly shaper: AskShaper | undefined;
  readonly #options: ChatQuestionsOptions;
  readonly #answering = new Set<string>();
  /** Tool uses whose change the agent may not have been told yet. */
  readonly #noted = new Set<string>();

  constructor(options: ChatQuestionsOptions) {
    this.#options = options;
    this.shaper = options.shaper?.((askId, message) => this.#fail(askId, message));
  }

  /** Answers a question, from wherever. Whoever comes late is told so and nothing happens. */
  async answer(askId: string, answer: ViewAnswer): Promise<void> {
    // Making an answer ready takes a moment: whoever comes first counts, also then.
    const first = !this.#answering.has(askId);
    this.#answering.add(askId);
    try {
      if (!first || !(await this.#settle(askId, answer))) {
        this.#options.tell(this.#options.t('This question is already answered.'));
      }
    } finally {
      if (first) this.#answering.delete(askId);
    }
  }

  /** Opens the diff of a question, or its plan. False: there is none to show. */
  async show(askId: string): Promise<boolean> {
    return (await this.shaper?.show(askId)) === true;
  }

  async chooseHunk(askId: string, hunk: number, take: boolean): Promise<void> {
    await this.shaper?.chooseHunk(askId, hunk, take);
  }

  changed(change: DeskChange): void {
    try {
      const { ask } = change;
      if (change.type === 'opened' && ask.kind === 'question' && questionsOf(ask).length === 0) {
        throw new Error(this.#options.t('It holds no question that can be read.'));
      }
      if (change.type === 'opened' && ask.elicitation !== undefined && elicitationCard(ask.elicitation) === undefined) {
        throw new Error(
          this.#options.t('{0} asks for something that cannot be shown.', ask.elicitation.mcp_server_name),
        );
      }
      this.shaper?.deskChanged(change);
    } catch (error) {
      this.#options.logger.error('A question could not be shown', error);
      this.#fail(change.ask.id, errorText(error));
    }
  }

  /** The process is gone: tools that have not ended will not, and nobody is left to be told. */
  sessionOver(): void {
    for (const toolUseId of this.#noted) this.#note(toolUseId, undefined);
  }

  dispose(): void {
    this.sessionOver();
    this.shaper?.dispose();
  }

  #note(toolUseId: string, note: string | undefined): void {
    this.#options.changeNotes?.note(toolUseId, note);
    if (note === undefined) this.#noted.delete(toolUseId);
    else this.#noted.add(toolUseId);
  }

  /** False: somebody else was faster. */
  async #settle(askId: string, answer: ViewAnswer): Promise<boolean> {
    const { t } = this.#options;
    const session = this.#options.session();
    const ask = session?.desk.find(askId);
    if (session === undefined || ask === undefined) return false;
    const decided = await decide(ask, answer, { capabilities: session.info.capabilities, shaper: this.shaper, t });
    if (decided === undefined) return true;
    if (ask.toolUseId !== undefined) this.#note(ask.toolUseId, decided.note);
    if (session.desk.settle(askId, decided.decision)) return true;
    if (ask.toolUseId !== undefined) this.#note(ask.toolUseId, undefined);
    return false;
  }

  /** A prompt that cannot be shown is an error to the CLI: neither yes nor no in the person's name. */
  #fail(askId: string, message: string): void {
    const { tell, t } = this.#options;
    if (this.#options.session()?.desk.settle(askId, { type: 'error', message }) === true) {
      tell(t('A question of the agent could not be shown and was not answered: {0}', message));
    }
  }
}
