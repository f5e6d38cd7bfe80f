import type { IncomingHttpHeaders } from 'node:http';
import type { ModelBlock, ModelMessage, ModelRequest, RequestKind } from './request.ts';

/** A request as read from the wire, before the model adds its index and its end. */
export type ReadRequest = Omit<ModelRequest, 'index' | 'ended'>;

type Fields = Readonly<Record<string, unknown>>;

export function readRequest(method: string, path: string, headers: IncomingHttpHeaders, bytes: Buffer): ReadRequest {
  const body = parse(bytes);
  const fields = isFields(body) ? body : {};
  const messages = arrayOf(fields['messages']).filter(isFields).map(readMessage);
  const inline = messages.filter(message => message.role === 'system').map(textOf);
  const read = {
    method,
    path,
    headers,
    body,
    bodyBytes: bytes.length,
    model: stringOf(fields['model']),
    stream: fields['stream'] === true,
    system: [textOf({ role: 'system', blocks: readContent(fields['system']) }), ...inline].join('\n'),
    tools: arrayOf(fields['tools'])
      .filter(isFields)
      .map(tool => stringOf(tool['name'])),
    messages,
  };
  return { ...read, kind: kindOf(read, fields) };
}

function kindOf(read: Omit<ReadRequest, 'kind'>, fields: Fields): RequestKind {
  const route = read.path.replace(/\?.*$/, '');
  if (read.method !== 'POST') return 'other';
  if (route === '/v1/messages/count_tokens') return 'countTokens';
  if (route !== '/v1/messages') return 'other';
  if (fields['max_tokens'] === 1) return 'probe';
  if (asksForTitle(fields)) return 'title';
  if (read.headers['x-claude-code-agent-id'] !== undefined) return 'subagent';
  const asked =
    read.messages.findLast(message => message.role === 'user')?.blocks.filter(block => block.type === 'text') ?? [];
  if (asked.some(block => block.text.startsWith('<system-reminder>This is a side question'))) return 'side';
  // Only the last block: a later prompt may stand in one message with a summary that quotes these words.
  if (asked.at(-1)?.text.includes('Your task is to create a detailed summary of the conversation')) return 'compact';
  return isConversation(read) ? 'main' : 'side';
}

/** The CLI asks for a title with a structured output whose schema has that one property. */
function asksForTitle(fields: Fields): boolean {
  const config = fields['output_config'];
  const format = isFields(config) ? config['format'] : undefined;
  const schema = isFields(format) ? format['schema'] : undefined;
  const properties = isFields(schema) ? schema['properties'] : undefined;
  return isFields(properties) && 'title' in properties;
}

function isConversation(read: Omit<ReadRequest, 'kind'>): boolean {
  return read.tools.length > 0 || read.system.includes('Primary working directory');
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readMessage(message: Fields): ModelMessage {
  return { role: stringOf(message['role']), blocks: readContent(message['content']) };
}

function readContent(content: unknown): ModelBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return arrayOf(content).filter(isFields).map(readBlock);
}

function readBlock(block: Fields): ModelBlock {
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: stringOf(block['text']) };
    case 'tool_use':
      return {
        type: 'toolUse',
        id: stringOf(block['id']),
        name: stringOf(block['name']),
        input: isFields(block['input']) ? block['input'] : {},
      };
    case 'tool_result':
      return {
        type: 'toolResult',
        id: stringOf(block['tool_use_id']),
        text: textOf({ role: '', blocks: readContent(block['content']) }),
        isError: block['is_error'] === true,
      };
    default:
      return { type: 'other', name: stringOf(block['type']) };
  }
}

function textOf(message: ModelMessage): string {
  return message.blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
