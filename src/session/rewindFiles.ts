import { SessionError } from './errors.ts';
import type { HostRequests } from './hostRequests.ts';

export type RewindOutcome =
  | {
      readonly canRewind: true;
      /** Only a dry run tells which files, and how many lines. Files made since then are among them: they would go. */
      readonly filesChanged: readonly string[];
      readonly insertions: number;
      readonly deletions: number;
      readonly skippedLinks: number;
    }
  | { readonly canRewind: false; readonly message: string };

/** The CLI says "no" in two ways, an answer and an error; both come back as one. */
export async function rewindFiles(
  requests: HostRequests,
  promptUuid: string,
  options: { readonly dryRun: boolean },
): Promise<RewindOutcome> {
  try {
    const answer = await requests.rewindFiles(promptUuid, options.dryRun);
    if (!answer.canRewind) return { canRewind: false, message: answer.error ?? '' };
    const { filesChanged = [], insertions = 0, deletions = 0, skippedLinks = 0 } = answer;
    return { canRewind: true, filesChanged, insertions, deletions, skippedLinks };
  } catch (error) {
    if (error instanceof SessionError && error.code === 'refused') return { canRewind: false, message: error.message };
    throw error;
  }
}
