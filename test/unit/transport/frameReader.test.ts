import { describe, expect, it } from 'vitest';
import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import type { WireProblem } from '../../../src/protocol/transport.ts';
import { FrameReader } from '../../../src/transport/frameReader.ts';

function read(text: string) {
  const frames: CliFrame[] = [];
  const problems: WireProblem[] = [];
  const reader = new FrameReader({
    onFrame: frame => frames.push(frame),
    onProblem: problem => problems.push(problem),
  });
  reader.push(Buffer.from(text));
  reader.end();
  return { frames: frames.map(frame => frame.type), problems: problems.map(problem => problem.code) };
}

describe('a frame reader', () => {
  it('reports a broken record and reads the one after it', () => {
    expect(read('{"type":\n{"type":"keep_alive"}\n')).toEqual({ frames: ['keep_alive'], problems: ['invalidJson'] });
  });

  it('calls a record cut by the end of the stream truncated, not invalid', () => {
    expect(read('{"type":"keep_alive"}\n{"type":"assis')).toEqual({
      frames: ['keep_alive'],
      problems: ['truncatedLine'],
    });
  });

  it('reads a whole record at the end of the stream though it has no line feed', () => {
    expect(read('{"type":"keep_alive"}')).toEqual({ frames: ['keep_alive'], problems: [] });
  });
});
