/** What a long run does to a window, and what it looks at. */
export interface SoakStage {
  /** Opens a chat in a tab, talks in it and closes it. `way` differs from cycle to cycle. */
  cycle(way: SoakWay): Promise<void>;
  reload(): Promise<void>;
  measure(): Promise<SoakMeasure>;
}

/** How a conversation of a cycle goes: to its end, stopped in the middle, or left in the middle by closing its tab. */
export const soakWays = ['finished', 'interrupted', 'abandoned'] as const;
export type SoakWay = (typeof soakWays)[number];

export interface SoakMeasure {
  /** Bytes in use in the extension host after a collection. */
  readonly heap: number;
  /** Open handles and pending work of the extension host. */
  readonly handles: number;
  /** Agents that run although no chat is open. */
  readonly agents: number;
}

export interface SoakOptions {
  readonly seconds: number;
  /** A host fills its caches first: growth counts from this cycle of its life on. */
  readonly warmUp: number;
  /** Cycles between two reloads. */
  readonly reloadEvery: number;
  readonly now?: () => number;
  readonly log: (line: string) => void;
}

export interface SoakResult {
  readonly cycles: number;
  readonly reloads: number;
  /** One for each life of an extension host that was long enough to judge. */
  readonly lives: readonly { readonly from: SoakMeasure; readonly to: SoakMeasure; readonly cycles: number }[];
  readonly agentsLeft: number;
}

/** Opens, talks, interrupts, closes and reloads until the time is over. */
export async function soak(stage: SoakStage, options: SoakOptions): Promise<SoakResult> {
  const { seconds, warmUp, reloadEvery, now = Date.now, log } = options;
  const end = now() + seconds * 1000;
  const lives: { from: SoakMeasure; to: SoakMeasure; cycles: number }[] = [];
  let [cycles, reloads, agentsLeft] = [0, 0, 0];
  while (now() < end) {
    let from: SoakMeasure | undefined;
    let last: SoakMeasure | undefined;
    let inLife = 0;
    while (inLife < reloadEvery && now() < end) {
      await stage.cycle(soakWays[cycles % soakWays.length] ?? 'finished');
      cycles += 1;
      inLife += 1;
      if (inLife < warmUp) continue;
      last = await stage.measure();
      agentsLeft = Math.max(agentsLeft, last.agents);
      from ??= last;
      log(`cycle ${cycles}: ${(last.heap / 1e6).toFixed(1)} MB, ${last.handles} handles, ${last.agents} agents`);
    }
    if (from !== undefined && last !== undefined && inLife > warmUp) lives.push({ from, to: last, cycles: inLife });
    if (now() >= end) break;
    await stage.reload();
    reloads += 1;
  }
  return { cycles, reloads, lives, agentsLeft };
}

export interface SoakLimits {
  /** By how much the heap of one host may grow, as a part of it. */
  readonly heapGrowth: number;
  readonly handleGrowth: number;
}

/** What was not flat; empty when all was. */
export function soakFaults(result: SoakResult, limits: SoakLimits): string[] {
  const faults = result.agentsLeft === 0 ? [] : [`${result.agentsLeft} agents were left running`];
  if (result.lives.length === 0) faults.push('The run was too short to judge');
  for (const { from, to, cycles } of result.lives) {
    if (to.heap > from.heap * (1 + limits.heapGrowth)) {
      faults.push(`The heap grew from ${from.heap} to ${to.heap} bytes in ${cycles} cycles`);
    }
    if (to.handles > from.handles + limits.handleGrowth) {
      faults.push(`Handles grew from ${from.handles} to ${to.handles} in ${cycles} cycles`);
    }
  }
  return faults;
}
