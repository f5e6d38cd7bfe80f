import { presentNotice } from '../../../src/host/chat/presentNotice.ts';
import { format } from '../../../src/bridge/strings.ts';
import type { Notice } from '../../../src/session/transcriptModel.ts';
import type { ChecklistView, ErrorCard, SessionView } from '../../../src/bridge/sessionView.ts';
import type { ToolCard } from '../../../src/bridge/toolCard.ts';
import type { AskView, ToolView, ViewItem } from '../../../src/bridge/viewItem.ts';
import { askGallery, gallery } from '../cards/samples.ts';
import type { FakeConversation } from './fakeHost.ts';

const start = Date.UTC(2025, 5, 2, 9, 30);

const idle: SessionView = {
  state: 'idle',
  title: 'Cap the retries',
  model: { value: 'sonnet', label: 'Sonnet' },
  models: [
    { value: 'default', label: 'Default', description: 'What the CLI takes by itself' },
    { value: 'opus', label: 'Opus', description: 'For long and hard tasks' },
    { value: 'sonnet', label: 'Sonnet', description: 'For everyday work' },
    { value: 'haiku', label: 'Haiku', description: 'Quick answers' },
  ],
  mode: 'default',
  modes: [
    { value: 'default', label: 'Ask first', description: 'Asks before edits and commands' },
    { value: 'acceptEdits', label: 'Accept edits', description: 'Edits files without asking' },
    { value: 'plan', label: 'Plan', description: 'Reads and plans, changes nothing' },
  ],
  effort: 'medium',
  efforts: [
    { value: 'low', label: 'Low' },
    { value: 'medium', label: 'Medium' },
    { value: 'high', label: 'High' },
  ],
  context: { usedTokens: 76_000, maxTokens: 200_000 },
  costUsd: 0.12,
  queue: [],
  tasks: [],
  commands: [
    { name: 'compact', description: 'Shorten the conversation', argumentHint: '[what to keep]' },
    { name: 'review', description: 'Review a pull request', argumentHint: '<number>' },
    { name: 'init', description: 'Write a CLAUDE.md for this project', argumentHint: '' },
  ],
  openAsks: [],
  recent: [],
};

export function conversation(name: string, count: number): FakeConversation {
  switch (name) {
    case 'empty':
      return { session: { ...idle, state: 'none', title: '', recent: recentSessions }, items: [] };
    case 'starting':
      return { session: { ...idle, state: 'starting', models: [], modes: [], efforts: [] }, items: [] };
    case 'error':
      return { session: { ...idle, state: 'stopped', error: brokenCli }, items: tour.slice(0, 3) };
    case 'long':
      return { session: idle, items: long(count) };
    case 'cards':
      return { session: { ...idle, checklist, tasks: busy.tasks }, items: [...tour, ...gallery(), ...noticeGallery()] };
    case 'asks':
      return { session: { ...idle, state: 'awaitingPermission' }, items: [prompt('Ask me.'), ...askGallery()] };
    case 'crash':
      return { session: { ...idle, state: 'stopped', error: crash }, items: tour.slice(0, 3) };
    case 'busy':
      return { session: busy, items: tour };
    default:
      return { session: idle, items: tour };
  }
}

const recentSessions = [
  { sessionId: 'a', title: 'Cap the retries in the client', at: start },
  { sessionId: 'b', title: 'Why is the build slow on Windows, and what would a cache change', at: start - 86_400_000 },
];

const brokenCli: ErrorCard = {
  title: 'The agent could not be started',
  message: 'No claude executable was found.',
  tried: ['handrail.claude.executable: not set', 'PATH: no claude in 9 folders', '~/.local/bin/claude: not there'],
  detail: 'spawn claude ENOENT',
  actions: [
    { action: 'openSettings', label: 'Open settings' },
    { action: 'retry', label: 'Try again' },
    { action: 'showLog', label: 'Show log' },
  ],
};

const crash: ErrorCard = {
  title: 'The agent has stopped',
  message: 'It ended with code 1. The conversation is kept; the turn it was in is not finished.',
  tried: [],
  detail: 'Error: spawn EMFILE\n    at ChildProcess.spawn (node:internal/child_process:413:11)',
  actions: [
    { action: 'continue', label: 'Continue' },
    { action: 'restart', label: 'Restart' },
    { action: 'showLog', label: 'Show log' },
  ],
};

const checklist: ChecklistView = {
  done: 2,
  total: 4,
  entries: [
    { text: 'Read the client', state: 'completed' },
    { text: 'Find the tests of the client and of the queue that it uses', state: 'completed' },
    { text: 'Cap the retries', state: 'inProgress' },
    { text: 'Add a test', state: 'pending' },
  ],
};

const busy: SessionView = {
  ...idle,
  checklist,
  state: 'working',
  turnStartedAt: Date.now() - 14_000,
  queue: [
    { id: 'q1', text: 'also update the changelog' },
    { id: 'q2', text: 'and tell me which of the other clients have the same loop, with a link to each of them' },
  ],
  tasks: [
    { taskId: 't1', description: 'npm run watch', status: 'running', startedAt: Date.now() - 75_000, stoppable: true },
  ],
  context: { usedTokens: 186_000, maxTokens: 200_000 },
};

let nextId = 1;
const base = (): { id: string; at: number } => ({ id: `i${nextId++}`, at: start + nextId * 1000 });

function prompt(text: string): ViewItem {
  return {
    ...base(),
    kind: 'prompt',
    text,
    attachments: [],
    state: 'completed',
    synthetic: false,
    rewindable: true,
  };
}

function said(text: string): ViewItem {
  return { ...base(), kind: 'text', text, streaming: false, aborted: false };
}

function thought(durationMs: number): ViewItem {
  return {
    ...base(),
    kind: 'thinking',
    text: 'The loop has no bound. A cap needs a place to be set.',
    streaming: false,
    redacted: false,
    durationMs,
  };
}

function tool(name: string, card: ToolCard, more: Partial<ToolView> = {}): ViewItem {
  return { ...base(), kind: 'tool', name, status: 'done', durationMs: 200, card, ...more };
}

function read(label: string): ViewItem {
  return tool('Read', { type: 'read', file: { label, path: `/project/${label}` }, lines: 120 });
}

const search: ToolCard = {
  type: 'search',
  query: 'retry',
  matches: 7,
  files: [
    { label: 'src/client.ts', path: '/project/src/client.ts', line: 42 },
    { label: 'src/queue.ts', path: '/project/src/queue.ts', line: 9 },
  ],
};

const edit: ToolCard = {
  type: 'edit',
  file: { label: 'src/client.ts', path: '/project/src/client.ts', line: 12 },
  created: false,
  added: 2,
  removed: 1,
  omittedLines: 0,
  hunks: [
    {
      line: 12,
      lines: [
        { type: 'context', oldLine: 12, newLine: 12, text: 'export interface Options {' },
        { type: 'added', newLine: 13, text: '  maxTries?: number;' },
      ],
    },
    {
      line: 42,
      lines: [
        { type: 'removed', oldLine: 42, text: '  while (true) {' },
        { type: 'added', newLine: 43, text: '  for (let i = 0; i < maxTries; i++) {' },
      ],
    },
  ],
};

const ask: AskView = {
  askId: 'ask1',
  kind: 'permission',
  title: 'Edit src/client.ts',
  reason: { text: 'Asked because edits are asked about in this mode.', usual: true },
  oneClick: true,
  suggestAllow: true,
  hasDiff: true,
  always: [{ index: 0, label: 'Edit in src/**', where: 'this project' }],
  fromSubagent: false,
};

const tour: readonly ViewItem[] = [
  prompt('The retry in client.ts never gives up. Cap it at five tries and add a test.'),
  said("I'll look at the client and its tests first."),
  read('src/client.ts'),
  read('src/queue.ts'),
  read('test/client.test.ts'),
  tool('Grep', search),
  thought(6000),
  said(
    'The loop in `src/client.ts:42` has no bound. I will add **maxTries** and a failing-server test.\n\n- a new option with a default of 5\n- the error of the last try is thrown\n\n```ts\nexport interface Options {\n  maxTries?: number;\n}\n```\n',
  ),
  tool('TodoWrite', {
    type: 'step',
    change: 'written',
    entries: [
      { text: 'Read the client', state: 'completed' },
      { text: 'Find the tests', state: 'completed' },
      { text: 'Cap the retries', state: 'inProgress' },
      { text: 'Add a test', state: 'pending' },
    ],
  }),
  {
    ...base(),
    kind: 'notice',
    level: 'warning',
    icon: 'sync',
    text: 'The service is busy. Trying again',
    until: Date.now() + 9_000,
    actions: [{ action: 'stop', label: 'Stop retrying' }],
    detail: '529 overloaded_error, try 3 of 10',
  },
  tool('Edit', edit, { status: 'pending', ask }),
  tool('Bash', { type: 'shell', command: 'npm test -- client', background: false }, { status: 'running' }),
  prompt('שלום, האם זה עובד? And what about the queue — does it have the same loop?'),
  said('Yes. The queue waits with a bound already.'),
];

const notices: readonly Notice[] = [
  { type: 'compacting' },
  { type: 'compacted', trigger: 'auto', preTokens: 181_000, postTokens: 24_000 },
  { type: 'compactFailed', message: 'not enough messages' },
  { type: 'compactSummary', text: 'The retries of the client are capped; the test is still to be written.' },
  { type: 'modelChanged', model: 'claude-opus-5-5' },
  { type: 'retrying', attempt: 3, maxRetries: 10, retryAt: Date.now() + 9_000, status: 529, error: 'overloaded' },
  { type: 'rateLimit', status: 'allowed_warning', resetsAt: start / 1000 },
  { type: 'rateLimit', status: 'rejected', resetsAt: start / 1000 },
  { type: 'informational', level: 'warning', text: 'CLAUDE.md is longer than 40,000 characters.' },
  { type: 'localCommand', command: '/context', output: 'Context: 76k of 200k tokens' },
  { type: 'refusal', text: 'The model declined to answer; the answer above is from another model.' },
  { type: 'permissionDenied', toolName: 'Bash', message: 'rm -rf is never allowed here' },
  { type: 'hook', name: 'PreToolUse:Bash', outcome: 'error', output: 'lint failed in src/client.ts' },
  { type: 'memory', paths: ['~/.claude/memory/style.md'] },
  { type: 'stopped' },
  { type: 'turnFailed', code: 'server_error', message: 'The service answered with an internal error.', status: 500 },
  { type: 'turnFailed', code: 'authentication_failed', message: 'Invalid API key.', status: 401 },
  { type: 'writesLost', code: 'ENOSPC' },
  { type: 'rewound', what: 'rewind', files: ['src/client.ts'], removed: ['src/new.ts'], undone: false },
  { type: 'rewound', what: 'rewind', files: ['src/client.ts'], removed: [], undone: true },
  { type: 'rewound', what: 'undo', files: ['src/client.ts'], removed: [], undone: false },
  { type: 'unknown', rawType: 'hologram', raw: { type: 'hologram', size: 3 } },
];

/** Each notice in the host's own words. */
function noticeGallery(): ViewItem[] {
  const t = (template: string, ...values: readonly (string | number | boolean)[]): string =>
    format(template, ...values.map(String));
  return notices.map(notice => presentNotice({ kind: 'notice', notice, ...base() }, t));
}

/** Turns of ten items, so that every kind of row is met at any length. */
function long(count: number): ViewItem[] {
  const items: ViewItem[] = [];
  for (let index = 0; items.length < count; index++) {
    const turn: ViewItem[] = [
      prompt(`Question ${index}: what does module ${index} do, and who calls it?`),
      said(`Let me look at module ${index}.`),
      read(`src/module${index}.ts`),
      read(`src/module${index}.test.ts`),
      said(`Module ${index} keeps the list of things.\n\n${'It is called from several places. '.repeat(index % 9)}`),
      tool('Edit', edit),
      thought(2000),
      said(`- one\n- two\n- three\n\nDone with ${index}.`),
      tool('Bash', { type: 'shell', command: `npm test -- module${index}`, background: false, exitCode: 0 }),
      said('All tests pass.'),
    ];
    items.push(...turn);
  }
  return items.slice(0, count);
}
