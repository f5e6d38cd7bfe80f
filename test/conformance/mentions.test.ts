import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { promptContent } from '../../src/host/chat/promptContent.ts';
import { mentionedFiles, withoutMentions } from '../../src/host/context/mentions.ts';
import { say } from '../support/model/script.ts';
import type { LiveSession } from './support/stage.ts';
import { Stage } from './support/stage.ts';

const forms = ['@{}', 'x\n@{}', '\u00a0@{}', '@"{}"', '@./{}', '@{}#L1-2', '@{}.', '@{},', '@{})'];
const noForms = ['me@{}', '(@{})', '`@{}`', '"@{}"'];

let stage: Stage;

beforeEach(async () => {
  // One for each try: what the CLI has read once it does not read again.
  const files: Record<string, string> = {};
  for (let index = 0; index < 20; index += 1) files[`n${index}.txt`] = `secret ${index}.\n`;
  stage = await Stage.set(files);
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

/** Whether the model got the content of the file. */
async function reads(live: LiveSession, index: number, content: ReturnType<typeof promptContent>): Promise<boolean> {
  stage.model.enqueue(say('Seen.'));
  await live.session.prompt(content).done;
  return JSON.stringify(stage.model.requests.at(-1)?.messages).includes(`secret ${index}.`);
}

describe('mentions', () => {
  it('what the CLI reads as a mention in the words is what we take for one', async () => {
    const live = await stage.open();
    for (const [index, form] of [...forms, ...noForms].entries()) {
      const text = `See ${form.replace('{}', `n${index}.txt`)}`;
      expect(await reads(live, index, text), form).toBe(forms.includes(form));
      const files = mentionedFiles(text, stage.path('.'));
      expect(files.includes(stage.path(`n${index}.txt`)), form).toBe(forms.includes(form));
    }
  });

  it('a mention in a piece of the editor makes the CLI read nothing, and the model still sees it', async () => {
    const live = await stage.open();
    for (const [index, form] of forms.entries()) {
      const said = form.replace('{}', `n${index}.txt`);
      const text = withoutMentions(`Selected: ${said}`, stage.path('.'), existsSync);
      const piece = { kind: 'context', id: 'c', name: 'a.ts', what: 'selection', text } as const;
      expect(await reads(live, index, promptContent('Look', [piece])), form).toBe(false);
      expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).toContain(`n${index}.txt`);
    }
  });
});
