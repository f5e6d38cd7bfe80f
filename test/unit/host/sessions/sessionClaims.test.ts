import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { SessionClaims } from '../../../../src/host/sessions/sessionClaims.ts';
import type { RunningCommand } from '../../../../src/host/sessions/sessionHolder.ts';

const id = '11111111-1111-4111-8111-111111111111';
const agent = (pid: number) => ({ pid, args: ['claude', '--input-format', 'stream-json'] });
const running =
  (...commands: readonly RunningCommand[]) =>
  () =>
    Promise.resolve(commands);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-claims-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('A session begun in one window is known to be held in another, until its process is done', async () => {
  const [here, there] = [new SessionClaims(folder, silentLogger), new SessionClaims(folder, silentLogger)];
  here.claim(new Map([[7, id]]));
  await here.settled();
  expect(await there.holders(id, running(agent(7), agent(8)))).toEqual([7]);
  expect(await there.holders('another', running(agent(7)))).toEqual([]);
  here.claim(new Map());
  await here.settled();
  expect(await there.holders(id, running(agent(7)))).toEqual([]);
});

it('A process that is gone holds nothing, nor does one that has taken over its number', async () => {
  const claims = new SessionClaims(folder, silentLogger);
  claims.claim(
    new Map([
      [7, id],
      [8, id],
    ]),
  );
  await claims.settled();
  const other = new SessionClaims(folder, silentLogger);
  expect(await other.holders(id, running({ pid: 8, args: ['vim', 'notes'] }))).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
});

it('Two windows on one session do not take away each other’s claims', async () => {
  const [here, there] = [new SessionClaims(folder, silentLogger), new SessionClaims(folder, silentLogger)];
  here.claim(new Map([[7, id]]));
  there.claim(new Map([[8, id]]));
  await there.settled();
  there.claim(new Map());
  await Promise.all([here.settled(), there.settled()]);
  expect(await there.holders(id, running(agent(7), agent(8)))).toEqual([7]);
});

it('The claims of a window that was killed are swept out, whatever their session, and those of the living stay', async () => {
  const killed = new SessionClaims(folder, silentLogger);
  killed.claim(
    new Map([
      [7, 'one'],
      [8, 'two'],
      [9, 'three'],
    ]),
  );
  await killed.settled();
  const here = new SessionClaims(folder, silentLogger);
  expect(await here.holders(id, running(agent(9)))).toEqual([]);
  expect(await readdir(folder)).toEqual(['three.9']);
});

it('A claim that comes while the processes are listed is not taken for one of the dead', async () => {
  const [here, there] = [new SessionClaims(folder, silentLogger), new SessionClaims(folder, silentLogger)];
  await here.holders(id, async () => {
    there.claim(new Map([[7, id]]));
    await there.settled();
    return [];
  });
  expect(await readdir(folder)).toEqual([`${id}.7`]);
});

it('A folder that is not there yet holds no claims', async () => {
  expect(await new SessionClaims(join(folder, 'none'), silentLogger).holders(id, running(agent(7)))).toEqual([]);
});
