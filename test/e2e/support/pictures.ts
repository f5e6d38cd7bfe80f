import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { launchChromium } from '../../support/vscode/browser.mjs';
import { ScriptedModel } from '../../support/model/scriptedModel.ts';
import { say, think, tool } from '../../support/model/script.ts';
import type { Chat } from './chat.ts';
import { Editor } from './editor.ts';
import { claudeEnvironment } from './environment.ts';
import type { Prepared } from './environment.ts';
import { Project } from './project.ts';
import { themes } from './themes.ts';
import { Workbench } from './workbench.ts';

export interface PictureOptions {
  readonly prepared: Prepared;
  /** Where the pictures go. */
  readonly folder: string;
  /** Where the best of them go too, for the README. */
  readonly readmeFolder?: string;
  readonly log: (line: string) => void;
}

const SIDE_BAR_WIDTHS = [320, 480] as const;
const README_PICTURES = ['editor-dark', 'editor-light', 'editor-hc-dark'] as const;

const explanation = [
  'A tiny greeter in two files:',
  '',
  '- `src/greet.ts` builds the greeting',
  '- `src/main.ts` prints it for *world*',
  '',
  '```ts',
  'export function greet(name: string): string {',
  '  return `Hello, ${name}!`;',
  '}',
  '```',
  '',
  'There are no tests yet, and an **empty name** gives “Hello, !”.',
].join('\n');

/** Plays one conversation in the real thing and takes its picture in every theme, at every width. */
export async function takePictures({ prepared, folder, readmeFolder, log }: PictureOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const closers: (() => Promise<void>)[] = [];
  const taken: string[] = [];
  try {
    const project = await Project.create();
    closers.push(() => project.remove());
    const model = await new ScriptedModel().start();
    closers.push(() => model.stop());
    const browser = await launchChromium(prepared.chromium);
    closers.push(() => browser.close());
    const editor = await Editor.start({
      prepared,
      project,
      machine: {
        'handrail.claude.executable': prepared.claude,
        'handrail.claude.environment': claudeEnvironment(model.url),
      },
      user: { 'breadcrumbs.enabled': false, 'editor.minimap.enabled': false },
    });
    closers.push(() => editor.stop());
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 2 });
    await editor.prepare(context);
    const workbench = new Workbench(await context.newPage(), editor);
    await workbench.open();
    const picture = async (name: string, part: string) => {
      const file = path.join(folder, `${name}.png`);
      await workbench.page.locator(part).screenshot({ path: file, animations: 'disabled' });
      taken.push(file);
      log(path.basename(file));
    };
    await sideBarPictures(workbench, model, project, picture);
    await editorPictures(workbench, model, project, picture);
  } finally {
    for (const close of closers.reverse()) await close();
  }
  if (readmeFolder !== undefined) await copyBest(folder, readmeFolder);
  return taken;
}

type TakePicture = (name: string, part: string) => Promise<void>;

async function sideBarPictures(workbench: Workbench, model: ScriptedModel, project: Project, picture: TakePicture) {
  const chat = await workbench.openChat();
  await workbench.setSideBarWidth(480);
  await converse(chat, model, project);
  for (const theme of themes) {
    await workbench.setTheme(theme);
    await chat.hasTheme(theme);
    for (const width of SIDE_BAR_WIDTHS) {
      await workbench.setSideBarWidth(width);
      await picture(`sidebar-${width}-${theme.name}`, '.part.auxiliarybar');
    }
    await picture(`window-${theme.name}`, '.monaco-workbench');
  }
  await chat.answer('Edit', 'Deny');
  await chat.idle();
}

async function editorPictures(workbench: Workbench, model: ScriptedModel, project: Project, picture: TakePicture) {
  await workbench.runCommand('workbench.action.closeAllEditors');
  await workbench.runCommand('workbench.action.toggleAuxiliaryBar');
  const chat = await workbench.openChatInEditor();
  await converse(chat, model, project);
  for (const theme of themes) {
    await workbench.setTheme(theme);
    await chat.hasTheme(theme);
    await picture(`editor-${theme.name}`, '.monaco-workbench');
  }
}

/** A conversation that shows what there is: a thought, reads, formatted text, and an edit that waits for an answer. */
async function converse(chat: Chat, model: ScriptedModel, project: Project): Promise<void> {
  const greet = path.join(project.folder, 'src', 'greet.ts');
  const main = path.join(project.folder, 'src', 'main.ts');
  model.enqueue(
    [
      think('A small project; the entry point and the function it calls should be enough.'),
      say('I will read the two source files.'),
      tool('Read', { file_path: greet }),
      tool('Read', { file_path: main }),
    ],
    say(explanation),
    [
      say('An empty name gets a friendly default.'),
      tool('Edit', {
        file_path: greet,
        old_string: '  return `Hello, ${name}!`;',
        new_string: "  const who = name.trim() || 'friend';\n  return `Hello, ${who}!`;",
      }),
    ],
    say('Understood, the file stays as it is.'),
  );
  await chat.prompt('What does this project do?');
  await chat.answers.filter({ hasText: 'There are no tests yet' }).waitFor();
  await chat.idle();
  await chat.prompt('Greet politely when the name is empty.');
  await chat.permission('Edit').waitFor();
}

async function copyBest(folder: string, readmeFolder: string): Promise<void> {
  await mkdir(readmeFolder, { recursive: true });
  for (const name of README_PICTURES) {
    await copyFile(path.join(folder, `${name}.png`), path.join(readmeFolder, `${name}.png`));
  }
}
