import { Gate } from '../support/model/gate.ts';
import { say } from '../support/model/script.ts';
import type { SoakWay } from '../soak/soakRun.ts';
import { soak, soakFaults } from '../soak/soakRun.ts';
import { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import { until } from './support/waiting.ts';

const seconds = Number(process.env['HANDRAIL_SOAK_SECONDS'] ?? 30);
const isShort = seconds < 300;

test('Sessions, tabs, interrupts and reloads stay flat in memory, handles and processes', async ({
  model,
  workbench,
  editor,
  page,
}) => {
  test.setTimeout(seconds * 1000 + 120_000);
  const agents = async (): Promise<number> => (await editor.processes.claude()).length;
  let count = 0;

  const cycle = async (way: SoakWay): Promise<void> => {
    count += 1;
    const name = `Cycle ${count}.`;
    model.enqueue(way === 'finished' ? say('All of it.') : say('Half of ', new Gate(), 'it.'));
    await workbench.runCommand('Handrail: New Session in Editor');
    const chat = await until('a new chat', async () => {
      const found = await Chat.find(page, 'editor');
      return (await found.composer.isVisible()) ? found : undefined;
    });
    await chat.prompt(name);
    await expect(chat.answers.last()).toContainText(way === 'finished' ? 'All of it.' : 'Half of');
    if (way === 'interrupted') await chat.stop.click();
    if (way !== 'abandoned') await chat.idle();
    await editor.bridge.run(async api => {
      await api.commands.executeCommand('workbench.action.closeAllEditors');
    });
    // Only the spare, which waits for the next session, may be there.
    await until('the end of the agent', async () => ((await agents()) <= 1 ? true : undefined));
  };

  const result = await soak(
    {
      cycle,
      reload: () => workbench.reload(),
      measure: async () => {
        const { heap, handles } = await editor.bridge.run(() => {
          const load = (id: string): unknown => process.getBuiltinModule(id);
          const v8 = load('node:v8') as { setFlagsFromString(flag: string): void };
          const vm = load('node:vm') as { runInNewContext(code: string): () => void };
          v8.setFlagsFromString('--expose-gc');
          const collect = vm.runInNewContext('gc');
          collect();
          collect();
          return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
        });
        return { heap, handles, agents: Math.max(0, (await agents()) - 1) };
      },
    },
    {
      seconds,
      reloadEvery: isShort ? 5 : 25,
      log: line => test.info().annotations.push({ type: 'soak', description: line }),
    },
  );

  expect(soakFaults(result, { heapGrowth: isShort ? 0.1 : 0.05, handleGrowth: 5 })).toEqual([]);
  expect(result.cycles).toBeGreaterThan(3);
  await page.close({ runBeforeUnload: true });
  await until('the end of every agent', async () => ((await agents()) === 0 ? true : undefined));
});
