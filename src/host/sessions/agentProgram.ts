import type { Logger } from '../../base/logger.ts';
import { cliEnvironment } from '../../transport/environment.ts';
import type { ExecutableSearch } from '../../transport/findExecutable.ts';
import { askVersion, findExecutable } from '../../transport/findExecutable.ts';
import { cliArguments } from '../../transport/flags.ts';
import { knownVersions } from '../../transport/knownVersions.ts';
import { readSetting } from '../settings.ts';
import type { Launch, LaunchPlan } from './sessionStarter.ts';

/** The program behind every session, as the settings want it: where it lies and with what it is started. */
export class AgentProgram {
  readonly #version: string;
  readonly #logger: Logger;
  readonly #probe = knownVersions(askVersion);

  /** `version`: our own, which the program tells its service. */
  constructor(version: string, logger: Logger) {
    this.#version = version;
    this.#logger = logger;
  }

  /** What the settings add to the environment. */
  get environment(): Readonly<Record<string, string>> {
    return readSetting('claude.environment', undefined, this.#logger);
  }

  get wholeEnvironment(): Readonly<Record<string, string | undefined>> {
    return { ...process.env, ...this.environment };
  }

  /** Whether the mode without questions is offered at all. */
  get mayBypass(): boolean {
    return readSetting('permissions.allowBypass', undefined, this.#logger);
  }

  find(): Promise<ExecutableSearch> {
    return findExecutable({
      setting: readSetting('claude.executable', undefined, this.#logger),
      env: this.wholeEnvironment,
      probe: this.#probe,
    });
  }

  /** The same launch gives the same plan as long as no setting changes. */
  plan({ executable, cwd, from, mode, model }: Launch): LaunchPlan {
    return {
      command: executable,
      args: cliArguments({
        start: from,
        permissionMode: mode,
        allowBypass: this.mayBypass,
        ...(model === '' ? {} : { model }),
        extra: readSetting('claude.extraArguments', undefined, this.#logger),
      }),
      cwd,
      env: cliEnvironment(process.env, { version: this.#version, cwd, extra: this.environment }),
    };
  }
}
