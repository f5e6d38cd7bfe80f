import { execFile } from 'node:child_process';

/** The paths in the answer of `git worktree list --porcelain`. */
export function parseWorktrees(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap(line => (line.startsWith('worktree ') ? [line.slice('worktree '.length).trim()] : []));
}

/** All worktrees of the repository that a folder is in. None where git, or a repository, is missing. */
export function listWorktrees(folder: string, run: typeof execFile = execFile): Promise<readonly string[]> {
  return new Promise(resolve => {
    const options = { cwd: folder, timeout: 3_000, windowsHide: true, maxBuffer: 1024 * 1024 };
    run('git', ['worktree', 'list', '--porcelain'], options, (error, stdout) => {
      resolve(error ? [] : parseWorktrees(stdout));
    });
  });
}
