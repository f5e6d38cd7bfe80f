import { ownText, promptOf } from '../request.ts';
import type { ModelMessage, ModelRequest, ToolUseBlock } from '../request.ts';

/** A tool call since the last prompt and what became of it. */
export interface DoneStep {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly outcome: 'done' | 'denied' | 'failed';
}

/**
 * Where the conversation stands, read from the request alone: a rehearsal remembers nothing, so a resumed session or a
 * restarted rehearsal goes on where the conversation left off.
 */
export interface Stage {
  readonly prompt: string;
  readonly images: number;
  /** Tool calls since the prompt, oldest first. */
  readonly steps: readonly DoneStep[];
  /** What the host told the model about the last tool call: a person's changes to a proposal. */
  readonly note: string | undefined;
  /** What the person wrote while the turn was running, since the last answer. */
  readonly interjection: string | undefined;
  /** The summary of a background task whose end started this turn. */
  readonly notification: string | undefined;
  readonly cwd: string;
  /** The plan file while plan mode is on. */
  readonly planFile: string | undefined;
  offers(tool: string): boolean;
}

export function readStage(request: ModelRequest): Stage {
  const promptAt = request.messages.findLastIndex(message => ownText(message) !== '');
  const goneOn = goesOn.test(promptOf(request)) ? interruptedTurn(request.messages.slice(0, promptAt + 1)) : undefined;
  const sincePrompt = request.messages.slice(promptAt + 1);
  const sinceAnswer = textOf(request.messages.slice(1 + request.messages.findLastIndex(isAnswer)));
  const prompted = request.messages[promptAt];
  return {
    prompt: goneOn?.prompt ?? promptOf(request),
    images: prompted?.blocks.filter(block => block.type === 'other' && block.name === 'image').length ?? 0,
    steps: [...(goneOn?.steps ?? []), ...readSteps(sincePrompt)],
    note: firstGroup(
      sinceAnswer,
      /PostToolUse:\S+ hook additional context: ([\s\S]*?)(?=\n*<\/system-reminder>|\n\n(?=[A-Z#<])|$)/,
    ),
    interjection: firstGroup(sinceAnswer, /The user sent a new message while you were working:\n([\s\S]*?)\n\n/),
    notification: firstGroup(sinceAnswer, /<task-notification>[\s\S]*?<summary>([\s\S]*?)<\/summary>/),
    cwd: firstGroup(textOf(request.messages) + request.system, /Primary working directory: (.+)/) ?? '.',
    planFile: readPlanFile(request.messages),
    offers: tool => request.tools.includes(tool) || new RegExp(`^${tool}$`, 'm').test(request.system),
  };
}

/** What a person says, or the panel for them, to have an interrupted turn continued. */
const goesOn = /^\W*(?:go on|continue|carry on|weiter)\b/i;

/** The prompt of the turn that was interrupted and what of it was finished; what was cut off has to be done again. */
function interruptedTurn(
  messages: readonly ModelMessage[],
): { readonly prompt: string; readonly steps: readonly DoneStep[] } | undefined {
  const words = messages.map(
    message =>
      ownText(message)
        .split('\n')
        .findLast(line => !goesOn.test(line)) ?? '',
  );
  const at = words.findLastIndex(text => text !== '');
  const prompt = words[at];
  if (prompt === undefined) return undefined;
  return { prompt, steps: readSteps(messages.slice(at)).filter(step => step.outcome === 'done') };
}

/** The file behind a Read result, without the line numbers the tool adds. */
export function contentOfRead(result: string): string {
  return result
    .replaceAll(/\n*<system-reminder>[\s\S]*?<\/system-reminder>\n*/g, '')
    .split('\n')
    .map(line => line.replace(/^\s*\d+(?:\t|→)/, ''))
    .join('\n');
}

/** A path of the workspace in the manner of its system. */
export function inWorkspace(stage: Pick<Stage, 'cwd'>, path: string): string {
  return stage.cwd.includes('\\') ? `${stage.cwd}\\${path.replaceAll('/', '\\')}` : `${stage.cwd}/${path}`;
}

function readSteps(messages: readonly ModelMessage[]): DoneStep[] {
  const blocks = messages.flatMap(message => message.blocks);
  const calls = blocks.filter((block): block is ToolUseBlock => block.type === 'toolUse');
  return calls.flatMap(call => {
    const result = blocks.find(block => block.type === 'toolResult' && block.id === call.id);
    if (result?.type !== 'toolResult') return [];
    const outcome = result.isError ? (isToolFailure(result.text) ? 'failed' : 'denied') : 'done';
    return [{ tool: call.name, input: call.input, result: clean(result.text), outcome }];
  });
}

/** A refusal carries the person's words as they are; the CLI's own errors have these marks. */
function isToolFailure(text: string): boolean {
  return /^(?:<tool_use_error>|Exit code \d+|Error\b|Tool permission request failed|File )/.test(text);
}

function clean(text: string): string {
  return text.replaceAll(/<\/?tool_use_error>/g, '');
}

function readPlanFile(messages: readonly ModelMessage[]): string | undefined {
  const text = textOf(messages);
  const entered = Math.max(text.lastIndexOf('Plan mode is active'), text.lastIndexOf('Plan mode still active'));
  if (entered < 0 || entered < text.lastIndexOf('Exited Plan Mode')) return undefined;
  return [...text.matchAll(/(?:\bat|[Pp]lan file(?: \(|:)) ?(\S.*?[\\/]plans[\\/].+?\.md)/g)].at(-1)?.[1];
}

function isAnswer(message: ModelMessage): boolean {
  return message.role === 'assistant';
}

function textOf(messages: readonly ModelMessage[]): string {
  return messages
    .flatMap(message => message.blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])))
    .join('\n');
}

function firstGroup(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[1]?.trim();
}
