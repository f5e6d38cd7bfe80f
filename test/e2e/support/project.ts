import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A small TypeScript project, as a person would open it. */
const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'greeter', version: '1.0.0', type: 'module', private: true }, null, 2)}\n`,
  'README.md': '# Greeter\n\nSays hello.\n',
  'src/greet.ts': [
    '/** Says hello to somebody. */',
    'export function greet(name: string): string {',
    '  return `Hello, ${name}!`;',
    '}',
    '',
  ].join('\n'),
  'src/main.ts': ["import { greet } from './greet.ts';", '', "console.log(greet('world'));", ''].join('\n'),
};

/** The folders of one run: all below one, which goes at the end. */
export class Project {
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  readonly userData: string;

  private constructor(root: string) {
    this.root = root;
    this.folder = path.join(root, 'greeter');
    this.home = path.join(root, 'home');
    this.userData = path.join(root, 'user-data');
  }

  static async create(): Promise<Project> {
    // The real path: the temporary folder is a link on some systems, and the agent reports resolved paths.
    const project = new Project(await realpath(await mkdtemp(path.join(tmpdir(), 'hre-'))));
    await mkdir(project.home);
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(project.folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    return project;
  }

  /** Lets the agent use tools without asking, as a person's own rules do. */
  async allowTools(...rules: string[]): Promise<void> {
    const folder = path.join(this.home, '.claude');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ permissions: { allow: rules } }));
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
