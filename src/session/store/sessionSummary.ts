import type { ContentBlock } from '../../protocol/contentBlock.ts';
import { readBlocks } from '../../protocol/contentBlock.ts';
import type { TranscriptLine } from '../../protocol/transcriptLine.ts';
import { decodeTranscriptLine, isTranscriptNode } from '../../protocol/transcriptLine.ts';
import { readUserText } from '../transcript/markers.ts';
import { readPartialObject } from '../transcript/partialJson.ts';
import { timeOf } from '../transcript/readFrames.ts';
import { isRecordedRequest } from './backwardLines.ts';
import { isToolResult } from './branchReader.ts';
import type { FileStat } from './sessionFiles.ts';

/** Why a session is not offered in a list. */
export type HiddenReason =
  /** A subagent's or a team member's conversation. */
  | 'sidechain'
  /** Made by a program through an SDK, not by a person. */
  | 'entrypoint'
  /** Nothing was said in it. */
  | 'empty';

export interface SessionSummary {
  readonly sessionId: string;
  readonly project: string;
  /** `''` only if hidden as empty. At most 200 characters. */
  readonly title: string;
  readonly titleSource: 'custom' | 'ai' | 'lastPrompt' | 'summary' | 'firstPrompt' | 'none';
  readonly firstPrompt?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly entrypoint?: string;
  readonly tag?: string;
  /** 0 when no line tells. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly size: number;
  readonly hiddenReason?: HiddenReason;
}

const MAX_TITLE = 200;
const PROGRAMS: ReadonlySet<string> = new Set(['sdk-ts', 'sdk-py', 'sdk-cli']);
const LF = 0x0a;

interface Facts {
  custom?: string;
  ai?: string;
  lastPrompt?: string;
  summary?: string;
  firstPrompt?: string;
  tag?: string;
  cwd?: string;
  branch?: string;
  entrypoint?: string;
  createdAt?: number;
  sidechain?: boolean;
}

/** What the beginning and the end of a transcript tell about it. `tail` is empty when `head` is the whole file. */
export function summarize(
  where: { readonly sessionId: string; readonly project: string },
  stat: FileStat,
  head: Uint8Array,
  tail: Uint8Array,
): SessionSummary {
  const first = readFacts(linesOf(head, true, head.length < stat.size && tail.length > 0));
  const last = tail.length === 0 ? first : readFacts(linesOf(tail, false, false));
  const { title, titleSource } = chooseTitle(first, last);
  const cwd = first.cwd ?? last.cwd;
  const branch = last.branch ?? first.branch;
  const entrypoint = first.entrypoint ?? last.entrypoint;
  const tag = last.tag ?? first.tag;
  const hiddenReason = whyHidden(first, entrypoint, titleSource);
  return {
    ...where,
    title,
    titleSource,
    createdAt: first.createdAt ?? 0,
    modifiedAt: stat.mtimeMs,
    size: stat.size,
    ...(first.firstPrompt === undefined ? {} : { firstPrompt: first.firstPrompt }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch === undefined ? {} : { branch }),
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(tag === undefined || tag === '' ? {} : { tag }),
    ...(hiddenReason === undefined ? {} : { hiddenReason }),
  };
}

function whyHidden(first: Facts, entrypoint: string | undefined, source: string): HiddenReason | undefined {
  if (first.sidechain === true) return 'sidechain';
  if (source === 'none') return 'empty';
  return entrypoint !== undefined && PROGRAMS.has(entrypoint) ? 'entrypoint' : undefined;
}

/** The newest of each kind counts; what is known only from the beginning comes second. */
function chooseTitle(first: Facts, last: Facts): Pick<SessionSummary, 'title' | 'titleSource'> {
  const choices = [
    ['custom', last.custom ?? first.custom],
    ['ai', last.ai ?? first.ai],
    ['lastPrompt', last.lastPrompt ?? first.lastPrompt],
    ['summary', last.summary ?? first.summary],
    ['firstPrompt', first.firstPrompt ?? last.firstPrompt],
  ] as const;
  for (const [titleSource, text] of choices) {
    const title = text === undefined ? '' : oneLine(text);
    if (title !== '') return { title, titleSource };
  }
  return { title: '', titleSource: 'none' };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1).trimEnd()}…` : line;
}

function readFacts(lines: Iterable<TranscriptLine>): Facts {
  const facts: Facts = {};
  for (const line of lines) {
    if (line.type === 'custom-title') facts.custom = line.customTitle;
    else if (line.type === 'ai-title') facts.ai = line.aiTitle;
    else if (line.type === 'last-prompt') facts.lastPrompt = line.lastPrompt;
    else if (line.type === 'summary') facts.summary = line.summary;
    else if (line.type === 'tag') facts.tag = line.tag;
    else if (isTranscriptNode(line)) readNode(line, facts);
  }
  return facts;
}

function readNode(line: Extract<TranscriptLine, { uuid: string }>, facts: Facts): void {
  facts.sidechain ??= line.isSidechain === true || line.teamName !== undefined;
  facts.createdAt ??= timeOf(line.timestamp) ?? 0;
  if (line.cwd !== undefined) facts.cwd ??= line.cwd;
  if (line.entrypoint !== undefined) facts.entrypoint ??= line.entrypoint;
  if (typeof line.gitBranch === 'string' && line.gitBranch !== '') facts.branch = line.gitBranch;
  if (line.type !== 'user' || facts.firstPrompt !== undefined) return;
  if (line.isMeta === true || line.isCompactSummary === true || isToolResult(line)) return;
  const prompt = promptIn(line.message.content);
  if (prompt !== undefined) facts.firstPrompt = prompt;
}

/** What a person wrote, without what an editor put beside it. */
function promptIn(content: readonly ContentBlock[]): string | undefined {
  for (const block of content) {
    if (block.type !== 'text') continue;
    const meaning = readUserText(block.text);
    if (meaning.kind === 'command') return meaning.command;
    const text = block.text.trim();
    if (meaning.kind !== 'prompt' || text === '' || /^<(?:ide_|system-reminder)/.test(text)) continue;
    return oneLine(text);
  }
  return undefined;
}

/** Whole lines of a part of a file. The first of a tail is the end of some line; the last of a head may be cut. */
function* linesOf(bytes: Uint8Array, fromStart: boolean, cut: boolean): Generator<TranscriptLine> {
  const decoder = new TextDecoder();
  let start = fromStart ? 0 : bytes.indexOf(LF) + 1;
  if (!fromStart && start === 0) return;
  while (start < bytes.length) {
    const end = bytes.indexOf(LF, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    const decoded =
      line.length === 0 || isRecordedRequest(line) ? undefined : decodeLine(decoder.decode(line), end < 0 && cut);
    if (decoded) yield decoded;
    if (end < 0) return;
    start = end + 1;
  }
}

/** A line that goes on beyond what was read is read as far as it goes: the first prompt may hold a picture. */
function decodeLine(text: string, cut: boolean): TranscriptLine | undefined {
  if (!cut) return decodeTranscriptLine(text, ignore);
  const raw = readPartialObject(text);
  const message = raw['message'];
  if (raw['type'] !== undefined || typeof message !== 'object' || message === null) {
    return decodeTranscriptLine(JSON.stringify(raw), ignore);
  }
  const content = 'content' in message ? readBlocks(message.content, ignore) : [];
  const role = 'role' in message ? message.role : undefined;
  // The type and the uuid stand behind the message and are cut off.
  const whole = { ...raw, type: role === 'assistant' ? 'assistant' : 'user', uuid: '', message: { role, content } };
  return decodeTranscriptLine(JSON.stringify(whole), ignore);
}

const ignore = (): void => undefined;
