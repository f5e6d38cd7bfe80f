import type { Logger } from '../../base/logger.ts';
import { runGit } from '../runGit.ts';

/** The paths in the answer of `git worktree list --porcelain`. */
export function parseWorktrees(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap(line => (line.startsWith('worktree ') ? [line.slice('worktree '.length).trim()] : []));
}

/** All worktrees of the repository that a folder is in. None where git, or a repository, is missing. */
export async function listWorktrees(folder: string, logger: Logger): Promise<readonly string[]> {
  try {
    const args = ['worktree', 'list', '--porcelain'];
    const answer = await runGit({ cwd: folder, args, signal: AbortSignal.timeout(3_000) });
    return parseWorktrees(answer.toString('utf8'));
  } catch (error) {
    logger.debug(`No worktrees of ${folder}`, error);
    return [];
  }
}
