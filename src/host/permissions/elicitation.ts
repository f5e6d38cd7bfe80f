import { fieldContent, fieldProblem } from '../../bridge/formField.ts';
import { englishStrings } from '../../bridge/strings.ts';
import type { ViewAnswer } from '../../bridge/viewMessages.ts';
import type { ToolCard } from '../../bridge/toolCard.ts';
import type { ElicitationAnswer, ElicitationRequest } from '../../protocol/cliRequests.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { Translate } from '../chat/words.ts';
import { formFields } from './elicitationForm.ts';

/** What an MCP server asks, as its card. Undefined: it cannot be drawn, so nobody can be asked. */
export function elicitationCard(request: ElicitationRequest): Extract<ToolCard, { type: 'elicitation' }> | undefined {
  const base = {
    type: 'elicitation',
    server: cleanText(request.mcp_server_name),
    message: cleanText(request.message),
  } as const;
  if (request.mode === 'url') {
    const page = pageOf(request);
    return page === undefined ? undefined : { ...base, page, fields: [] };
  }
  const fields = formFields(request);
  return fields === undefined ? undefined : { ...base, fields };
}

/**
 * What a person said on the card, as the answer for the server. Throws when it is not what the server asked for: the
 * question stays open.
 */
export function elicitationAnswer(
  request: ElicitationRequest,
  answer: Extract<ViewAnswer, { type: 'elicitation' }>,
  t: Translate,
): ElicitationAnswer {
  if (answer.action !== 'accept') return { action: answer.action };
  if (request.mode === 'url') return { action: 'accept' };
  const content = (formFields(request) ?? []).flatMap((field): [string, unknown][] => {
    const value = (Object.hasOwn(answer.values, field.key) ? answer.values[field.key] : undefined) ?? '';
    const problem = fieldProblem(field, value);
    if (problem !== undefined) {
      const [key, ...values] = problem;
      throw new Error(`${field.title}: ${t(englishStrings[key], ...values)}`);
    }
    const sent = fieldContent(field, value);
    return sent === undefined ? [] : [[field.key, sent]];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

/** The address as a browser reads it, so that its host is the one that opens. Nothing but a page of the web is offered. */
function pageOf({
  url: address = '',
}: ElicitationRequest): { readonly href: string; readonly host: string } | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  return { href: url.href, host: url.host };
}
