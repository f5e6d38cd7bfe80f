// The real Claude Code program the tests and the rehearsal run: one exact version, never the one on the machine.
import fs from 'node:fs';
import path from 'node:path';
import { cached, unpackPackage } from './store.mjs';
import { Fault } from './fault.mjs';

export const CLI_VERSION = '2.1.326';

/** Checksums per version and platform, as published in the registry. @type {Record<string, Record<string, string>>} */
const pins = {
  '2.1.326': {
    'linux-x64': 'sha512-RvNuaeMGfPGUyUGttVvhHgVUZ3B2L+Pgf336ImZLsPP2UQHYblewi47CPFLObqz+K6D++PLP1eAsDBLYko3w+g==',
    'linux-arm64': 'sha512-lZCCWXarB/1IeHkotI937eEdN4BCbVdWDdmejtlkbUO9M29rHjITtXW9BWCDFlxvo0GXsFogN0SFIJWgMelKLw==',
    'linux-x64-musl': 'sha512-Gnd/9lghe4q2CX9mzPgz8db9GngP6KHx/q1V6wepDM2CG1pQSwgrvzrs8M5Z8KmbSrun1Fgd1d6InedeZeMZ/w==',
    'linux-arm64-musl':
      'sha512-IB793mtG7aA1m4WxwQabigUD4sHDEcXu9lRltZITLQCPzBdGFlWINxdSCnk9TVWAv0Bb5eyirxyPI9WMER0wiA==',
    'darwin-x64': 'sha512-QmyjV6F2YQftZgsnal4aOwCFMtc99B3Czgtq2o5bVRP4DXMvjfSf8mQeKyCGsHX7d/CRCDdbva+z7HpriqCwdg==',
    'darwin-arm64': 'sha512-u6Gk/xJdrSVbnJ4LsObftgY8/oAWv0YNkWmIirPtLrf80ocIve1VeJeoQTLJ5IkgQOSEIHMTt5V5McY/25cdPg==',
    'win32-x64': 'sha512-ahXmZQfQ3VEU1hvIa+c0Oy3IzhYNErLAhYDGwfemotx+1Zc2QCHurynu6qTu2dnAM02fe9uaX8Gx8TrABt6jvA==',
    'win32-arm64': 'sha512-73fuRE8WAHjViGnJJ6ARPL5euT1uR5gGvfTksyesMjStIYQvwb0cO2mYRX0+UnogQ0+6U5+VoUNpAI2SLPPBBw==',
  },
};

/** @returns {string} */
function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return name;
  const report = process.report.getReport();
  const header = typeof report === 'object' && 'header' in report ? report.header : undefined;
  const glibc = typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
  return glibc ? name : `${name}-musl`;
}

/**
 * @param {string} [version]
 * @param {(line: string) => void} [log]
 * @returns {Promise<string>} the path of the native `claude` program
 */
export async function ensureCli(version = CLI_VERSION, log) {
  const here = platform();
  const integrity = pins[version]?.[here];
  if (!integrity)
    throw new Fault(`There is no pinned Claude Code ${version} for ${here}: add its checksum to test/run/lib/cli.mjs.`);
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const name = `@anthropic-ai/claude-code-${here}`;
  const folder = await cached(
    `claude-${version}-${here}`,
    async part => {
      await unpackPackage({ name, version, integrity }, part, log ? { log } : {});
      fs.chmodSync(path.join(part, file), 0o755);
    },
    log,
  );
  return path.join(folder, file);
}
