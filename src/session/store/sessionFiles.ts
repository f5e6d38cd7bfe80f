/** One transcript: a session's own, or that of a subagent inside it. */
export interface TranscriptRef {
  /** Name of the project's folder (see `projectKey`). */
  readonly project: string;
  readonly sessionId: string;
  readonly agentId?: string;
}

export interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
}

export interface SessionFileEntry extends FileStat {
  /** File name without its extension. */
  readonly name: string;
}

/**
 * Where transcripts lie. The store knows their form, this knows how to get at the bytes; nothing here interprets them.
 * What does not exist is `undefined` or empty; any other failure rejects.
 */
export interface SessionFiles {
  /** Folder names below `projects`. */
  listProjects(): Promise<readonly string[]>;
  /** The `.jsonl` files of a project. */
  listSessions(project: string): Promise<readonly SessionFileEntry[]>;
  /** Subagents of a session, with the tool use each was started by, where that is recorded. */
  listSubagents(session: TranscriptRef): Promise<readonly SubagentEntry[]>;
  stat(ref: TranscriptRef): Promise<FileStat | undefined>;
  /** Bytes from `start` (inclusive) to `end` (exclusive); fewer if the file ends before. */
  readRange(ref: TranscriptRef, start: number, end: number): Promise<Uint8Array>;
  /** The path without links, which is what project folders are named by. The path itself if it does not exist. */
  realPath(path: string): Promise<string>;
}

export interface SubagentEntry {
  readonly agentId: string;
  readonly toolUseId?: string;
  readonly agentType?: string;
  readonly description?: string;
}
