import { appendFile, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type {
  FileStat,
  SessionFileEntry,
  SessionFiles,
  SubagentEntry,
  TranscriptRef,
} from '../../session/store/sessionFiles.ts';

const EXTENSION = '.jsonl';
const AT_ONCE = 64;

export class UnsafeNameError extends Error {
  override readonly name = 'UnsafeNameError';
  readonly code = 'unsafeName';
}

/** Where the CLI keeps its files: `CLAUDE_CONFIG_DIR`, or `.claude` in the home folder. */
export function configFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const configured = environment['CLAUDE_CONFIG_DIR'];
  return configured === undefined || configured === '' ? join(homedir(), '.claude') : configured;
}

/** Transcripts in a folder of the CLI. Names that come from elsewhere never lead out of it. */
export class DiskSessionFiles implements SessionFiles {
  readonly #projects: string;

  constructor(folder: string = configFolder()) {
    this.#projects = join(folder, 'projects');
  }

  async listProjects(): Promise<readonly string[]> {
    const entries = await orNothing(readdir(this.#projects, { withFileTypes: true }));
    return (entries ?? []).filter(entry => entry.isDirectory()).map(entry => entry.name);
  }

  async listSessions(project: string): Promise<readonly SessionFileEntry[]> {
    const folder = join(this.#projects, safeName(project));
    const entries = (await orNothing(readdir(folder))) ?? [];
    const names = entries.filter(name => name.endsWith(EXTENSION));
    const found: SessionFileEntry[] = [];
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const group = names.slice(start, start + AT_ONCE).map(async name => {
        const known = await statFile(join(folder, name));
        return known && { name: name.slice(0, -EXTENSION.length), ...known };
      });
      for (const entry of await Promise.all(group)) if (entry) found.push(entry);
    }
    return found;
  }

  async listSubagents(session: TranscriptRef): Promise<readonly SubagentEntry[]> {
    const folder = join(this.#projects, safeName(session.project), safeName(session.sessionId), 'subagents');
    const names = (await orNothing(readdir(folder))) ?? [];
    const agents = names.filter(name => name.startsWith('agent-') && name.endsWith(EXTENSION));
    return Promise.all(
      agents.map(async name => {
        const agentId = name.slice('agent-'.length, -EXTENSION.length);
        const meta = await orNothing(readFile(join(folder, `agent-${agentId}.meta.json`), 'utf8'));
        return { agentId, ...readMeta(meta) };
      }),
    );
  }

  stat(ref: TranscriptRef): Promise<FileStat | undefined> {
    return statFile(this.path(ref));
  }

  async readRange(ref: TranscriptRef, start: number, end: number): Promise<Uint8Array> {
    if (end <= start) return new Uint8Array(0);
    const file = await orNothing(open(this.path(ref), 'r'));
    if (!file) return new Uint8Array(0);
    try {
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    } finally {
      await file.close();
    }
  }

  /**
   * Adds one line to a transcript, whole or not at all. Only for what the CLI itself adds beside a conversation (a title):
   * a process that has the session open goes on undisturbed.
   */
  async appendLine(ref: TranscriptRef, line: string): Promise<void> {
    const file = await open(this.path(ref), 'r+');
    try {
      const { size } = await file.stat();
      const last = new Uint8Array(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      const text = size > 0 && last[0] !== 0x0a ? `\n${line}\n` : `${line}\n`;
      await appendFile(this.path(ref), text);
    } finally {
      await file.close();
    }
  }

  /** Where the files beside a transcript lie: subagents, tool results. */
  besides(ref: TranscriptRef): string {
    return join(this.#projects, safeName(ref.project), safeName(ref.sessionId));
  }

  async realPath(path: string): Promise<string> {
    return (await orNothing(realpath(path))) ?? path;
  }

  /** Where a transcript lies. Throws `UnsafeNameError` for a name that is no plain name. */
  path(ref: TranscriptRef): string {
    const session = join(this.#projects, safeName(ref.project), safeName(ref.sessionId));
    if (ref.agentId === undefined) return `${session}${EXTENSION}`;
    return join(session, 'subagents', `agent-${safeName(ref.agentId)}${EXTENSION}`);
  }
}

function safeName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\:\0]/.test(name)) {
    throw new UnsafeNameError(`Not a plain name: ${JSON.stringify(name.slice(0, 100))}`);
  }
  return name;
}

async function statFile(path: string): Promise<FileStat | undefined> {
  const known = await orNothing(stat(path));
  return known?.isFile() === true ? { size: known.size, mtimeMs: known.mtimeMs } : undefined;
}

/** Missing files and folders are an answer; every other failure is one to be told. */
async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function readMeta(text: string | undefined): Omit<SubagentEntry, 'agentId'> {
  if (text === undefined) return {};
  const meta = parse(text);
  return {
    ...(typeof meta['toolUseId'] === 'string' ? { toolUseId: meta['toolUseId'] } : {}),
    ...(typeof meta['agentType'] === 'string' ? { agentType: meta['agentType'] } : {}),
    ...(typeof meta['description'] === 'string' ? { description: meta['description'] } : {}),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    // Written while we read: the transcript itself is what counts.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
