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
  /** Only the spare, which waits for the next session, may be there once the others had time to leave. */
  const agentsLeft = async (): Promise<number> => {
    for (const end = Date.now() + 10_000; Date.now() < end;) if ((await agents()) <= 1) return 0;
    return (await agents()) - 1;
  };
  let count = 0;

  const cycle = async (way: SoakWay): Promise<void> => {
    count += 1;
    const name = `Cycle ${count}.`;
    model.enqueue(way === 'finished' ? say('All of it.') : say('Half of ', new Gate(), 'it.'));
    await workbench.runCommand('handrail.newSessionInEditor');
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
    expect(await agentsLeft()).toBe(0);
  };

  const result = await soak(
    {
      cycle,
      reload: () => workbench.reload(),
      measure: async () => {
        const { heap, handles } = await editor.bridge.run(async () => {
          const load = (id: string): unknown => process.getBuiltinModule(id);
          const v8 = load('node:v8') as { setFlagsFromString(flag: string): void };
          const vm = load('node:vm') as { runInNewContext(code: string): (how: object) => void };
          v8.setFlagsFromString('--expose-gc');
          // A plain collection keeps compiled code that was used lately, and a young host compiles more of it in every cycle.
          vm.runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
          const heap = process.memoryUsage().heapUsed;
          // What is being read or asked at this moment is no handle that stays: the calmest of a few looks counts.
          let handles = Infinity;
          for (let look = 0; look < 5; look += 1) {
            const kept = process.getActiveResourcesInfo().filter(kind => !kind.startsWith('FSReq'));
            handles = Math.min(handles, kept.length);
            await new Promise(resolve => setTimeout(resolve, 50));
          }
          return { heap, handles };
        });
        return { heap, handles, agents: await agentsLeft() };
      },
    },
    {
      seconds,
      warmUp: isShort ? 3 : 15,
      reloadEvery: isShort ? 6 : 50,
      log: line => {
        test.info().annotations.push({ type: 'soak', description: line });
        // Whoever waits for an hour wants to see how it goes.
        if (!isShort) process.stdout.write(`${line}\n`);
      },
    },
  );

  expect(soakFaults(result, { heapGrowth: 0.05, handleGrowth: 5 })).toEqual([]);
  expect(result.cycles).toBeGreaterThan(3);
  await page.close({ runBeforeUnload: true });
  await until('the end of every agent', async () => ((await agents()) === 0 ? true : undefined));
});
