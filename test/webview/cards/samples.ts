import type { FormField } from '../../../src/bridge/formField.ts';
import type { ToolCard } from '../../../src/bridge/toolCard.ts';
import type { AskView, ToolView, ViewItem } from '../../../src/bridge/viewItem.ts';

/** A one-pixel PNG. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export type CardOf<Type extends ToolCard['type']> = Extract<ToolCard, { readonly type: Type }>;

/** One card of each kind with `text` wherever text of the conversation goes. */
export function everyCard(text: string): readonly ToolCard[] {
  const cut = { text, omitted: 10 };
  const file = { label: text, path: text, line: 3, endLine: 9 };
  return [
    {
      type: 'edit',
      file,
      created: false,
      added: 1,
      removed: 1,
      omittedLines: 2,
      hunks: [
        {
          line: 3,
          lines: [
            { type: 'context', oldLine: 3, newLine: 3, text },
            { type: 'removed', oldLine: 4, text },
            { type: 'added', newLine: 4, text },
          ],
        },
        { line: 30, lines: [{ type: 'added', newLine: 30, text }] },
      ],
    },
    { type: 'shell', command: text, description: text, output: cut, errorOutput: cut, exitCode: 1, background: false },
    { type: 'read', file, lines: 7 },
    { type: 'read', file, image: text },
    { type: 'search', query: text, where: text, matches: 2, files: [file], output: cut },
    { type: 'step', change: 'written', text, entries: [{ text, state: 'inProgress' }] },
    {
      type: 'agent',
      description: text,
      agentType: text,
      prompt: cut,
      result: text,
      taskId: 'task',
      toolUses: 3,
      tokens: 4_200,
      lastTool: text,
      background: false,
    },
    { type: 'web', title: text, url: text, links: [{ title: text, url: text }], output: cut },
    { type: 'plan', markdown: text, edited: false },
    {
      type: 'question',
      questions: [question(text)],
      answers: Object.fromEntries([[text, text]]),
    },
    { type: 'mcp', server: text, tool: text, input: cut, output: cut, images: [text, pixel] },
    {
      type: 'elicitation',
      server: text,
      message: text,
      fields: [
        formField({ key: text, title: text, description: text, preset: text }),
        formField({ key: 'choice', title: text, kind: 'choice', choices: [{ value: text, label: text }] }),
        formField({
          key: 'choices',
          title: text,
          kind: 'choices',
          preset: [],
          choices: [{ value: text, label: text }],
        }),
        formField({ key: 'yesNo', title: text, description: text, kind: 'yesNo', preset: false }),
      ],
    },
    { type: 'elicitation', server: text, message: text, fields: [], page: { href: text, host: text } },
    { type: 'other', summary: text, input: cut, output: cut },
  ];
}

function question(text: string): CardOf<'question'>['questions'][number] {
  return {
    question: text,
    header: text,
    multiSelect: false,
    options: [
      { label: text, description: text, preview: text },
      { label: 'plain', description: '' },
    ],
  };
}

function formField(field: Partial<FormField> & Pick<FormField, 'key' | 'title'>): FormField {
  return { description: '', required: false, kind: 'text', choices: [], preset: '', ...field };
}

/** One ask of each kind with `text` wherever text of the conversation goes. */
export function everyAsk(text: string): readonly { readonly card: ToolCard; readonly ask: AskView }[] {
  const ask: AskView = {
    askId: 'ask',
    kind: 'permission',
    title: text,
    description: text,
    reason: { text, usual: false },
    oneClick: true,
    suggestAllow: true,
    hasDiff: false,
    always: [{ index: 0, label: text, where: text }],
    cwd: text,
    fromSubagent: true,
  };
  const cards = everyCard(text);
  const card = (type: ToolCard['type']): ToolCard => cards.find(one => one.type === type) ?? sampleCard;
  return [
    { card: card('edit'), ask: { ...ask, hasDiff: true } },
    { card: card('shell'), ask: { ...ask, editable: { field: 'command', value: text } } },
    { card: card('mcp'), ask: { ...ask, editable: { field: 'json', value: text } } },
    { card: card('web'), ask },
    { card: card('question'), ask: { ...ask, kind: 'question', oneClick: false } },
    { card: card('plan'), ask: { ...ask, kind: 'plan', oneClick: false } },
    ...cards
      .filter(one => one.type === 'elicitation')
      .map(one => ({
        card: one,
        ask: { ...ask, askId: one.page ? 'page' : 'form', kind: 'elicitation', oneClick: false } as const,
      })),
  ];
}

const sampleCard: ToolCard = { type: 'other', input: { text: '{}', omitted: 0 } };

let nextId = 1;

export function tool(name: string, card: ToolCard, more: Partial<ToolView> = {}): ToolView {
  return { kind: 'tool', id: `tool-${nextId++}`, at: 0, name, status: 'done', durationMs: 1_400, card, ...more };
}

export const edit: CardOf<'edit'> = {
  type: 'edit',
  file: { label: 'src/client.ts', path: '/project/src/client.ts', line: 12 },
  created: false,
  added: 3,
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
        {
          type: 'context',
          oldLine: 41,
          newLine: 42,
          text: 'export async function request(url: string, options: Options) {',
        },
        { type: 'removed', oldLine: 42, text: '  while (true) {' },
        { type: 'added', newLine: 43, text: '  const { maxTries = 5 } = options;' },
        { type: 'added', newLine: 44, text: '  for (let tries = 0; tries < maxTries; tries++) {' },
      ],
    },
  ],
};

export const ask: AskView = {
  askId: 'ask-1',
  kind: 'permission',
  title: 'Edit src/client.ts',
  reason: { text: 'This mode asks before such a step.', usual: true },
  oneClick: true,
  suggestAllow: true,
  hasDiff: true,
  always: [
    { index: 0, label: 'Switch to the mode “Accept edits”', where: 'in this session' },
    { index: 1, label: 'Always allow Edit(src/**)', where: 'in this project, for me' },
  ],
  fromSubagent: false,
};

export const shellAsk: AskView = {
  ...ask,
  askId: 'ask-shell',
  title: 'Run a command',
  description: 'Runs the tests of the client',
  hasDiff: false,
  suggestAllow: false,
  cwd: '/project',
  editable: { field: 'command', value: 'npm test -- client' },
};

export const jsonAsk: AskView = {
  ...ask,
  askId: 'ask-json',
  title: 'Create an issue in the tracker',
  hasDiff: false,
  always: [],
  editable: { field: 'json', value: '{\n  "title": "Retries never end",\n  "labels": ["bug"]\n}' },
};

export const shell: CardOf<'shell'> = { type: 'shell', command: 'npm test -- client', background: false };

export const mcp: CardOf<'mcp'> = {
  type: 'mcp',
  server: 'tracker',
  tool: 'create_issue',
  input: { text: '{\n  "title": "Retries never end",\n  "labels": ["bug"]\n}', omitted: 0 },
  images: [],
};

export const questions: CardOf<'question'> = {
  type: 'question',
  answers: {},
  questions: [
    {
      question: 'Which error should the caller see?',
      header: 'Error',
      multiSelect: false,
      options: [
        { label: 'The last one', description: 'What the final try failed with', preview: 'throw errors.at(-1);' },
        { label: 'All of them', description: 'An AggregateError with one entry per try' },
      ],
    },
    {
      question: 'Where does it need a test?',
      header: 'Tests',
      multiSelect: true,
      options: [
        { label: 'Unit', description: '' },
        { label: 'End to end', description: 'Against a server that fails' },
      ],
    },
  ],
};

export const questionAsk: AskView = {
  askId: 'ask-question',
  kind: 'question',
  title: 'Question',
  oneClick: false,
  suggestAllow: true,
  hasDiff: false,
  always: [],
  fromSubagent: false,
};

export const plan: CardOf<'plan'> = {
  type: 'plan',
  markdown:
    '## Cap the retries\n\n1. Add `maxTries` to `src/client.ts:12`\n2. Throw the last error\n3. Test against a failing server',
  edited: false,
};

export const elicitation: CardOf<'elicitation'> = {
  type: 'elicitation',
  server: 'tracker',
  message: 'The issue needs a few more facts before it can be filed.',
  fields: [
    formField({ key: 'title', title: 'Title', required: true, least: 3 }),
    formField({ key: 'mail', title: 'Your address', description: 'Where answers go', format: 'email' }),
    formField({ key: 'weight', title: 'Weight', kind: 'integer', preset: '2', least: 1, most: 5 }),
    formField({
      key: 'team',
      title: 'Team',
      kind: 'choice',
      required: true,
      choices: [
        { value: 'ui', label: 'Interface' },
        { value: 'core', label: 'Core' },
      ],
    }),
    formField({
      key: 'labels',
      title: 'Labels',
      kind: 'choices',
      preset: ['bug'],
      choices: [
        { value: 'bug', label: 'Bug' },
        { value: 'docs', label: 'Docs' },
      ],
    }),
    formField({ key: 'watch', title: 'Watch the issue', kind: 'yesNo', preset: true }),
  ],
};

export const elicitationAsk: AskView = { ...questionAsk, askId: 'ask-form', kind: 'elicitation', title: 'tracker' };

export const elicitedPage: CardOf<'elicitation'> = {
  type: 'elicitation',
  server: 'tracker',
  message: 'Sign in to go on.',
  fields: [],
  page: { href: 'https://tracker.example.com/sign-in?for=handrail&session=4f1c2b', host: 'tracker.example.com' },
};

export const planAsk: AskView = { ...questionAsk, askId: 'ask-plan', kind: 'plan', title: 'Plan' };

const testOutput = [
  '\u001b[1m RUN \u001b[0m v4.1.12 /project',
  '',
  ' \u001b[32m✓\u001b[39m test/client.test.ts (12 tests) 84ms',
  ' \u001b[31m✗\u001b[39m test/queue.test.ts (3 tests) 12ms',
  '   at src/queue.ts:9:14',
  ...Array.from({ length: 30 }, (_, index) => `   line ${index + 1} of the report`),
].join('\n');

/** Every card as it looks in the middle of real work, for pictures. */
export function gallery(): readonly ViewItem[] {
  const now = Date.now();
  const cut = (text: string): { text: string; omitted: number } => ({ text, omitted: 0 });
  return [
    tool('Edit', edit),
    tool('Edit', edit, { answered: { decision: 'allowedWithChanges' } }),
    tool('Write', {
      ...edit,
      created: true,
      file: { label: 'src/a very long folder name/with/many/parts/file.ts', path: '/a' },
    }),
    tool('Edit', edit, { status: 'failed', error: 'String to replace not found in file.\nString: while (true) {' }),
    tool('Edit', edit, {
      status: 'denied',
      answered: { decision: 'denied', note: 'Use the existing helper in src/retry.ts:3 instead' },
    }),
    tool(
      'Bash',
      { ...shell, description: 'Run the tests', output: cut(testOutput), exitCode: 1 },
      { status: 'failed' },
    ),
    tool('Bash', { ...shell, exitCode: 0 }),
    tool('Bash', shell, { status: 'running', startedAt: now - 12_000 }),
    tool('Bash', { ...shell, command: 'npm run watch', background: true }, { status: 'backgrounded' }),
    tool('Read', {
      type: 'read',
      file: { label: 'src/client.ts', path: '/project/src/client.ts', line: 1, endLine: 120 },
      lines: 120,
    }),
    tool('Read', {
      type: 'read',
      file: { label: 'docs/picture.png', path: '/project/docs/picture.png' },
      image: pixel,
    }),
    tool('Grep', {
      type: 'search',
      query: 'retry|again',
      where: 'src',
      matches: 7,
      files: [edit.file, { label: 'src/queue.ts', path: '/q', line: 9 }],
    }),
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
    tool(
      'Agent',
      {
        type: 'agent',
        description: 'Find every loop without a bound',
        agentType: 'Explore',
        prompt: cut('Look through src for loops that can run for ever.'),
        taskId: 't1',
        toolUses: 14,
        tokens: 23_400,
        lastTool: 'Grep',
        background: false,
      },
      { status: 'running', startedAt: now - 75_000 },
    ),
    tool('WebFetch', {
      type: 'web',
      title: 'https://example.org/retries',
      url: 'https://example.org/retries',
      links: [],
      output: cut('A page about retries.'),
    }),
    tool('WebSearch', {
      type: 'web',
      title: 'exponential backoff',
      links: [
        { title: 'Backoff explained', url: 'https://example.org/a' },
        { title: 'A bad link', url: 'command:x' },
      ],
    }),
    tool('ExitPlanMode', plan, { answered: { decision: 'allowed' } }),
    tool('AskUserQuestion', { ...questions, answers: { 'Which error should the caller see?': 'The last one' } }),
    tool('create_issue', { ...mcp, output: cut('{ "id": 7 }') }),
    tool('Elicitation', elicitation, { answered: { decision: 'submitted' } }),
    tool('Elicitation', elicitedPage, { status: 'denied', answered: { decision: 'declined' } }),
    tool('EnterPlanMode', { type: 'other', input: cut('{}'), output: cut('Entered plan mode.') }),
    tool('TaskUpdate', { type: 'step', change: 'done', text: 'Cap the retries', entries: [] }),
    tool(
      'Hologram',
      { type: 'other', input: cut('{\n  "size": 3,\n  "subject": "retries"\n}') },
      { status: 'running' },
    ),
    tool('Skill', {
      type: 'other',
      summary: 'release-notes',
      input: cut('{\n  "skill": "release-notes"\n}'),
      output: cut('Done.'),
    }),
  ];
}

function choosable(card: CardOf<'edit'>, states: readonly ('taken' | 'left' | 'changed')[]): CardOf<'edit'> {
  const hunks = card.hunks.map((hunk, index) => ({ ...hunk, state: states[index] ?? 'taken' }));
  return { ...card, hunks };
}

export function askGallery(): readonly ViewItem[] {
  return [
    tool('Edit', choosable(edit, ['taken', 'left']), {
      status: 'pending',
      ask: { ...ask, notes: [{ level: 'info', text: '1 of 2 hunks will be written.' }] },
    }),
    tool('Edit', choosable({ ...edit, hunks: edit.hunks.slice(1), added: 2 }, ['taken']), {
      status: 'pending',
      ask: { ...ask, askId: 'ask-one-hunk' },
    }),
    tool('Bash', shell, { status: 'pending', ask: shellAsk }),
    tool('create_issue', mcp, { status: 'pending', ask: jsonAsk }),
    tool('AskUserQuestion', questions, { status: 'pending', ask: questionAsk }),
    tool('ExitPlanMode', plan, { status: 'pending', ask: planAsk }),
    tool('Elicitation', elicitation, { status: 'pending', ask: elicitationAsk }),
    tool('Elicitation', elicitedPage, { status: 'pending', ask: { ...elicitationAsk, askId: 'ask-page' } }),
    tool(
      'Deploy',
      { type: 'other', input: { text: '{}', omitted: 0 } },
      {
        status: 'pending',
        ask: { ...jsonAsk, askId: 'ask-slow', oneClick: false, title: 'Deploy to production', suggestAllow: false },
      },
    ),
  ];
}
