import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { say } from '../support/model/script.ts';
import { isAlive, until, untilGone } from '../support/processes.ts';
import { Stage } from './support/stage.ts';
import { startNew, starterOn } from './support/starters.ts';

it('A spare process asks nobody, writes nothing, becomes the next session, and goes when it is not wanted', async () => {
  const stage = await Stage.set({ 'a.txt': 'a\n' });
  const starter = await starterOn(stage);
  const cwd = stage.workspace.path;
  const traces = async () => ({
    requests: stage.model.requests.length,
    transcripts: (await stage.transcripts()).sort(),
    folder: (await readdir(cwd, { recursive: true })).sort(),
    memory: (await readdir(stage.home.path, { recursive: true })).filter(name => name.includes('projects')).sort(),
  });
  try {
    stage.model.onRequest(() => say('Hello.'));
    for (const text of ['one', 'two']) {
      const session = await startNew(starter, cwd);
      await session.prompt(text).done;
      await session.stop();
    }
    const before = await traces();
    expect(before.transcripts).toHaveLength(2);
    const { sparePid } = starter;
    if (sparePid === undefined) throw new Error('There is no spare.');
    // Long enough for it to have come up: the whole start takes a fifth of this.
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(isAlive(sparePid)).toBe(true);
    expect(await traces()).toEqual(before);

    const third = await startNew(starter, cwd);
    expect(starter.sparePid).toBeUndefined();
    expect(await third.prompt('three').done).toBe('completed');
    expect((await traces()).transcripts).toHaveLength(3);
    await until('a spare for the fourth', () => starter.sparePid !== undefined, 10_000);
    const unwanted = starter.sparePid;
    await third.stop();
    starter.dispose();
    if (unwanted !== undefined) await untilGone(unwanted);
    expect((await traces()).transcripts).toHaveLength(3);
  } finally {
    starter.dispose();
    await stage.dispose();
  }
});
