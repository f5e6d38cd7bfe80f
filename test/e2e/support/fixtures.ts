import { cp } from 'node:fs/promises';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { ScriptedModel } from '../../support/model/scriptedModel.ts';
import { Editor } from './editor.ts';
import { claudeEnvironment, prepared } from './environment.ts';
import { Project } from './project.ts';
import { Workbench } from './workbench.ts';

interface Options {
  /** The program in `handrail.claude.executable`; the pinned one unless a test is about another. */
  claude: string;
  /** More settings of scope `machine`. */
  machine: Readonly<Record<string, unknown>>;
}

interface Fixtures {
  /** A model of its own for each test; requests that the script did not foresee fail the test. */
  model: ScriptedModel;
  project: Project;
  /** A VS Code of its own for each test: it starts in a tenth of a second, and nothing of another test can be in it. */
  editor: Editor;
  workbench: Workbench;
  /** Watches the view for faults that nobody would see: broken scripts, and what its content policy had to stop. */
  viewFaults: string[];
}

export const test = base.extend<Options & Fixtures>({
  claude: [prepared().claude, { option: true }],
  machine: [{}, { option: true }],

  model: async ({}, use) => {
    const model = await new ScriptedModel().start();
    await use(model);
    await model.stop();
    expect(model.problems).toEqual([]);
  },

  project: async ({}, use, info) => {
    const project = await Project.create();
    await use(project);
    if (info.status !== info.expectedStatus) {
      await cp(path.join(project.userData, 'logs'), info.outputPath('logs'), { recursive: true });
    }
    await project.remove();
  },

  editor: [
    async ({ model, project, claude, machine, context }, use) => {
      const editor = await Editor.start({
        prepared: prepared(),
        project,
        machine: {
          'handrail.claude.executable': claude,
          'handrail.claude.environment': claudeEnvironment(model.url),
          ...machine,
        },
      });
      await editor.prepare(context);
      await use(editor);
      await editor.stop();
    },
    // A time of its own: the end of VS Code is not the test's, and must be seen however long the test took.
    { timeout: 60_000 },
  ],

  viewFaults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', error => {
        if (isOfView(error.stack ?? '')) faults.push(error.stack ?? error.message);
      });
      page.on('console', message => {
        if (message.type() !== 'error') return;
        const ofView = isOfView(message.location().url) || /content security policy/i.test(message.text());
        if (ofView) faults.push(message.text());
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],

  workbench: async ({ editor, page }, use) => {
    const workbench = new Workbench(page, editor);
    await workbench.open();
    await use(workbench);
  },
});

/** Whether an address or a stack belongs to the page of the chat. */
function isOfView(text: string): boolean {
  return text.includes('extensionId=handrail-vscode.handrail') || text.includes('/dist/view/');
}

export { expect };
