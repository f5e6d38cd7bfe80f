// The official Agent SDK as a peer of the benches: its JavaScript alone, one exact version, into the per-user cache. Its
// platform packages (a whole CLI each) are left out: it is pointed at a fake CLI.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cached, unpackPackage } from '../../run/lib/store.mjs';

export const SDK_VERSION = '0.3.326';
const integrity = 'sha512-BUTSky/4YWfL/MxC+4kV0NDbJFjbJPoQMFEk/s9G6hV9LUfYPMbsWz94bFQ7ZIo2ubj2xwJ2c2NVxkNlQhVw+Q==';

/**
 * @param {(line: string) => void} [log]
 * @returns {Promise<string>} the address of its entry
 */
export async function ensureAgentSdk(log) {
  const pin = { name: '@anthropic-ai/claude-agent-sdk', version: SDK_VERSION, integrity };
  const folder = await cached(`agent-sdk-${SDK_VERSION}`, part => unpackPackage(pin, part, log ? { log } : {}), log);
  return pathToFileURL(path.join(folder, 'sdk.mjs')).href;
}
