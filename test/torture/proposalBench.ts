import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PresentFile } from '../../src/session/proposal/presentFile.ts';
import { BOM, absentFile, decodeFile } from '../../src/session/proposal/presentFile.ts';
import { cliEnvironment, cliPath, makeHome, makeWorkspace } from '../support/cli/realCli.ts';
import type { PermissionAnswer, PermissionAsk } from '../support/cli/realCliDriver.ts';
import { RealCliDriver } from '../support/cli/realCliDriver.ts';
import { say, tool } from '../support/model/script.ts';
import { ScriptedModel } from '../support/model/scriptedModel.ts';

/** A tool call of the model on a file that is there before, or not. */
export interface BenchCall {
  readonly tool: 'Write' | 'Edit' | 'NotebookEdit';
  /** Without the path, which the bench gives. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer | undefined;
  readonly extension?: string;
  /** NotebookEdit wants the file read before. */
  readonly readFirst?: boolean;
  /** Answers the question; without it the call is allowed as asked. */
  readonly onAsk?: (ask: PermissionAsk, path: string) => PermissionAnswer;
}

export interface BenchResult {
  readonly path: string;
  /** The file afterwards; undefined: there is none. */
  readonly bytes: Buffer | undefined;
  /** What the CLI asked, if it did. */
  readonly asked: PermissionAsk | undefined;
  /** The tool's error, if it failed or was denied. */
  readonly error: string | undefined;
}

/** The real CLI with a scripted model, for trying many calls in one conversation. */
export class ProposalBench {
  readonly #cli: RealCliDriver;
  readonly #model: ScriptedModel;
  readonly #folder: string;
  readonly #answers = new Map<string, BenchCall>();
  readonly #asked = new Map<string, PermissionAsk>();
  readonly #ends: (() => Promise<unknown>)[];
  #count = 0;

  private constructor(
    executable: string,
    model: ScriptedModel,
    folder: string,
    home: string,
    ends: (() => Promise<unknown>)[],
  ) {
    this.#model = model;
    this.#folder = folder;
    this.#cli = new RealCliDriver({
      executable,
      cwd: folder,
      environment: cliEnvironment({ model, home }),
      extraArguments: ['--permission-mode=default'],
      onAsk: ask => this.#answer(ask),
    });
    this.#ends = [() => this.#cli.dispose(), ...ends];
  }

  static async open(): Promise<ProposalBench> {
    const [executable, model, home, folder] = await Promise.all([
      cliPath(),
      new ScriptedModel({ remember: 4 }).start(),
      makeHome(),
      makeWorkspace(),
    ]);
    const ends = [() => model.stop(), () => home.dispose(), () => folder.dispose()];
    return new ProposalBench(executable, model, folder.path, home.path, ends);
  }

  /** Makes all calls in one answer of the model and tells how each went. */
  async run(calls: readonly BenchCall[]): Promise<BenchResult[]> {
    const placed = await Promise.all(calls.map(call => this.#place(call)));
    const reads = placed.filter(({ call }) => call.readFirst === true);
    if (reads.length > 0) this.#model.enqueue(reads.map(({ path }) => tool('Read', { file_path: path })));
    const named = placed.map(({ call, path, id }) => {
      const where = call.tool === 'NotebookEdit' ? { notebook_path: path } : { file_path: path };
      return tool(call.tool, { ...where, ...call.input }, id);
    });
    this.#model.enqueue(named, say('done'));
    const from = this.#cli.frames.length;
    await this.#cli.turn('go', 60_000);
    const errors = errorsIn(this.#cli.frames.slice(from));
    return placed.map(({ path, id }) => ({
      path,
      bytes: bytesOf(path),
      asked: this.#asked.get(path),
      error: errors.get(id),
    }));
  }

  async dispose(): Promise<void> {
    for (const end of this.#ends) await end();
  }

  async #place(call: BenchCall): Promise<{ readonly call: BenchCall; readonly path: string; readonly id: string }> {
    this.#count += 1;
    const number = this.#count;
    const path = join(this.#folder, `d${number % 50}`, `f${number}.${call.extension ?? 'md'}`);
    await mkdir(dirname(path), { recursive: true });
    if (call.bytes !== undefined) await writeFile(path, call.bytes);
    this.#answers.set(path, call);
    return { call, path, id: `toolu_${number}` };
  }

  #answer(ask: PermissionAsk): PermissionAnswer {
    const path = String(ask.input['file_path'] ?? ask.input['notebook_path']);
    this.#asked.set(path, ask);
    const allow = { behavior: 'allow', updatedInput: ask.input };
    return this.#answers.get(path)?.onAsk?.(ask, path) ?? allow;
  }
}

/** The file as our host reads it. */
export function present(path: string): PresentFile {
  const bytes = bytesOf(path);
  return bytes === undefined ? absentFile() : decodeFile(bytes);
}

/** A text as a proposal means it, in bytes. */
export function encoded(text: string, { encoding, bom }: { readonly encoding: string; readonly bom: boolean }): Buffer {
  const marked = (bom ? BOM : '') + text;
  return Buffer.from(marked, encoding === 'utf16le' ? 'utf16le' : 'utf8');
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function errorsIn(frames: RealCliDriver['frames']): Map<string, string> {
  const errors = new Map<string, string>();
  for (const frame of frames) {
    if (frame['type'] !== 'user') continue;
    const message = fields(frame['message']);
    const blocks: unknown[] = Array.isArray(message['content']) ? message['content'] : [];
    for (const block of blocks.map(fields)) {
      if (block['type'] !== 'tool_result' || block['is_error'] !== true) continue;
      errors.set(String(block['tool_use_id']), JSON.stringify(block['content']));
    }
  }
  return errors;
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
