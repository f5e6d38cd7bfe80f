import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = import.meta.dirname;
const peers = new Set(['real', 'fake', 'recorded', 'hand-made', 'pure']);

interface Statement {
  readonly number: number;
  readonly sentence: string;
  readonly file: string;
}

function testsInFiles(): Statement[] {
  const files = readdirSync(folder).filter(name => name.endsWith('.test.ts') && name !== 'table.test.ts');
  return files.flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/\bit\(\s*(['"`])S(\d+): (.*?)\1,/gs)].map(match => ({
      number: Number(match[2]),
      sentence: match[3] ?? '',
      file,
    }));
  });
}

function rowsOfTable(): (Statement & { readonly peer: string })[] {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  return [...text.matchAll(/^\| S(\d+)\s*\| (.*?)\s*\| `(.*?)`\s*\| (.*?)\s*\|$/gm)].map(match => ({
    number: Number(match[1]),
    sentence: match[2] ?? '',
    file: match[3] ?? '',
    peer: match[4] ?? '',
  }));
}

it('has every statement from 1 to 52 as exactly one test', () => {
  const numbers = testsInFiles().map(test => test.number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
});

it('lists the same tests in the README, each with the peer it ran against', () => {
  const rows = rowsOfTable();
  const byNumber = (a: Statement, b: Statement) => a.number - b.number;
  expect(rows.map(({ peer: _peer, ...row }) => row)).toEqual(testsInFiles().sort(byNumber));
  for (const { peer } of rows) for (const one of peer.split(' + ')) expect(peers).toContain(one);
});
