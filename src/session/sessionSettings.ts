import { SessionError } from './errors.ts';
import type { HostRequests } from './hostRequests.ts';
import type { InfoKeeper } from './infoKeeper.ts';
import { toServer } from './infoReducer.ts';

/**
 * What a person may turn while the session runs. The CLI has the last word: `info` shows what it says is in force, never
 * what was wished for.
 */
export class SessionSettings {
  readonly #requests: HostRequests;
  readonly #info: InfoKeeper;

  constructor(requests: HostRequests, info: InfoKeeper) {
    this.#requests = requests;
    this.#info = info;
  }

  /** `null`: the CLI's default. */
  async setModel(model: string | null): Promise<void> {
    const answer = await this.#info.orTellTruth(this.#requests.setModel(model));
    const resolved = answer.model ?? model;
    if (resolved !== null) this.#info.set({ model: resolved });
  }

  async setPermissionMode(mode: string): Promise<void> {
    const answer = await this.#info.orTellTruth(this.#requests.setPermissionMode(mode));
    this.#info.set({ mode: answer.mode ?? mode });
  }

  /** `null`: the CLI's default. Applies to this process only. */
  async setEffort(effort: string | null): Promise<void> {
    await this.#info.orTellTruth(this.#requests.applyFlagSettings({ effortLevel: effort }));
    // A level the CLI or the model does not have is taken without a word and changes nothing.
    await this.learn();
    if (effort !== null && this.#info.current.effort !== effort) {
      throw new SessionError('refused', `The effort ${effort} was not taken.`);
    }
  }

  /** For models that think by budget; those that think by effort ignore it. */
  async setMaxThinkingTokens(tokens: number | null): Promise<void> {
    await this.#requests.setMaxThinkingTokens(tokens);
  }

  async rename(title: string): Promise<void> {
    await this.#requests.renameSession(title);
    this.#info.set({ title });
  }

  async refreshMcpServers(): Promise<void> {
    const { mcpServers } = await this.#requests.mcpStatus();
    this.#info.set({ mcpServers: mcpServers.map(toServer) });
  }

  /** Model and effort in force: before the first turn nothing else tells. */
  async learn(): Promise<void> {
    const { applied } = await this.#requests.getSettings();
    this.#info.settingsApplied(applied ?? {});
  }
}
