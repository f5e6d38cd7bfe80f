// An MCP server on stdio that asks the person: `form` by a form, `page` by a page to open. Each tool tells what it was answered.
import { createInterface } from 'node:readline';

const form = {
  mode: 'form',
  message: 'Which town?',
  requestedSchema: {
    type: 'object',
    properties: { town: { type: 'string', title: 'Town' }, days: { type: 'integer', minimum: 1, default: 3 } },
    required: ['town'],
  },
};
const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in', elicitationId: 'sign-in-1' };
const questions = { form, page };
/** Calls that wait for the person, by the id of the question. */
const waiting = new Map();
let asked = 0;

/** @param {object} message */
const say = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** @param {{ id: unknown, method: string, params: any }} request */
function serve({ id, method, params }) {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'weather', version: '1.0.0' };
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
      return;
    }
    case 'tools/list': {
      const inputSchema = { type: 'object', properties: {} };
      say({ id, result: { tools: Object.keys(questions).map(name => ({ name, description: 'Asks', inputSchema })) } });
      return;
    }
    case 'tools/call': {
      const question = `ask-${(asked += 1)}`;
      waiting.set(question, id);
      say({ id: question, method: 'elicitation/create', params: params.name === 'page' ? page : form });
      return;
    }
    default:
      say({ id, result: {} });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method !== undefined) {
    if (message.id !== undefined) serve(message);
    continue;
  }
  const call = waiting.get(message.id);
  waiting.delete(message.id);
  say({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(message.result ?? message.error) }] } });
}
