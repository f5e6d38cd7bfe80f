import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Prepared } from './environment.ts';

const lineSchema = z.object({
  from: z.enum(['cli', 'host']),
  frame: z.looseObject({
    type: z.string(),
    request_id: z.string().optional(),
    request: z.looseObject({ subtype: z.string(), tool_use_id: z.string().optional() }).optional(),
    response: z
      .looseObject({
        subtype: z.string(),
        request_id: z.string(),
        response: z.looseObject({ behavior: z.string().optional() }).optional(),
      })
      .optional(),
  }),
});

/** One question of the program about a tool, and what came of it. */
export interface AskedOnWire {
  readonly pid: number;
  readonly requestId: string;
  readonly toolUseId: string;
  readonly cancelled: boolean;
  /** What the host answered, in order; `error` for an error frame. */
  readonly answers: readonly { readonly behavior: string; readonly updatedInput?: unknown }[];
}

/** The command line program with a record of what was asked and answered, kept by neither side. */
export class Wire {
  /** For `handrail.claude.executable`. */
  readonly executable: string;
  readonly #folder: string;

  constructor(root: string, { claude, node, root: sources }: Prepared) {
    this.#folder = path.join(root, 'wire');
    this.executable = path.join(root, 'claude');
    mkdirSync(this.#folder);
    const recorder = pathToFileURL(path.join(sources, 'test/support/cli/recordingCli.mjs')).href;
    const options = JSON.stringify({ cli: claude, folder: this.#folder });
    writeFileSync(this.executable, `#!${node}\nimport('${recorder}').then(({ record }) => record(${options}));\n`, {
      mode: 0o755,
    });
  }

  /** Every question so far, the first one first. */
  asked(): AskedOnWire[] {
    return readdirSync(this.#folder).flatMap(name => this.#read(name));
  }

  #read(name: string): AskedOnWire[] {
    const pid = Number.parseInt(name, 10);
    const text = readFileSync(path.join(this.#folder, name), 'utf8');
    // The last line may be half written.
    const lines = text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean);
    const frames = lines.map(line => lineSchema.parse(JSON.parse(line)));
    const cancelled = new Set(
      frames.flatMap(({ from, frame }) =>
        from === 'cli' && frame.type === 'control_cancel_request' && frame.request_id !== undefined
          ? [frame.request_id]
          : [],
      ),
    );
    return frames.flatMap(({ from, frame }) => {
      const { request, request_id: requestId } = frame;
      if (from !== 'cli' || request?.subtype !== 'can_use_tool' || requestId === undefined) return [];
      const answers = frames.flatMap(({ from: by, frame: { response } }) =>
        by === 'host' && response?.request_id === requestId
          ? [{ ...response.response, behavior: response.response?.behavior ?? response.subtype }]
          : [],
      );
      const toolUseId = request.tool_use_id ?? '';
      return [{ pid, requestId, toolUseId, cancelled: cancelled.has(requestId), answers }];
    });
  }
}
