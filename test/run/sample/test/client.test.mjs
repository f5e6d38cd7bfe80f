// Reads the source, so that it runs on any Node without installing anything.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const source = readFileSync(new URL('../src/client.ts', import.meta.url), 'utf8');

test('the client retries', () => {
  assert.match(source, /catch/);
});

test('the client gives up at some time', () => {
  assert.match(source, /attempt/i, 'the loop in src/client.ts has no limit');
});
