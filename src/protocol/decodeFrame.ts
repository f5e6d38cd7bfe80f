import type { CliFrame } from './cliFrame.ts';
import { readFrame } from './readFrame.ts';
import { plainDelta } from './plainDelta.ts';
import type { WireProblem } from './transport.ts';
import { parseObject, problemReporter } from './wireProblem.ts';

/**
 * One line of the CLI's stdout as a frame. Never throws. Whatever is not as expected is reported with a code and a safe
 * excerpt; `undefined` means there was no JSON object at all. What we have no schema for comes back as `unknown`, whole.
 */
export function decodeFrame(line: string, report: (problem: WireProblem) => void): CliFrame | undefined {
  const raw = parseObject(line, report);
  if (raw === undefined) return undefined;
  return plainDelta(raw) ?? readFrame(raw, problemReporter(line, report));
}
