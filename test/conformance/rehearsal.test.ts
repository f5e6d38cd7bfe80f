import { access, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cliEnvironment, cliPath, makeHome, makeWorkspace } from '../support/cli/realCli.ts';
import type { TempFolder } from '../support/cli/realCli.ts';
import { RealCliDriver } from '../support/cli/realCliDriver.ts';
import type { PermissionAnswer, PermissionAsk, RawFrame } from '../support/cli/realCliDriver.ts';
import { startRehearsal } from '../support/model/rehearsal.ts';
import type { Rehearsal } from '../support/model/rehearsal.ts';

/** The whole of `npm start`'s rehearsal, flow by flow, through the real CLI in a real folder. */

/** The workspace that `npm start` opens. */
const sample = join(import.meta.dirname, '../run/sample');

interface Scene {
  readonly cli: RealCliDriver;
  readonly folder: string;
  readonly home: string;
  readonly environment: Record<string, string>;
}

const allow = (ask: PermissionAsk): PermissionAnswer => ({ behavior: 'allow', updatedInput: ask.input });
let executable = '';
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  executable = await cliPath();
}, 300_000);

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface OpenOptions {
  readonly onAsk?: (ask: PermissionAsk) => PermissionAnswer;
  readonly arguments?: readonly string[];
  readonly extra?: Readonly<Record<string, string>>;
}

async function own(folder: Promise<TempFolder>): Promise<string> {
  const made = await folder;
  ends.push(() => made.dispose());
  return made.path;
}

async function copyOfSample(): Promise<string> {
  const folder = await own(makeWorkspace());
  await cp(sample, folder, { recursive: true });
  return folder;
}

async function rehearse(deltaMs = 0): Promise<Rehearsal> {
  const rehearsal = await startRehearsal({ deltaMs });
  ends.push(() => rehearsal.stop());
  return rehearsal;
}

async function open(options: OpenOptions = {}): Promise<Scene> {
  const folder = await copyOfSample();
  const home = await own(makeHome());
  const environment = cliEnvironment({ model: await rehearse(), home, extra: options.extra ?? {} });
  return { cli: start(folder, environment, options), folder, home, environment };
}

function start(folder: string, environment: Record<string, string>, options: OpenOptions = {}): RealCliDriver {
  const cli = new RealCliDriver({
    executable,
    cwd: folder,
    environment,
    extraArguments: ['--permission-mode=default', ...(options.arguments ?? [])],
    onAsk: options.onAsk ?? allow,
  });
  ends.push(() => cli.dispose());
  return cli;
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function ofType(cli: RealCliDriver, type: string, subtype?: string): RawFrame[] {
  return cli.frames.filter(frame => frame['type'] === type && (subtype === undefined || frame['subtype'] === subtype));
}

function asked(cli: RealCliDriver): string[] {
  return cli.asks.map(ask => ask.tool);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('answers', () => {
  it('tells a newcomer that it is a rehearsal and what to type', async () => {
    const { cli } = await open();
    const result = await cli.turn('hello');
    expect(result).toMatchObject({ subtype: 'success', is_error: false });
    expect(result['result']).toContain('This is a **rehearsal**');
    expect(result['result']).toContain('| **subagent** |');
    expect(asked(cli)).toEqual([]);
  });

  it('shows all of markdown', async () => {
    const { cli } = await open();
    const { result } = await cli.turn('show me markdown');
    for (const piece of ['# A plain answer', '| Attempt |', '- [x] ', '```ts', 'src/client.ts:11', '[^1]:']) {
      expect(result).toContain(piece);
    }
  });

  it('thinks before it answers', async () => {
    const { cli } = await open();
    await cli.turn('think');
    const blocks = ofType(cli, 'assistant').map(frame => JSON.stringify(fields(frame['message'])['content']));
    expect(blocks[0]).toContain('"type":"thinking"');
    expect(blocks.at(-1)).toContain('five attempts');
  });

  it('has a long answer that Stop ends in the middle, and goes on with the next prompt', async () => {
    const folder = await copyOfSample();
    const home = await own(makeHome());
    const cli = start(folder, cliEnvironment({ model: await rehearse(2), home }));
    cli.prompt('a long one, please');
    await cli.waitFor(
      frame => frame['type'] === 'stream_event' && JSON.stringify(frame).includes('content_block_delta'),
    );
    cli.send({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } });
    const stopped = await cli.waitFor(frame => frame['type'] === 'result');
    expect(stopped).toMatchObject({ terminal_reason: 'aborted_streaming' });
    expect((await cli.turn('think'))['result']).toContain('five attempts');
  });
});

describe('files', () => {
  it('edits a file in two steps after reading it', async () => {
    const { cli, folder } = await open();
    const result = await cli.turn('edit the client');
    expect(asked(cli)).toEqual(['Edit', 'Edit']);
    const text = await readFile(join(folder, 'src/client.ts'), 'utf8');
    expect(text).toContain('for (let attempt = 1; ; attempt += 1) {');
    expect(text).toContain('if (attempt >= maxAttempts) throw error;');
    expect(result['result']).toContain('changed in 2 places');
  });

  it('edits the file that the person names, and again after that', async () => {
    const { cli, folder } = await open();
    await cli.turn('edit README.md');
    await cli.turn('edit README.md');
    const text = await readFile(join(folder, 'README.md'), 'utf8');
    expect(text.split('A remark from the rehearsal')).toHaveLength(3);
  });

  it('says so when the file to edit is not there', async () => {
    const { cli } = await open();
    const { result } = await cli.turn('edit src/missing.ts');
    expect(result).toContain('The tool Read reported a problem');
  });

  it('rewrites a file in several hunks', async () => {
    const { cli, folder } = await open();
    await cli.turn('rewrite');
    expect(asked(cli)).toEqual(['Write']);
    const patches = ofType(cli, 'user').map(frame => fields(frame['tool_use_result'])['structuredPatch']);
    const hunks = patches.map(patch => (Array.isArray(patch) ? patch.length : 0));
    expect(Math.max(...hunks)).toBeGreaterThanOrEqual(3);
    const text = await readFile(join(folder, 'src/client.ts'), 'utf8');
    expect(text).toMatch(/^\/\/ Rewritten in rehearsal/);
    expect(text).toContain('maxAttempts');
    expect(text).toMatch(/End of the rewritten file\.\n$/);
  });

  it('creates a file, and another when the name is taken in a later session', async () => {
    const { cli, folder, environment } = await open();
    await cli.turn('create a new file');
    expect(await readFile(join(folder, 'src/backoff.ts'), 'utf8')).toContain('export function backoff');
    const later = start(folder, environment);
    const result = await later.turn('create');
    expect(result['result']).toContain('src/backoff2.ts');
    expect(await exists(join(folder, 'src/backoff2.ts'))).toBe(true);
  });

  it('quotes what the person changed in a proposal', async () => {
    const { cli, folder } = await open({
      onAsk: ask => ({ behavior: 'allow', updatedInput: { ...ask.input, content: 'export const mine = true;\n' } }),
    });
    const note = 'The user edited the proposal before accepting it:\n+export const mine = true;';
    cli.send({
      type: 'control_request',
      request_id: 'init',
      request: { subtype: 'initialize', hooks: { PostToolUse: [{ matcher: 'Write', hookCallbackIds: ['note'] }] } },
    });
    cli.prompt('create');
    const hook = await cli.waitFor(frame => fields(frame['request'])['subtype'] === 'hook_callback');
    const output = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } };
    cli.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: hook['request_id'], response: output },
    });
    await cli.waitFor(frame => frame['type'] === 'result');
    const said = ofType(cli, 'assistant').map(frame => JSON.stringify(frame['message']));
    expect(said.join('\n')).toContain('I see what you changed:\\n\\n```\\nThe user edited the proposal');
    expect(said.join('\n')).toContain('\\n+export const mine = true;\\n```');
    expect(await readFile(join(folder, 'src/backoff.ts'), 'utf8')).toBe('export const mine = true;\n');
  });

  it('takes a refusal politely, with the reason, and does not try again', async () => {
    const { cli, folder } = await open({ onAsk: () => ({ behavior: 'deny', message: 'use another name' }) });
    const { result } = await cli.turn('create a file');
    expect(result).toContain('You said no: use another name');
    expect(asked(cli)).toEqual(['Write']);
    expect(await exists(join(folder, 'src/backoff.ts'))).toBe(false);
  });
});

describe('commands', () => {
  it('runs the tests of the sample, which fail before the edit and pass after it', async () => {
    const { cli } = await open();
    const before = await cli.turn('run the tests');
    expect(cli.asks.map(ask => ask.input['command'])).toEqual(['npm test']);
    expect(before['result']).toContain('The command failed');
    await cli.turn('fix the client');
    const after = await cli.turn('run the tests');
    expect(after['result']).toContain('The command has run');
    expect(after['result']).toMatch(/pass 2\b/);
  });

  it('runs the command that the person puts in backticks', async () => {
    const { cli, folder } = await open();
    await cli.turn('run `mkdir notes`');
    expect(asked(cli)).toEqual(['Bash']);
    expect(await exists(join(folder, 'notes'))).toBe(true);
  });

  it('tells when a command fails', async () => {
    const { cli } = await open();
    expect((await cli.turn('run `node -e "process.exit(3)"`'))['result']).toContain('The command failed');
  });

  it('makes a very large output', async () => {
    const { cli } = await open();
    const { result } = await cli.turn('big');
    expect(asked(cli)).toEqual(['Bash']);
    expect(result).toContain('a lot of output');
    expect(JSON.stringify(ofType(cli, 'user'))).toContain('persistedOutputPath');
  });
});

describe('plans, questions, subagents, tasks', () => {
  it('plans, asks for approval and carries the plan out; a second plan works too', async () => {
    const { cli, folder } = await open();
    const { result } = await cli.turn('make a plan');
    expect(asked(cli)).toEqual(['ExitPlanMode', 'Edit', 'Edit']);
    expect(cli.asks[0]?.input['plan']).toContain('retry loop a limit');
    expect(result).toContain('changed in 2 places');
    expect(await readFile(join(folder, 'src/client.ts'), 'utf8')).toContain('maxAttempts');
    await cli.turn('another plan');
    expect(asked(cli).slice(3)).toEqual(['ExitPlanMode', 'Edit']);
  });

  it('plans when plan mode was chosen by hand, and stays there when the plan is refused', async () => {
    const { cli } = await open({
      arguments: ['--permission-mode=plan'],
      onAsk: () => ({ behavior: 'deny', message: 'fewer steps' }),
    });
    const { result } = await cli.turn('plan it');
    expect(asked(cli)).toEqual(['ExitPlanMode']);
    expect(result).toContain('You said no: fewer steps');
    const again = await cli.turn('plan it again');
    expect(asked(cli)).toEqual(['ExitPlanMode', 'ExitPlanMode']);
    expect(again['result']).toContain('stay in plan mode');
  });

  it('asks two questions and quotes the answers', async () => {
    const answers = {
      'How many attempts are enough?': 'Five',
      'Which failures should be retried?': 'Time-outs, Rate limits',
    };
    const { cli } = await open({
      onAsk: ask => ({ behavior: 'allow', updatedInput: { ...ask.input, answers } }),
    });
    const { result } = await cli.turn('ask me a question');
    expect(asked(cli)).toEqual(['AskUserQuestion']);
    expect(result).toContain('"Time-outs, Rate limits"');
    expect(result).toContain('"Five"');
  });

  it('sends a subagent that reads two files and reports', async () => {
    const { cli } = await open();
    const { result } = await cli.turn('use a subagent');
    expect(result).toContain('The subagent has reported');
    const nested = ofType(cli, 'assistant').filter(frame => frame['parent_tool_use_id'] !== null);
    expect(JSON.stringify(nested)).toContain('README.md');
    expect(JSON.stringify(nested)).toContain('client.ts');
    expect(ofType(cli, 'system', 'task_notification')).toHaveLength(1);
  });

  it('lets a subagent work in the background and tells when it has ended', async () => {
    const { cli } = await open();
    const first = await cli.turn('background agent');
    expect(first['result']).toContain('in the background');
    const second = await cli.waitFor(frame => frame['type'] === 'result');
    expect(second['result']).toContain('A background task has ended');
  });

  it('calls several tools in one answer and tells how each went', async () => {
    const { cli, folder } = await open({
      onAsk: ask => (ask.tool === 'Bash' ? { behavior: 'deny', message: 'no folders' } : allow(ask)),
    });
    const { result } = await cli.turn('parallel');
    expect(asked(cli)).toEqual(['Bash', 'Write']);
    expect(result).toContain('- Bash: denied');
    expect(result).toContain('- Write: done');
    expect(await exists(join(folder, 'notes/rehearsal.md'))).toBe(true);
  });

  it('works through a task list where the CLI has task tools, and writes it out where not', async () => {
    const plain = await open();
    expect((await plain.cli.turn('todo'))['result']).toContain('- [ ] Limit the retries');
    const { cli } = await open({ arguments: ['--allowedTools=TaskCreate'] });
    expect((await cli.turn('todo'))['result']).toContain('All tasks are done.');
    const moves = ofType(cli, 'user').map(frame => fields(fields(frame['tool_use_result'])['statusChange'])['to']);
    expect(moves.filter(to => to === 'completed')).toHaveLength(3);
  });
});

describe('beside the conversation', () => {
  it('notices what the person writes while a tool runs', async () => {
    const { cli } = await open({
      onAsk: ask => {
        cli.prompt('and be quick');
        return allow(ask);
      },
    });
    await cli.turn('run `mkdir notes`');
    const said = JSON.stringify(ofType(cli, 'assistant').map(frame => frame['message']));
    expect(said).toContain('You also wrote:\\n\\n> and be quick');
  });

  it('notices an attached image', async () => {
    const { cli } = await open();
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const content = [image, { type: 'text', text: 'think about this' }];
    cli.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
    await cli.waitFor(frame => frame['type'] === 'result');
    const said = JSON.stringify(ofType(cli, 'assistant').map(frame => frame['message']));
    expect(said).toContain('You attached an image');
  });

  it('answers titles, side questions and compaction', async () => {
    const { cli } = await open();
    await cli.turn('hello');
    const ask = async (id: string, request: RawFrame) => {
      cli.send({ type: 'control_request', request_id: id, request });
      const frame = await cli.waitFor(
        candidate => candidate['type'] === 'control_response' && fields(candidate['response'])['request_id'] === id,
      );
      return fields(fields(frame['response'])['response']);
    };
    const title = await ask('title', { subtype: 'generate_session_title', description: 'fix the loop' });
    expect(title['title']).toBe('Rehearsal: fix the loop');
    const side = await ask('side', { subtype: 'side_question', question: 'why?' });
    expect(side['response']).toContain('a side question');
    await cli.turn('/compact');
    expect(ofType(cli, 'system', 'compact_boundary')).toHaveLength(1);
    expect((await cli.turn('think'))['result']).toContain('five attempts');
  });
});

describe('failures and sessions', () => {
  it('fails twice and recovers', async () => {
    const { cli } = await open();
    const { result } = await cli.turn('error');
    expect(result).toContain('Recovered');
    expect(ofType(cli, 'system', 'api_retry')).toHaveLength(2);
  });

  it('breaks off a stream and comes again whole', async () => {
    const { cli } = await open();
    expect((await cli.turn('error cut'))['result']).toContain('Recovered');
    expect(ofType(cli, 'system', 'api_retry')).toHaveLength(1);
  });

  it('ends with an error that stays', async () => {
    const { cli } = await open();
    const result = await cli.turn('error 403');
    expect(result).toMatchObject({ is_error: true, terminal_reason: 'api_error' });
  });

  it('goes on after a resume and a restart of the rehearsal, from the conversation alone', async () => {
    const { cli, folder, home } = await open();
    const first = await cli.turn('edit the client');
    await cli.dispose();
    const environment = cliEnvironment({ model: await rehearse(), home });
    const resumed = start(folder, environment, { arguments: [`--resume=${String(first['session_id'])}`] });
    const second = await resumed.turn('edit it again');
    expect(second).toMatchObject({ session_id: first['session_id'], is_error: false });
    expect(second['result']).toContain('changed in one place');
  });
});
