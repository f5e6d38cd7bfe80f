import { describe, expect, it } from 'vitest';
import { presentNotFound, presentStop } from '../../../../src/host/chat/presentFailure.ts';
import { describeStartFailure } from '../../../../src/transport/startFailure.ts';
import { fill } from './fill.ts';

const systemError = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code });
const cardFor = (message: string) => presentStop({ code: 'failedToStart', message, stderrTail: '' }, fill);

describe('the card of an agent that could not be started', () => {
  it.each([
    ['ENOENT', '/', 'There is no program at /opt/claude.'],
    ['EACCES', '/', '/opt/claude cannot be run as a program.'],
    ['ENOENT', '/no/such/folder', 'The folder /no/such/folder is no longer there.'],
    ['E2BIG', '/', '/opt/claude cannot be started: its arguments and variables are too large.'],
    ['EAGAIN', '/', 'spawn EAGAIN'],
  ])('says in words what %s in %s means', (code, cwd, words) => {
    expect(cardFor(describeStartFailure(systemError(code), '/opt/claude', cwd))?.message).toBe(words);
  });

  it('leaves the program its own words', () => {
    expect(cardFor("error: unknown option '--nonsense'")?.message).toBe("error: unknown option '--nonsense'");
  });

  it('adds the exit code and what the program wrote last', () => {
    const reason = { code: 'failedToStart', message: 'No way.', exitCode: 1, stderrTail: 'a\u001b[31m trace' } as const;
    expect(presentStop(reason, fill)).toMatchObject({
      message: 'No way. It ended with exit code 1.',
      detail: 'a trace',
    });
  });
});

describe('the card of an agent that is not to be found', () => {
  it('lists every place that was looked at', () => {
    const tried = [
      { path: '/a/claude', source: 'path', outcome: 'notFound' },
      { path: 'C:\\claude.cmd', source: 'setting', outcome: 'refusedScript', detail: 'shim' },
    ] as const;
    expect(presentNotFound({ tried }, fill).tried).toEqual([
      'PATH: /a/claude – not there',
      'setting: C:\\claude.cmd – a script, which is not safe to start (shim)',
    ]);
  });
});

describe('the card of an agent that has ended', () => {
  it('is not shown for an end that was asked for', () => {
    expect(presentStop({ code: 'asked' }, fill)).toBeUndefined();
  });
});
