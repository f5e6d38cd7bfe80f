import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { prepareWorkbench } from '../../support/vscode/browser.mjs';
import type { Server } from '../../support/vscode/server.mjs';
import { QUIET, startServer, workbenchUrl, writeSettings } from '../../support/vscode/server.mjs';
import { Bridge } from './bridge.ts';
import { allowedEnvironment } from './environment.ts';
import type { Prepared } from './environment.ts';
import { allEnded, ProcessTree } from './processes.ts';
import type { Project } from './project.ts';

export interface EditorOptions {
  readonly prepared: Prepared;
  readonly project: Project;
  /** Settings of scope `machine`. */
  readonly machine: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  /** That of a server that has ended, so that a window finds its own storage again; a free one when absent. */
  readonly port?: number;
}

/**
 * How long what the extension started may outlive VS Code. Handrail gives an agent 12 seconds until it is killed; the rest is for
 * a machine on which everything takes long. Nobody but Handrail ends these: they are in process groups of their own.
 */
const LEAVE_MS = 40_000;

/** A VS Code with Handrail and the bridge installed, serving one project; browsers show its windows. */
export class Editor {
  readonly bridge: Bridge;
  readonly processes: ProcessTree;
  /** Where the window of the project is. */
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string, prepared: Prepared, bridgeFile: string) {
    this.#server = server;
    this.url = url;
    this.bridge = new Bridge(bridgeFile);
    this.processes = new ProcessTree(server.pid, prepared.claude);
  }

  static async start({ prepared, project, machine, user = {}, port }: EditorOptions): Promise<Editor> {
    await writeSettings(project.userData, { user: { ...QUIET, ...user }, machine });
    const bridgeFile = path.join(project.root, 'bridge.json');
    const server = await startServer({
      vscode: prepared.vscode,
      node: prepared.node,
      userDataDir: project.userData,
      extensionsDir: prepared.extensions,
      args: ['--builtin-extensions-dir', prepared.builtin],
      env: { ...allowedEnvironment(project.home), HANDRAIL_BRIDGE: bridgeFile },
      onLog: text => appendFileSync(path.join(project.root, 'server.log'), text),
      ...(port !== undefined && { port }),
    });
    // Should the test's own process be killed, the server goes too.
    // Imported here: Playwright cannot translate a module that knows its own place.
    const { watchOver } = await import('../../run/lib/processes.mjs');
    void server.ended.then(watchOver(server.pid));
    const url = await workbenchUrl(server.authority, project.folder);
    return new Editor(server, url, prepared, bridgeFile);
  }

  get port(): number {
    return this.#server.port;
  }

  /** Kills the server and its extension hosts, as a crash of the machine would; what these started is not touched. */
  async kill(): Promise<void> {
    process.kill(process.platform === 'win32' ? this.#server.pid : -this.#server.pid, 'SIGKILL');
    await this.#server.ended;
  }

  /** Makes the windows of a browser context ready to show this VS Code. */
  async prepare(context: BrowserContext): Promise<void> {
    await prepareWorkbench(context, { authority: this.#server.authority });
  }

  /** Ends VS Code and waits for the end of all that it started: an agent that lives on would write into a folder that is gone. */
  async stop(): Promise<void> {
    const children = await this.processes.all();
    await this.#server.stop();
    await allEnded(children, LEAVE_MS);
  }
}
