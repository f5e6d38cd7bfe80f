import { describe, expect, it } from 'vitest';
import { sideSchemas } from '../../../src/protocol/sideFrame.ts';
import { systemSchemas } from '../../../src/protocol/systemFrame.ts';
import type { Fields } from './decoding.ts';
import { decode, fixture } from './decoding.ts';

const frames = fixture('frames.ndjson');

function kindOf(frame: Fields): string {
  return [frame['type'], frame['type'] === 'system' ? frame['subtype'] : undefined].filter(Boolean).join('/');
}

describe('frames of the present CLI', () => {
  it.each(frames.map((frame, index) => [`${index} ${kindOf(frame)}`, frame] as const))(
    'line %s decodes to its own kind, unchanged and without a word',
    (_name, raw) => {
      const { frame, problems } = decode(raw);
      expect(problems).toEqual([]);
      expect(frame).toEqual(raw);
    },
  );

  it.each(frames.map((frame, index) => [`${index} ${kindOf(frame)}`, frame] as const))(
    'line %s keeps fields that nobody has heard of, wherever the keys stand',
    (_name, raw) => {
      const turned = Object.fromEntries(Object.entries({ brand_new: { deep: [1] }, ...raw }).reverse());
      const { frame, problems } = decode(turned);
      expect(problems).toEqual([]);
      expect(frame).toEqual(turned);
    },
  );

  it('has a sample of every kind there is a schema for', () => {
    const conversation = ['assistant', 'user', 'stream_event', 'result', 'tool_progress'];
    const control = ['control_request', 'control_response'];
    const system = Object.keys(systemSchemas).map(subtype => `system/${subtype}`);
    const known = [...conversation, ...control, ...system, ...Object.keys(sideSchemas)];
    expect(new Set(frames.map(kindOf))).toEqual(new Set(known));
  });
});
