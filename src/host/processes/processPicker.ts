import * as vscode from 'vscode';
import type { Chats } from '../chat/chats.ts';
import type { AgentProcess, ProcessLedger } from './processLedger.ts';
import type { ProcessFacts } from './processRow.ts';
import { processRow } from './processRow.ts';
import type { ProcessUsage } from './processUsage.ts';
import { readUsage } from './processUsage.ts';

export interface ProcessPickerOptions {
  readonly ledger: ProcessLedger;
  readonly chats: Chats;
  readonly spare: { readonly pid: () => number | undefined; readonly stop: () => void };
}

interface Row extends vscode.QuickPickItem {
  readonly pid?: number;
}

const refreshMs = 2_000;

/** Every agent of the window: what it is, what it uses, and a way to end it. */
export async function showProcesses(options: ProcessPickerOptions): Promise<void> {
  const { ledger } = options;
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('Agent processes');
  pick.placeholder = vscode.l10n.t('Choose one to show its session');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = [{ iconPath: new vscode.ThemeIcon('stop-circle'), tooltip: vscode.l10n.t('Stop all') }];
  const table = new UsageTable();
  const fill = async (): Promise<void> => {
    const rows = await table.rows(options);
    const active = pick.activeItems[0]?.pid;
    pick.items = rows;
    pick.activeItems = rows.filter(row => row.pid !== undefined && row.pid === active);
  };
  pick.show();
  try {
    await new Promise<void>((resolve, reject) => {
      const refresh = (): void => void fill().catch(reject);
      const timer = setInterval(refresh, refreshMs);
      const changes = ledger.onDidChange(refresh);
      pick.onDidHide(() => {
        clearInterval(timer);
        changes.dispose();
        resolve();
      });
      pick.onDidTriggerButton(() => void stopAll(options).catch(reject));
      pick.onDidTriggerItemButton(({ item, button }) => {
        void press(options, item, button).then(fill).catch(reject);
      });
      pick.onDidAccept(() => {
        const chat = chatOf(options, pick.activeItems[0]?.pid);
        pick.hide();
        if (chat !== undefined) void options.chats.reveal(chat).catch(reject);
      });
      refresh();
    });
  } finally {
    pick.dispose();
  }
}

/** Reads the usage and remembers the last one, for the load between two looks. */
class UsageTable {
  readonly #before = new Map<number, { usage: ProcessUsage; at: number }>();

  async rows(options: ProcessPickerOptions): Promise<Row[]> {
    const entries = options.ledger.all;
    const spare = options.spare.pid();
    const now = Date.now();
    const usage = await readUsage([...entries.map(({ pid }) => pid), ...(spare === undefined ? [] : [spare])]);
    const rows = entries.map(entry => this.#row(this.#facts(entry, options), usage.get(entry.pid), now));
    if (spare !== undefined) {
      const facts = { pid: spare, title: vscode.l10n.t('Spare'), cwd: '', startedAt: now, state: 'spare' as const };
      rows.push(this.#row({ ...facts, stateSince: now }, usage.get(spare), now, false));
    }
    return rows.length > 0 ? rows : [{ label: vscode.l10n.t('No agent is running'), alwaysShow: true }];
  }

  #facts({ pid, version, cwd, startedAt, state, stateSince, session }: AgentProcess, { chats }: ProcessPickerOptions) {
    const chat = chats.all.find(one => one.session === session);
    const title = chat === undefined ? vscode.l10n.t('Ending') : chat.title || vscode.l10n.t('New session');
    return { pid, title, cwd, startedAt, state, stateSince, ...(version === undefined ? {} : { version }) };
  }

  #row(facts: ProcessFacts, usage: ProcessUsage | undefined, now: number, restartable = true): Row {
    const before = this.#before.get(facts.pid);
    if (usage !== undefined) this.#before.set(facts.pid, { usage, at: now });
    const shown = {
      ...facts,
      ...(usage === undefined ? {} : { usage }),
      ...(before === undefined ? {} : { before }),
    };
    const stop = { iconPath: new vscode.ThemeIcon('debug-stop'), tooltip: vscode.l10n.t('Stop') };
    const restart = { iconPath: new vscode.ThemeIcon('debug-restart'), tooltip: vscode.l10n.t('Restart') };
    return {
      ...processRow(shown, now, vscode.l10n.t),
      pid: facts.pid,
      buttons: restartable ? [restart, stop] : [stop],
    };
  }
}

function chatOf({ ledger, chats }: ProcessPickerOptions, pid: number | undefined) {
  const session = ledger.all.find(entry => entry.pid === pid)?.session;
  return session === undefined ? undefined : chats.all.find(chat => chat.session === session);
}

async function press(options: ProcessPickerOptions, { pid }: Row, button: vscode.QuickInputButton): Promise<void> {
  if (pid === options.spare.pid()) {
    options.spare.stop();
    return;
  }
  const chat = chatOf(options, pid);
  const restart = button.iconPath instanceof vscode.ThemeIcon && button.iconPath.id === 'debug-restart';
  if (chat === undefined) await options.ledger.all.find(entry => entry.pid === pid)?.session.stop();
  else if (restart) await chat.restart();
  else await chat.rest();
}

async function stopAll({ chats, ledger, spare }: ProcessPickerOptions): Promise<void> {
  spare.stop();
  await Promise.all(chats.all.map(chat => chat.rest()));
  await Promise.all(ledger.all.map(entry => entry.session.stop()));
}
