import type { Locator, Page } from '@playwright/test';
import fc from 'fast-check';
import type { ScriptedModel } from '../support/model/scriptedModel.ts';
import type { ModelRequest } from '../support/model/request.ts';
import { toolResultsOf } from '../support/model/request.ts';
import type { Chat } from './support/chat.ts';
import type { Editor } from './support/editor.ts';
import { prepared } from './support/environment.ts';
import { expect, test as base } from './support/fixtures.ts';
import type { Fault, Place, ScriptedTool, Sequence, Verdict } from './support/sequences.ts';
import { PlayedSequence, ScriptedTool as Tool, sequences } from './support/sequences.ts';
import { until } from './support/waiting.ts';
import type { AskedOnWire } from './support/wire.ts';
import { Wire } from './support/wire.ts';
import type { Workbench } from './support/workbench.ts';

/** `50` or `50:1234`: how many sequences, and the seed that makes them. This one meets every way to answer and every fault. */
const [count = 50, seed = 390] = (process.env['HANDRAIL_SEQUENCES'] ?? '').split(':').filter(Boolean).map(Number);

const test = base.extend<{ wire: Wire }>({
  wire: async ({ project }, use) => {
    await use(new Wire(project.root, prepared()));
  },
  claude: async ({ wire }, use) => {
    await use(wire.executable);
  },
});

const diffTab = (page: Page) => page.locator('.tabs-container .tab').filter({ hasText: 'proposal (Handrail)' });

/** A person at one window who plays sequence after sequence. */
class Player {
  /** How often each way to answer and each fault was met. */
  readonly met = new Map<string, number>();
  readonly times: number[] = [];
  readonly #model: ScriptedModel;
  readonly #editor: Editor;
  readonly #workbench: Workbench;
  readonly #wire: Wire;
  readonly #folder: string;
  #chat: Chat;
  #played: PlayedSequence | undefined;
  #count = 0;
  #crashes = 0;
  /** What was allowed, by tool: with the words that the person saw. */
  readonly #allowed = new Map<ScriptedTool, Set<'proposed' | 'shaped'>>();

  constructor(
    scene: { model: ScriptedModel; editor: Editor; workbench: Workbench; wire: Wire; folder: string },
    chat: Chat,
  ) {
    this.#model = scene.model;
    this.#editor = scene.editor;
    this.#workbench = scene.workbench;
    this.#wire = scene.wire;
    this.#folder = scene.folder;
    this.#chat = chat;
    this.#model.onRequest(request => this.#played?.turnFor(request));
  }

  async play(sequence: Sequence): Promise<void> {
    const from = Date.now();
    const played = new PlayedSequence(`s${++this.#count}`, sequence, this.#folder);
    this.#played = played;
    await this.#chat.prompt(played.prompt);
    const stale: ScriptedTool[] = [];
    let broken: Fault | undefined;
    if (played.isTogether) for (const one of played.tools) await expect(this.#card(one)).toBeVisible();
    for (const one of played.tools) {
      await expect(this.#card(one)).toBeVisible();
      const { move } = one;
      if (move.type === 'fault') {
        broken = move.fault;
        await this.#break(move.fault, one);
        break;
      }
      if (played.isTogether) this.#meet('together');
      if (move.type === 'race') await this.#race(one);
      else {
        if (move.shaped) await this.#shape(one, move.place);
        await this.#answer(one, move.place, move.verdict, move.shaped && this.#canShape(one, move.place));
        if (move.stale) stale.push(one);
      }
    }
    if (broken === undefined) await expect(this.#chat.answers.last()).toContainText(played.lastWords);
    await this.#chat.idle();
    for (const one of stale) await this.#pressStale(one);
    await this.#check(played, broken);
    await this.#editor.bridge.run(api => api.commands.executeCommand('notifications.clearAll'));
    this.times.push(Date.now() - from);
  }

  #meet(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }

  #card({ name, id }: ScriptedTool): Locator {
    return this.#chat.permission(name).filter({ hasText: id });
  }

  /** The notification of a question: it is on the screen for a while, and then in the list of all. */
  #notice({ id }: ScriptedTool): Locator {
    const text = new RegExp(`[A-Z][a-z]+ wants to .*${id}\\.txt`);
    return this.#workbench.page.locator('.notification-list-item').filter({ hasText: text });
  }

  async #noticeButton(one: ScriptedTool, name: string): Promise<Locator> {
    const button = this.#notice(one).getByRole('button', { name, exact: true });
    await until(`the notification of ${one.id}`, async () => {
      if (await button.isVisible()) return true;
      await this.#editor.bridge.run(api => api.commands.executeCommand('notifications.showList'));
      return undefined;
    });
    return button;
  }

  #allow(one: ScriptedTool, words: 'proposed' | 'shaped'): void {
    const known = this.#allowed.get(one) ?? new Set();
    this.#allowed.set(one, known.add(words));
  }

  #canShape({ kind }: ScriptedTool, place: Place): boolean {
    return kind !== 'bash' || place === 'card';
  }

  /** Changes what will run: the command on its card, the text on the right side of its diff. */
  async #shape(one: ScriptedTool, place: Place): Promise<void> {
    if (!this.#canShape(one, place)) return;
    if (one.kind === 'bash') {
      await this.#card(one).getByRole('textbox', { name: 'Command' }).fill(one.command(Tool.shaped));
      return;
    }
    if ((await diffTab(this.#workbench.page).filter({ hasText: one.id }).count()) === 0) {
      await this.#press(this.#card(one).getByRole('button', { name: 'Show Diff' }), async () => {
        await expect(diffTab(this.#workbench.page).filter({ hasText: one.id })).toBeVisible({ timeout: 400 });
      });
    }
    await until(`the proposal of ${one.id} in the editor`, () =>
      this.#editor.bridge.run(
        async (api, id, [from, to]) => {
          const document = api.workspace.textDocuments.find(
            ({ uri }) => uri.scheme === 'handrail-proposal' && uri.path.includes(id),
          );
          if (document === undefined) return undefined;
          const at = document.getText().indexOf(from);
          const edit = new api.WorkspaceEdit();
          edit.replace(document.uri, new api.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
          return api.workspace.applyEdit(edit);
        },
        one.id,
        [Tool.proposed, Tool.shaped] as const,
      ),
    );
    await expect(this.#card(one)).toContainText('Your changes in the diff will be written.');
  }

  async #answer(one: ScriptedTool, place: Place, verdict: Verdict, shaped: boolean): Promise<void> {
    // Commands and editor titles are about files only.
    const where = one.kind === 'bash' && place !== 'notification' ? 'card' : place;
    this.#meet(where);
    if (verdict === 'allow') this.#allow(one, shaped ? 'shaped' : 'proposed');
    const name = verdict === 'allow' ? 'Allow' : 'Deny';
    const command = verdict === 'allow' ? 'Accept Proposal' : 'Reject Proposal';
    const { page } = this.#workbench;
    const gone = async (): Promise<void> => expect(this.#card(one)).toBeHidden({ timeout: 400 });
    switch (where) {
      case 'card':
        await this.#press(this.#card(one).getByRole('button', { name, exact: true }), gone);
        break;
      case 'notification':
        await this.#press(await this.#noticeButton(one, name), gone);
        break;
      case 'title':
      case 'palette': {
        await this.#bringToFront(one);
        if (where === 'title') {
          await this.#press(page.locator('.editor-actions').getByRole('button', { name: command }).first(), gone);
        } else {
          await this.#until(gone, () => this.#workbench.runFromPalette(`Handrail: ${command}`));
        }
        break;
      }
    }
  }

  /** A command is about the diff in front. */
  async #bringToFront(one: ScriptedTool): Promise<void> {
    const active = this.#workbench.page.locator('.tabs-container .tab.active').filter({ hasText: `${one.id}.txt` });
    await this.#until(
      () => expect(active).toBeVisible({ timeout: 400 }),
      async () => {
        if (await active.isVisible()) return;
        await this.#card(one).getByRole('button', { name: 'Show Diff' }).click({ timeout: 2_000 });
      },
    );
  }

  async #race(one: ScriptedTool): Promise<void> {
    this.#meet('race');
    this.#allow(one, 'proposed');
    const yes = this.#card(one).getByRole('button', { name: 'Allow', exact: true });
    const no = await this.#noticeButton(one, 'Deny');
    await this.#until(
      () => expect(this.#card(one)).toBeHidden({ timeout: 400 }),
      async () => {
        await Promise.all([yes, no].map(button => button.click({ timeout: 1_500 }).catch(() => undefined)));
      },
    );
  }

  /** The buttons of a question that just came do nothing for a moment; like a person, this presses again. */
  async #press(button: Locator, done: () => Promise<void>): Promise<void> {
    await this.#until(done, () => button.click({ timeout: 2_000 }));
  }

  async #until(done: () => Promise<void>, act: () => Promise<unknown>): Promise<void> {
    let first = true;
    await expect(async () => {
      if (!first && (await holds(done))) return;
      first = false;
      await act();
      await done();
    }).toPass({ timeout: 30_000, intervals: [50] });
  }

  async #break(fault: Fault, one: ScriptedTool): Promise<void> {
    // After three deaths in a row Handrail waits for a person's word, which is another test's matter.
    const kind = fault === 'crash' && ++this.#crashes % 3 === 0 ? 'interrupt' : fault;
    this.#meet(kind);
    switch (kind) {
      case 'interrupt':
        await this.#chat.stop.click();
        break;
      case 'newSession':
        await this.#workbench.runCommand('handrail.newSession');
        // The turn that waits for an answer ends only at a person's word.
        await this.#workbench.page.getByRole('button', { name: 'Stop and Open Here' }).click();
        break;
      case 'crash':
        process.kill(this.#askedFor(one).pid, 'SIGKILL');
        break;
      case 'reload':
        await this.#workbench.reload();
        this.#chat = await this.#workbench.openChat();
        break;
    }
    for (const name of ['Write', 'Edit', 'Bash']) await expect(this.#chat.permission(name)).toHaveCount(0);
  }

  /** VS Code cannot take a notification back: its buttons must do nothing any more. */
  async #pressStale(one: ScriptedTool): Promise<void> {
    const button = this.#notice(one).getByRole('button', { name: 'Allow', exact: true });
    if (!(await button.isVisible())) return;
    await button.click();
    this.#meet('stale');
    await expect(this.#workbench.notification('This question is already answered.').first()).toBeVisible();
  }

  #askedFor({ toolUseId, id }: ScriptedTool): AskedOnWire {
    const asked = this.#wire.asked().filter(ask => ask.toolUseId === toolUseId);
    if (asked.length !== 1 || asked[0] === undefined) throw new Error(`${id} was asked ${asked.length} times.`);
    return asked[0];
  }

  async #check(played: PlayedSequence, broken: Fault | undefined): Promise<void> {
    const { page } = this.#workbench;
    await expect(diffTab(page)).toHaveCount(0);
    await expect(this.#workbench.statusBarItem('question waiting')).toHaveCount(0);
    const last = this.#model.conversation.findLast(({ kind }) => kind === 'main');
    for (const one of played.tools) {
      const asked = this.#wire.asked().filter(({ toolUseId }) => toolUseId === one.toolUseId);
      expect(asked.length, one.id).toBeLessThanOrEqual(1);
      const [ask] = asked;
      const behavior = ask?.answers[0]?.behavior;
      expect(ask?.answers.length ?? 0, `answers to ${one.id}`).toBeLessThanOrEqual(1);
      expect(['allow', 'deny', undefined], one.id).toContain(behavior);
      if (broken === undefined) expect(behavior, `the answer to ${one.id}`).toBeDefined();
      const may = this.#allowed.get(one) ?? new Set();
      if (behavior === 'allow') {
        expect(may.size, `${one.id} was allowed by nobody`).toBeGreaterThan(0);
        // An agent that ended right after the answer may not have come to it.
        if (broken === undefined) await until(`the end of ${one.id}`, () => (one.ran === 'nothing' ? undefined : true));
        if (one.ran !== 'nothing') expect([...may], `what ran of ${one.id}`).toContain(one.ran);
      } else expect(one.ran, `${one.id} ran without an allow`).toBe('nothing');
      if (broken === undefined && !played.isTogether) expect(refused(last, one)).toBe(behavior !== 'allow');
    }
  }
}

/** Whether the model was told that the tool did not run; undefined: it was told nothing, or more than one thing. */
function refused(request: ModelRequest | undefined, { toolUseId }: ScriptedTool): boolean | undefined {
  const results = request === undefined ? [] : toolResultsOf(request).filter(({ id }) => id === toolUseId);
  return results.length === 1 ? results[0]?.isError : undefined;
}

async function holds(check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}

test.describe('Questions', () => {
  test(`settle once, and nothing runs but what was allowed: ${count} sequences`, async ({
    model,
    project,
    workbench,
    editor,
    wire,
  }, info) => {
    test.setTimeout(60_000 + count * 8_000);
    await editor.bridge.run(async api => {
      const settings = api.workspace.getConfiguration();
      await settings.update('handrail.permissions.notify', 'always', true);
      // The chat goes to the left, where no notification can lie over it.
      await settings.update('workbench.sideBar.location', 'right', true);
    });
    const chat = await workbench.openChat();
    const player = new Player({ model, editor, workbench, wire, folder: project.folder }, chat);
    const from = Date.now();
    await fc.assert(
      fc.asyncProperty(sequences, sequence => player.play(sequence)),
      { seed, numRuns: count, endOnFailure: true },
    );
    const took = `${Math.round((Date.now() - from) / 1000)} s, ${JSON.stringify([...player.met])}, ${player.times.join(' ')}`;
    info.annotations.push({ type: 'sequences', description: took });
    // Fewer are for somebody who looks for a fault.
    const ways = 'card notification title palette race stale together interrupt crash newSession reload'.split(' ');
    if (count >= 50) expect([...player.met.keys()]).toEqual(expect.arrayContaining(ways));
  });
});
