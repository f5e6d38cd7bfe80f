import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One thing the fake CLI does, in order. */
export type FakeCliStep =
  /** One record. */
  | { readonly do: 'line'; readonly value: unknown }
  /** The record so many times, as fast as the pipe takes it. */
  | { readonly do: 'repeat'; readonly count: number; readonly value: unknown }
  /** Any text or bytes, as they are, in pieces that end at these byte offsets; each piece is a write of its own. */
  | { readonly do: 'raw'; readonly text?: string; readonly base64?: string; readonly splitAt?: readonly number[] }
  /** One valid record of about this many bytes. */
  | { readonly do: 'huge'; readonly bytes: number; readonly newline?: boolean }
  | { readonly do: 'stderr'; readonly text?: string; readonly bytes?: number }
  | { readonly do: 'wait'; readonly ms: number }
  /** Files as signals between a test and the child: makes one, or waits until there is one. */
  | { readonly do: 'touch'; readonly file: string }
  | { readonly do: 'waitForFile'; readonly file: string }
  /** Until a frame of this type (and request subtype) has come in. */
  | { readonly do: 'waitFor'; readonly type: string; readonly subtype?: string }
  /** A permission question; goes on when it is answered. */
  | { readonly do: 'ask'; readonly requestId: string; readonly tool: string; readonly input: unknown }
  /** A shell that outlives us, as a SIGKILLed CLI leaves behind; `detached` is a session of its own. Its pid goes out as a record. */
  | { readonly do: 'shell'; readonly command: string; readonly detached?: boolean; readonly holdStdout?: boolean }
  | { readonly do: 'closeStdout' }
  | { readonly do: 'closeStdin' }
  /** Stops reading stdin, so that the host's writes pile up; `resume` reads on. */
  | { readonly do: 'pauseStdin' }
  | { readonly do: 'resumeStdin' }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'kill'; readonly signal: string };

export interface FakeCliScript {
  readonly steps?: readonly FakeCliStep[];
  /** Answers `initialize` with a small success; on unless switched off. Other requests are answered `{}`. */
  readonly answerRequests?: boolean;
  /** A whole small turn for each prompt: lifecycle, init, echo, deltas, assistant, result. */
  readonly turns?: { readonly text: string };
  /** As `--replay-user-messages` does with the host's own answers. */
  readonly echoControlResponses?: boolean;
  readonly ignoreSigterm?: boolean;
  readonly ignoreStdinEnd?: boolean;
  /** The exit code at the end of stdin. */
  readonly exitCode?: number;
  /** Every line that comes in is appended to this file, as it came. */
  readonly record?: string;
  readonly sessionId?: string;
}

export const fakeCliPath = fileURLToPath(new URL('./fakeCli.mjs', import.meta.url));
export const fakeCliScriptVariable = 'HANDRAIL_FAKE_CLI';

export interface ChildCommand {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** What to start for a script, with the allow-listed environment of tests. */
export function fakeCli(
  script: FakeCliScript,
  options: { readonly home?: string; readonly args?: string[] } = {},
): ChildCommand {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'handrail-home-'));
  return {
    command: process.execPath,
    args: [fakeCliPath, ...(options.args ?? [])],
    cwd: home,
    env: { ...allowListedEnvironment(home), [fakeCliScriptVariable]: JSON.stringify(script) },
  };
}

/** The only environment a child of a test ever gets. */
export function allowListedEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    ANTHROPIC_API_KEY: 'fake-key-for-tests',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ...(process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] }),
  };
}
