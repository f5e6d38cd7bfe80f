import type {
  FileStat,
  SessionFileEntry,
  SessionFiles,
  SubagentEntry,
  TranscriptRef,
} from '../../../../src/session/store/sessionFiles.ts';

/** Transcripts in memory that count what is read of them. */
export class MemoryFiles implements SessionFiles {
  readonly #files = new Map<string, { bytes: Uint8Array; mtimeMs: number }>();
  readonly reads = new Map<string, number>();
  readonly agents: SubagentEntry[] = [];
  readonly links = new Map<string, string>();

  put(project: string, sessionId: string, content: string | readonly unknown[], mtimeMs = 1): TranscriptRef {
    const text = typeof content === 'string' ? content : content.map(line => `${JSON.stringify(line)}\n`).join('');
    this.#files.set(`${project}/${sessionId}`, { bytes: new TextEncoder().encode(text), mtimeMs });
    return { project, sessionId };
  }

  bytesRead(sessionId: string): number {
    return [...this.reads].reduce((sum, [key, bytes]) => (key.endsWith(`/${sessionId}`) ? sum + bytes : sum), 0);
  }

  listProjects(): Promise<readonly string[]> {
    return Promise.resolve([...new Set([...this.#files.keys()].map(key => key.split('/')[0] ?? ''))]);
  }

  listSessions(project: string): Promise<readonly SessionFileEntry[]> {
    const own = [...this.#files].filter(([key]) => key.startsWith(`${project}/`));
    return Promise.resolve(
      own.map(([key, file]) => ({
        name: key.slice(project.length + 1),
        size: file.bytes.length,
        mtimeMs: file.mtimeMs,
      })),
    );
  }

  listSubagents(): Promise<readonly SubagentEntry[]> {
    return Promise.resolve(this.agents);
  }

  stat(ref: TranscriptRef): Promise<FileStat | undefined> {
    const file = this.#files.get(keyOf(ref));
    return Promise.resolve(file && { size: file.bytes.length, mtimeMs: file.mtimeMs });
  }

  readRange(ref: TranscriptRef, start: number, end: number): Promise<Uint8Array> {
    const key = keyOf(ref);
    const bytes = this.#files.get(key)?.bytes.slice(start, end) ?? new Uint8Array(0);
    this.reads.set(key, (this.reads.get(key) ?? 0) + bytes.length);
    return Promise.resolve(bytes);
  }

  realPath(path: string): Promise<string> {
    return Promise.resolve(this.links.get(path) ?? path);
  }
}

function keyOf(ref: TranscriptRef): string {
  const session = `${ref.project}/${ref.sessionId}`;
  return ref.agentId === undefined ? session : `${session}/${ref.agentId}`;
}

export type Line = Readonly<Record<string, unknown>>;

/** Lines of a transcript, each the child of the one before unless it says otherwise. */
export class Writer {
  readonly lines: Line[] = [];
  #last: string | null = null;
  #count = 0;

  /** Adds a line of the tree and returns its uuid. */
  node(type: string, more: Line): string {
    const uuid = `u${this.#count++}`;
    this.lines.push({
      parentUuid: this.#last,
      isSidechain: false,
      type,
      uuid,
      timestamp: new Date(1_700_000_000_000 + this.#count * 1000).toISOString(),
      cwd: '/work',
      gitBranch: 'main',
      ...more,
    });
    this.#last = uuid;
    return uuid;
  }

  user(content: unknown, more: Line = {}): string {
    return this.node('user', { message: { role: 'user', content }, ...more });
  }

  assistant(messageId: string, content: readonly Line[], more: Line = {}): string {
    return this.node('assistant', { message: { id: messageId, role: 'assistant', model: 'm', content }, ...more });
  }

  say(messageId: string, text: string): string {
    return this.assistant(messageId, [{ type: 'text', text }]);
  }

  attachment(): string {
    return this.node('attachment', { attachment: { type: 'date' } });
  }

  /** A line beside the tree. */
  other(line: Line): this {
    this.lines.push(line);
    return this;
  }

  /** The next line follows that one. */
  backTo(uuid: string | null): this {
    this.#last = uuid;
    return this;
  }
}
