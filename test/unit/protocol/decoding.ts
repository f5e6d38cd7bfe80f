import { readFileSync } from 'node:fs';
import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import { decodeFrame } from '../../../src/protocol/decodeFrame.ts';
import type { TakeNote } from '../../../src/protocol/readValue.ts';
import type { WireProblem } from '../../../src/protocol/transport.ts';

export type Fields = Record<string, unknown>;

/** The parsed lines of a fixture of this room. */
export function fixture(name: string): Fields[] {
  const text = readFileSync(new URL(`../../fixtures/protocol/${name}`, import.meta.url), 'utf8');
  return text.split('\n').filter(Boolean).map(parse);
}

export function parse(line: string): Fields {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  return { ...value };
}

export interface Decoded {
  frame: CliFrame | undefined;
  problems: WireProblem[];
}

export function decodeLine(line: string): Decoded {
  const problems: WireProblem[] = [];
  const frame = decodeFrame(line, problem => problems.push(problem));
  return { frame, problems };
}

export function decode(value: unknown): Decoded {
  return decodeLine(JSON.stringify(value));
}

/** The frame of a value that must be beyond reproach. */
export function clean<Type extends CliFrame['type']>(value: unknown, type: Type): Extract<CliFrame, { type: Type }> {
  const { frame, problems } = decode(value);
  if (problems.length > 0) throw new Error(`problems: ${JSON.stringify(problems)}`);
  return ofType(frame, type);
}

export function ofType<Type extends CliFrame['type']>(
  frame: CliFrame | undefined,
  type: Type,
): Extract<CliFrame, { type: Type }> {
  if (frame === undefined || !isOf(frame, type)) throw new Error(`expected ${type}, got ${String(frame?.type)}`);
  return frame;
}

function isOf<Type extends CliFrame['type']>(frame: CliFrame, type: Type): frame is Extract<CliFrame, { type: Type }> {
  return frame.type === type;
}

/** A note taker, and what it took down. */
export function notes(): { note: TakeNote; taken: string[] } {
  const taken: string[] = [];
  return { note: (code, message) => taken.push(`${code} ${message}`), taken };
}
