#!/usr/bin/env node
// A CLI that does what it is told: the faults that the real one does not produce on demand. The script (see fakeCli.ts)
// comes as JSON in HANDRAIL_FAKE_CLI, or in the file named by HANDRAIL_FAKE_CLI_FILE.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

/** @typedef {import('./fakeCli.ts').FakeCliScript} Script */
/** @typedef {import('./fakeCli.ts').FakeCliStep} Step */
/** @typedef {{type?: string, uuid?: string, request_id?: string, message?: unknown, request?: {subtype?: string}, response?: {request_id?: string}}} HostLine */

if (process.argv.includes('-v') || process.argv.includes('--version')) {
  process.stdout.write('2.1.326 (Claude Code)\n');
  process.exit(0);
}

/** @type {Script} */
const script = JSON.parse(
  process.env['HANDRAIL_FAKE_CLI'] ?? readFileSync(process.env['HANDRAIL_FAKE_CLI_FILE'] ?? '', 'utf8'),
);
const sessionId = script.sessionId ?? randomUUID();

/** @param {string | Buffer} data */
const write = data =>
  new Promise(resolve => {
    process.stdout.write(data, resolve);
  });
/** @param {unknown} value */
const emit = value => write(`${JSON.stringify(value)}\n`);

// What came in so far, and who waits for something.
/** @type {HostLine[]} */
const received = [];
/** @type {{matches: (line: HostLine) => boolean, done: (value?: unknown) => void}[]} */
const waiting = [];

/** @param {(line: HostLine) => boolean} matches */
const whenReceived = matches =>
  received.some(matches)
    ? Promise.resolve()
    : new Promise(done => {
        waiting.push({ matches, done });
      });

/** @param {HostLine} line */
async function answer(line) {
  if (line.type === 'control_request' && script.answerRequests !== false) {
    const response =
      line.request?.subtype === 'initialize'
        ? { commands: [], agents: [], models: [], account: {}, pid: process.pid, output_style: 'default' }
        : {};
    await emit({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response } });
  }
  if (line.type === 'control_response' && script.echoControlResponses === true) await emit(line);
  if (line.type === 'user' && script.turns) await turn(line, script.turns.text);
}

/** @type {Set<string>} */
const seenPrompts = new Set();

/**
 * @param {HostLine} prompt
 * @param {string} text
 */
async function turn(prompt, text) {
  const envelope = () => ({ uuid: randomUUID(), session_id: sessionId });
  const replay = { ...prompt, isReplay: true, session_id: sessionId };
  // Like the real one: a uuid that was seen is echoed and then dropped without a word.
  if (prompt.uuid !== undefined && seenPrompts.has(prompt.uuid)) return emit(replay);
  if (prompt.uuid !== undefined) seenPrompts.add(prompt.uuid);
  /** @param {string} state */
  const lifecycle = state => emit({ type: 'command_lifecycle', command_uuid: prompt.uuid, state, ...envelope() });
  await lifecycle('queued');
  await lifecycle('started');
  await emit({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    tools: [],
    mcp_servers: [],
    model: 'fake',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    output_style: 'default',
    ...envelope(),
  });
  await emit(replay);
  const id = `msg_${randomUUID()}`;
  const message = { id, type: 'message', role: 'assistant', model: 'fake', stop_reason: null, usage: {} };
  /** @param {unknown} event */
  const event = event => emit({ type: 'stream_event', event, parent_tool_use_id: null, ...envelope() });
  await event({ type: 'message_start', message: { ...message, content: [] } });
  await event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  for (const word of text.match(/\S+\s*/g) ?? []) {
    await event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } });
  }
  const content = [{ type: 'text', text }];
  await emit({ type: 'assistant', message: { ...message, content }, parent_tool_use_id: null, ...envelope() });
  await event({ type: 'content_block_stop', index: 0 });
  await event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } });
  await event({ type: 'message_stop' });
  await emit({
    subtype: 'success',
    is_error: false,
    result: text,
    num_turns: 1,
    duration_ms: 1,
    duration_api_ms: 1,
    total_cost_usd: 0,
    usage: {},
    modelUsage: {},
    permission_denials: [],
    type: 'result',
    ...envelope(),
  });
  return lifecycle('completed');
}

let rest = '';
process.stdin.setEncoding('utf8');
/** @type {Promise<unknown>} */
let answering = Promise.resolve();
process.stdin.on('data', chunk => {
  const lines = (rest + String(chunk)).split('\n');
  rest = lines.pop() ?? '';
  for (const text of lines) {
    if (script.record !== undefined) appendFileSync(script.record, `${text}\n`);
    /** @type {HostLine} */
    const line = JSON.parse(text);
    received.push(line);
    for (const one of waiting.filter(each => each.matches(line))) one.done();
    answering = answering.then(() => answer(line));
  }
});
process.stdin.on('end', () => {
  if (script.ignoreStdinEnd === true) return;
  void answering.then(() => process.exit(script.exitCode ?? 0));
});
process.on('SIGTERM', () => {
  if (script.ignoreSigterm !== true) process.exit(143);
});
// Only a timer keeps a Node process alive whose stdin has ended.
setInterval(() => undefined, 60_000);

/** @param {Extract<Step, {do: 'raw'}>} step */
async function writeRaw(step) {
  const bytes = step.base64 === undefined ? Buffer.from(step.text ?? '') : Buffer.from(step.base64, 'base64');
  let from = 0;
  for (const to of [...(step.splitAt ?? []), bytes.length]) {
    await write(bytes.subarray(from, to));
    // A pause of one turn, so that the pieces are likely to be read apart.
    await new Promise(resolve => setTimeout(resolve, 1));
    from = to;
  }
}

/** @param {Extract<Step, {do: 'huge'}>} step */
async function writeHuge(step) {
  await write('{"type":"huge","text":"');
  const piece = 'x'.repeat(1024 * 1024);
  for (let left = step.bytes; left > 0; left -= piece.length) await write(piece.slice(0, left));
  await write(step.newline === false ? '"}' : '"}\n');
}

/** @param {Extract<Step, {do: 'stderr'}>} step */
async function writeStderr(step) {
  const piece = step.text ?? `${'stderr noise '.repeat(80)}\n`;
  const bytes = step.bytes ?? Buffer.byteLength(piece);
  for (let left = bytes; left > 0; left -= Buffer.byteLength(piece)) {
    await new Promise(resolve => process.stderr.write(piece, resolve));
  }
}

/** @param {Extract<Step, {do: 'shell'}>} step */
async function startShell(step) {
  const shell = spawn('/bin/sh', ['-c', step.command], {
    detached: step.detached === true,
    stdio: ['ignore', step.holdStdout === true ? 'inherit' : 'ignore', 'ignore'],
  });
  shell.unref();
  await emit({ type: 'fake_shell', pid: shell.pid });
}

/** @param {Step} step */
async function perform(step) {
  switch (step.do) {
    case 'line':
      return emit(step.value);
    case 'repeat': {
      const lines = `${JSON.stringify(step.value)}\n`.repeat(Math.min(step.count, 500));
      for (let left = step.count; left > 0; left -= 500) {
        await write(left >= 500 ? lines : `${JSON.stringify(step.value)}\n`.repeat(left));
      }
      return;
    }
    case 'raw':
      return writeRaw(step);
    case 'huge':
      return writeHuge(step);
    case 'stderr':
      return writeStderr(step);
    case 'wait':
      return new Promise(resolve => setTimeout(resolve, step.ms));
    case 'touch':
      return writeFileSync(step.file, '');
    case 'waitForFile':
      while (!existsSync(step.file)) await new Promise(resolve => setTimeout(resolve, 5));
      return;
    case 'waitFor':
      return whenReceived(
        line => line.type === step.type && (step.subtype === undefined || line.request?.subtype === step.subtype),
      );
    case 'ask': {
      const request = { subtype: 'can_use_tool', tool_name: step.tool, input: step.input, tool_use_id: randomUUID() };
      await emit({ type: 'control_request', request_id: step.requestId, request });
      return whenReceived(line => line.type === 'control_response' && line.response?.request_id === step.requestId);
    }
    case 'shell':
      return startShell(step);
    case 'closeStdout':
      return closeSync(1);
    case 'closeStdin':
      process.stdin.pause();
      return closeSync(0);
    case 'pauseStdin':
      return process.stdin.pause();
    case 'resumeStdin':
      return process.stdin.resume();
    case 'exit':
      return process.exit(step.code);
    case 'kill':
      return process.kill(process.pid, step.signal);
  }
}

for (const step of script.steps ?? []) await perform(step);
