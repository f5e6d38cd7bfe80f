import type { ElicitationAnswer, ElicitationRequest } from '../../protocol/cliRequests.ts';
import type { ElicitationHandler } from '../../session/elicitation.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { Translate } from '../chat/words.ts';
import { noticeText } from '../noticeText.ts';
import type { FormField } from './elicitationForm.ts';
import { formFields, valueOf } from './elicitationForm.ts';

/** How a person is asked. Each resolves with undefined when they go away, and at once when the signal is aborted. */
export interface ElicitationUi {
  /** A notification that takes nothing from the person. */
  offer(text: string, actions: readonly string[], signal: AbortSignal): Promise<string | undefined>;
  askField(field: FormField, title: string, signal: AbortSignal): Promise<string | undefined>;
  openPage(url: string): Promise<boolean>;
  tell(text: string): void;
  readonly t: Translate;
}

const cancelled: ElicitationAnswer = { action: 'cancel' };
const declined: ElicitationAnswer = { action: 'decline' };

/**
 * Asks what an MCP server wants to know. First a notification; only when the person chooses to answer do the fields come,
 * one by one. Leaving a field leaves the whole: nothing half-filled is sent. What cannot be shown is an error, for only a
 * person declines.
 */
export function elicitationBy(ui: ElicitationUi): ElicitationHandler {
  return async (request, signal) => {
    try {
      return request.mode === 'url' ? await askForPage(request, signal, ui) : await askForm(request, signal, ui);
    } catch (error) {
      const server = noticeText(request.display_name ?? request.mcp_server_name);
      ui.tell(ui.t('A question of {0} could not be shown and was not answered.', server));
      throw error;
    }
  };
}

async function askForm(
  request: ElicitationRequest,
  signal: AbortSignal,
  ui: ElicitationUi,
): Promise<ElicitationAnswer> {
  const fields = formFields(request);
  if (fields === undefined) throw new Error('This form has fields that cannot be shown.');
  const answer = ui.t('Answer…');
  const decline = ui.t('Decline');
  const choice = await ui.offer(sentence(request, ui.t), [answer, decline], signal);
  if (choice === decline) return declined;
  if (choice !== answer) return cancelled;
  const content: Record<string, unknown> = {};
  for (const [at, field] of fields.entries()) {
    const title = `${cleanText(request.mcp_server_name)} (${at + 1}/${fields.length}): ${field.title}`;
    const text = await ui.askField(field, title, signal);
    if (text === undefined || signal.aborted) return cancelled;
    if (text !== '' || field.required) content[field.key] = valueOf(field, text);
  }
  return { action: 'accept', content };
}

async function askForPage(
  request: ElicitationRequest,
  signal: AbortSignal,
  ui: ElicitationUi,
): Promise<ElicitationAnswer> {
  const url = request.url !== undefined && URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw new Error('This is no address of a page.');
  const open = ui.t('Open Page');
  const decline = ui.t('Decline');
  const text = ui.t('{0} It wants to open a page of {1}.', sentence(request, ui.t), noticeText(url.host));
  const choice = await ui.offer(text, [open, decline], signal);
  if (choice === decline) return declined;
  // Withdrawn meanwhile: then nothing opens any more.
  if (choice !== open || signal.aborted) return cancelled;
  if (!(await ui.openPage(url.href))) throw new Error('The page could not be opened.');
  return { action: 'accept' };
}

function sentence(request: ElicitationRequest, t: Translate): string {
  const server = noticeText(request.display_name ?? request.mcp_server_name);
  return t('{0} asks: {1}', server, noticeText(request.message).slice(0, 500));
}
