import { silentLogger } from '../../../src/base/logger.ts';
import { ProcessLedger } from '../../../src/host/processes/processLedger.ts';
import type { StartRequest } from '../../../src/host/sessions/sessionStarter.ts';
import { SessionStarter } from '../../../src/host/sessions/sessionStarter.ts';
import type { AgentSession } from '../../../src/session/agentSession.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import { startChildTransport } from '../../../src/transport/childTransport.ts';
import { cliArguments } from '../../../src/transport/flags.ts';
import { cliPath } from '../../support/cli/realCli.ts';
import type { Stage } from './stage.ts';

/** Starts sessions as a window does, with a spare process from the second conversation on. */
export async function starterOn(stage: Stage): Promise<SessionStarter> {
  const command = await cliPath();
  return new SessionStarter({
    find: () => Promise.resolve({ found: { path: command, source: 'setting' }, tried: [] }),
    ledger: new ProcessLedger(),
    plan: ({ cwd, from }) => ({ command, args: cliArguments({ start: from }), cwd, env: stage.environment() }),
    connect: plan => {
      const transport = startChildTransport(plan);
      return { transport, ...(transport.pid === undefined ? {} : { pid: transport.pid }) };
    },
    logger: silentLogger,
  });
}

export async function startNew(starter: SessionStarter, cwd: string): Promise<AgentSession> {
  const transcript = new Transcript({ logger: silentLogger });
  const request: StartRequest = { cwd, from: { kind: 'new' }, transcript, mode: 'default', model: '' };
  const outcome = await starter.start(request);
  if (outcome.type !== 'started') throw new Error('The program was not found.');
  return outcome.session;
}
