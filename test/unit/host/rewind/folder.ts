import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A folder and a storage beside it, both gone at the end. */
export class TestFolder {
  readonly path: string;
  readonly storage: string;
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.path = join(root, 'project');
    this.storage = join(root, 'storage');
  }

  static async make(files: Readonly<Record<string, string>> = {}): Promise<TestFolder> {
    const folder = new TestFolder(await realpath(await mkdtemp(join(tmpdir(), 'handrail-rewind-'))));
    await mkdir(folder.path);
    for (const [name, content] of Object.entries(files)) await folder.write(name, content);
    return folder;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.at(name)), { recursive: true });
    await writeFile(this.at(name), content);
  }

  async git(...args: string[]): Promise<string> {
    const env = {
      PATH: process.env['PATH'],
      HOME: this.#root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.invalid',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.invalid',
    };
    return (await execute('git', args, { cwd: this.path, env })).stdout;
  }

  /** A repository in which everything so far is committed. */
  async commitAll(): Promise<void> {
    await this.git('init', '-q', '-b', 'main');
    await this.git('add', '-A');
    await this.git('commit', '-q', '-m', 'first');
  }

  async dispose(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}
