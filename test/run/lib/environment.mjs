// What children of the tests see of the machine: where programs are, and nothing of the person who runs them.
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './store.mjs';
import { temporaryFolder } from './processes.mjs';

/** Names without which programs do not run, or not in the right language; none of them says who the person is. */
const passed =
  /^(PATH|LANG|LC_ALL|LC_CTYPE|TZ|TERM|CI|NO_COLOR|FORCE_COLOR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|SHELL|TMPDIR|TEMP|TMP|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|ProgramFiles|ProgramFiles\(x86\)|ProgramData|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|HANDRAIL_CHROMIUM|HANDRAIL_SEQUENCES|HANDRAIL_DIFF_ROUNDS)$/i;

/**
 * Replaces the environment of this process: every child started from now on has an empty home and no login, key or token.
 * To be called after everything is fetched, because the registry's settings are in the home.
 */
export function enterCleanEnvironment() {
  const cache = cacheFolder();
  const folder = temporaryFolder('hrt');
  const home = path.join(folder, 'home');
  fs.mkdirSync(home);
  for (const name of Object.keys(process.env)) if (!passed.test(name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, { HOME: home, HANDRAIL_CACHE: cache, GIT_CONFIG_NOSYSTEM: '1' });
  if (process.platform === 'win32')
    Object.assign(process.env, { USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home });
  if (process.platform !== 'linux') return;
  // Whatever a test leaves in the temporary folder goes with ours. Short, because paths of sockets have a limit.
  const temp = path.join(folder, 't');
  fs.mkdirSync(temp);
  process.env['TMPDIR'] = temp;
}
