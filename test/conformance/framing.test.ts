import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/protocol/decodeFrame.ts';
import type { HostFrame } from '../../src/protocol/hostFrame.ts';
import type { WireProblem } from '../../src/protocol/transport.ts';
import { SessionError } from '../../src/session/errors.ts';
import { Transcript } from '../../src/session/transcript/transcript.ts';
import { startChildTransport } from '../../src/transport/childTransport.ts';
import type { FakeCliScript } from '../support/cli/fakeCli.ts';
import { fakeCli } from '../support/cli/fakeCli.ts';
import { assistant, init, line, reversedKeys, result } from './support/records.ts';
import { readRecording } from './support/recording.ts';
import { LiveSession } from './support/stage.ts';

const open: LiveSession[] = [];

function fake(script: FakeCliScript, maxLineBytes?: number): LiveSession {
  const { command, args, cwd, env } = fakeCli(script);
  const limit = maxLineBytes === undefined ? {} : { maxLineBytes };
  const live = new LiveSession(startChildTransport({ command, args, cwd, env, ...limit }), cwd);
  open.push(live);
  return live;
}

afterEach(async () => {
  for (const live of open.splice(0)) await live.end();
});

const codes = (problems: readonly WireProblem[]) => problems.map(problem => problem.code);
const prompt = (text: string): HostFrame => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  session_id: '',
});

describe('framing', () => {
  it('S1: a record that the pipe cuts at every byte, also inside characters, arrives once and whole', async () => {
    const text = 'ä €, 日本語, 🚆👩‍🚀 und U+2028:\u2028 Ende';
    const record = line(assistant(text));
    const splitAt = Array.from(Buffer.from(record).keys()).slice(1);
    const live = fake({ answerRequests: false, steps: [{ do: 'raw', text: record, splitAt }] });
    await live.sees('the text is there', () => live.items.length > 0);
    await live.sees('it is said', () => live.said.length > 0);
    expect(live.kind('text').map(item => item.text)).toEqual([text]);
    expect(live.tap.problems).toEqual([]);
  });

  it('S2: records that come in one chunk arrive one after the other', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `sentence ${index}`);
    const live = fake({
      answerRequests: false,
      steps: [{ do: 'raw', text: texts.map(text => line(assistant(text))).join('') }],
    });
    await live.sees('all are there', () => live.kind('text').length === texts.length);
    expect(live.kind('text').map(item => item.text)).toEqual(texts);
  });

  it('S3: a last record without a line end is taken, a cut one is reported and dropped', async () => {
    const whole = fake({
      answerRequests: false,
      steps: [
        { do: 'raw', text: line(assistant('the last word')).trimEnd() },
        { do: 'exit', code: 0 },
      ],
    });
    await whole.session.ended;
    expect(whole.said).toBe('the last word');
    const cut = fake({
      answerRequests: false,
      steps: [
        { do: 'raw', text: line(assistant('before')) + line(assistant('cut')).slice(0, 60) },
        { do: 'exit', code: 0 },
      ],
    });
    await cut.session.ended;
    expect(cut.said).toBe('before');
    expect(codes(cut.tap.problems)).toEqual(['truncatedLine']);
  });

  it('S4: blank lines, CR before the line end and lines that are no records do no harm, and noise is logged', async () => {
    const noise = `\n\r\n   \nwarning: something a library printed\n[1,2]\n${line(assistant('after')).trimEnd()}\r\n`;
    const live = fake({ answerRequests: false, steps: [{ do: 'raw', text: line(assistant('before')) + noise }] });
    await live.sees('the second is there', () => live.kind('text').length === 2);
    expect(live.said).toBe('before\nafter');
    expect(codes(live.tap.problems)).toEqual(['noise', 'noise']);
    expect(live.log.lines.filter(entry => entry.startsWith('noise'))).toHaveLength(2);
  });

  it('S5: a line of 20 MiB is taken, one above the limit ends the session with a clear reason', async () => {
    const large = fake({ answerRequests: false, steps: [{ do: 'huge', bytes: 20 * 1024 * 1024 }] });
    await large.sees('the large record', () => large.tap.ofType('unknown').length === 1);
    expect(large.tap.problems.map(problem => problem.code)).toEqual(['unknownKind']);
    const tooLarge = fake({ answerRequests: false, steps: [{ do: 'huge', bytes: 3 * 1024 * 1024 }] }, 1024 * 1024);
    const reason = await tooLarge.session.ended;
    expect(reason).toMatchObject({ code: 'broken', message: expect.stringContaining('longer than allowed') as string });
    expect(codes(tooLarge.tap.problems)).toEqual(['lineTooLong']);
  });

  it('S6: unknown types, subtypes, blocks and words neither throw nor end the turn', async () => {
    const strange = [
      { type: 'from_the_future', uuid: 'u1', session_id: 's1' },
      { type: 'system', subtype: 'a_new_one', uuid: 'u2', session_id: 's1' },
      { type: 'assistant', message: { id: 'm', content: [{ type: 'hologram', x: 1 }] }, uuid: 'u3', session_id: 's1' },
      { type: 'system', subtype: 'status', status: 'meditating', uuid: 'u5', session_id: 's1' },
      { type: 'stream_event', event: { type: 'new_event' }, uuid: 'u6', session_id: 's1' },
      { type: 'rate_limit_event', rate_limit_info: { status: 'odd' }, uuid: 'u7', session_id: 's1' },
      { type: 7 },
    ];
    const live = fake({
      steps: [
        { do: 'waitFor', type: 'user' },
        ...[init(), ...strange, assistant('still here')].map(value => ({ do: 'line' as const, value })),
        { do: 'waitFor', type: 'control_request', subtype: 'get_session_cost' },
        { do: 'line', value: result() },
      ],
    });
    await live.ready;
    const done = live.turn('go');
    await live.sees('the last frame before the end', () => live.said === 'still here');
    expect(live.session.state.type).toBe('working');
    await live.session.requests.getSessionCost();
    expect(await done).toBe('completed');
    expect(live.log.lines.filter(entry => entry.startsWith('A listener failed'))).toEqual([]);
  });

  it('S7: the order of keys means nothing', () => {
    for (const name of ['tools', 'queue', 'failures']) {
      const plain = new Transcript({ clock: { now: () => 0, after: () => ({ dispose: () => undefined }) } });
      const turned = new Transcript({ clock: { now: () => 0, after: () => ({ dispose: () => undefined }) } });
      for (const record of readRecording(name)) {
        const as = (value: unknown) => decodeFrame(JSON.stringify(value), () => undefined);
        const [one, other] = [as(record), as(reversedKeys(record))];
        expect(other).toEqual(one);
        if (one !== undefined) plain.apply(one);
        if (other !== undefined) turned.apply(other);
      }
      expect(plain.items.length).toBeGreaterThan(3);
      expect(turned.items).toEqual(plain.items);
    }
  });

  it('S8: what is sent at once arrives as whole lines in order, and waits while the other end does not read', async () => {
    const record = join(mkdtempSync(join(tmpdir(), 'handrail-record-')), 'stdin.ndjson');
    const live = fake({
      record,
      steps: [
        { do: 'waitFor', type: 'control_request', subtype: 'initialize' },
        { do: 'pauseStdin' },
        { do: 'line', value: assistant('not reading') },
        { do: 'wait', ms: 300 },
        { do: 'resumeStdin' },
      ],
    });
    await live.sees('it has stopped reading', () => live.said === 'not reading');
    const texts = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(index % 3 === 0 ? 200_000 : 20)}`);
    let written = 0;
    const sends = texts.map(text => live.transport.send(prompt(text)).then(() => written++));
    await live.session.requests.getSessionCost();
    await Promise.all(sends);
    expect(written).toBe(texts.length);
    await live.end();
    const heard = readFileSync(record, 'utf8')
      .trimEnd()
      .split('\n')
      .map(text => JSON.parse(text) as HostFrame);
    const said = heard.flatMap(frame => (frame.type === 'user' ? [JSON.stringify(frame.message.content)] : []));
    expect(said).toEqual(texts.map(text => JSON.stringify([{ type: 'text', text }])));
  });

  it('S9: an exit while writing rejects what was sent and all that is asked, each once', async () => {
    const live = fake({
      answerRequests: false,
      steps: [
        { do: 'waitFor', type: 'control_request', subtype: 'initialize' },
        { do: 'pauseStdin' },
        { do: 'line', value: assistant('about to leave') },
        { do: 'wait', ms: 50 },
        { do: 'exit', code: 1 },
      ],
    });
    await live.sees('it is about to leave', () => live.said !== '');
    const outcomes: string[] = [];
    const note = (what: string) => (error: unknown) =>
      outcomes.push(`${what} ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`);
    live.transport.send(prompt('x'.repeat(4_000_000))).catch(note('send'));
    const asked = [live.session.requests.mcpStatus(), live.session.requests.getSettings()];
    for (const each of asked) each.catch(note('request'));
    await live.session.ended;
    await Promise.allSettled(asked);
    await live.sees('all are told', () => outcomes.length === 3);
    expect(outcomes.sort()).toEqual([
      expect.stringMatching(/^request (closed|sendFailed)$/),
      expect.stringMatching(/^request (closed|sendFailed)$/),
      expect.stringMatching(/^send (closed|writeFailed)$/),
    ]);
    await expect(live.session.requests.mcpStatus()).rejects.toThrow(SessionError);
  });

  it('S10: 10 MiB on stderr hold nothing up, and its end is kept', async () => {
    const live = fake({
      steps: [
        { do: 'stderr', bytes: 10 * 1024 * 1024 },
        { do: 'stderr', text: 'the last words\n' },
        { do: 'line', value: assistant('after the flood') },
        { do: 'waitFor', type: 'user' },
        { do: 'exit', code: 3 },
      ],
    });
    await live.sees('stdout goes on', () => live.said === 'after the flood');
    void live.turn('leave');
    const reason = await live.session.ended;
    expect(reason).toMatchObject({ code: 'crashed', exitCode: 3 });
    const tail = 'stderrTail' in reason ? reason.stderrTail : '';
    expect(tail).toMatch(/the last words\n?$/);
    expect(tail.length).toBeLessThan(100_000);
  });
});
