import { strict as assert } from 'node:assert';
import { proposalOf } from '../../src/session/proposal/fileProposal.ts';
import type { FileProposal } from '../../src/session/proposal/fileProposal.ts';
import { applyHunks, hunksOf } from '../../src/session/proposal/hunks.ts';
import { asShown, lineEndingsOf, linesOf } from '../../src/session/proposal/lineEndings.ts';
import { absentFile, decodeFile } from '../../src/session/proposal/presentFile.ts';
import type { Acceptance } from '../../src/session/proposal/updatedInput.ts';
import { updatedInputFor } from '../../src/session/proposal/updatedInput.ts';
import type { RandomBelow } from '../fuzz/randomNumbers.ts';
import { pick, randomNumbers } from '../fuzz/randomNumbers.ts';
import type { PermissionAnswer, PermissionAsk } from '../support/cli/realCliDriver.ts';
import type { BenchCall, BenchResult } from './proposalBench.ts';
import { ProposalBench, encoded, present } from './proposalBench.ts';

const batch = 25;
const words = ['', '}', 'a', 'b', '  a();', '\treturn "x";', 'it’s “so”', "it's", '$& $1', '😀 é', 'aa', 'a a', 'a  '];

/** One random file and call, and what the person made of it. */
interface Trial {
  readonly call: BenchCall;
  decided: Decided | undefined;
}

interface Decided {
  readonly proposal: FileProposal;
  readonly right: string;
  readonly acceptance: Acceptance;
}

/**
 * Random files and proposals, random choices of hunks and changes on the right side: what the real CLI writes when it
 * is given our answer is byte for byte what the person saw. Throws at the first difference; the seed repeats it.
 */
export async function acceptAgainAndAgain(count: number, seed: number, print: (line: string) => void): Promise<string> {
  const random = randomNumbers(seed);
  const seen: Record<Acceptance['type'], number> = { changed: 0, unchanged: 0, nothing: 0, refused: 0 };
  const bench = await ProposalBench.open();
  try {
    for (let done = 0; done < count; done += batch) {
      const trials = Array.from({ length: Math.min(batch, count - done) }, () => trial(random));
      const results = await bench.run(trials.map(({ call }) => call));
      trials.forEach((one, at) => {
        const result = results[at];
        assert(result !== undefined);
        seen[check(one, result)] += 1;
      });
      print(`${done + trials.length} of ${count}`);
    }
  } finally {
    await bench.dispose();
  }
  assert(seen.changed > count / 2, `only ${seen.changed} of ${count} were changed`);
  return Object.entries(seen)
    .map(([type, times]) => `${times} ${type}`)
    .join(', ');
}

function check({ call, decided }: Trial, { asked, bytes, error }: BenchResult): Acceptance['type'] {
  const about = JSON.stringify({
    tool: call.tool,
    input: call.input,
    bytes: call.bytes?.toString('latin1'),
    decided,
    error,
  });
  assert(asked !== undefined && decided !== undefined, `The CLI did not ask: ${about}`);
  const { acceptance, proposal, right } = decided;
  switch (acceptance.type) {
    case 'unchanged':
      assert.equal(hex(bytes), hex(encoded(proposal.after, proposal)), about);
      break;
    case 'changed':
      assert.equal(asShown(acceptance.text), asShown(right), about);
      if (['lf', 'crlf'].includes(lineEndingsOf(proposal.after))) assert.equal(acceptance.text, right, about);
      assert.equal(
        hex(bytes),
        hex(encoded(acceptance.text, { encoding: proposal.encoding, bom: acceptance.bom })),
        about,
      );
      break;
    case 'nothing':
      assert.equal(hex(bytes), hex(call.bytes), about);
      break;
    case 'refused':
      assert.equal(hex(bytes), hex(call.bytes), about);
      assert(['lineEndings', 'emptyFile', 'notEncodable'].includes(acceptance.code), about);
  }
  return acceptance.type;
}

function hex(bytes: Buffer | undefined): string {
  return bytes === undefined ? 'no file' : bytes.toString('hex');
}

/** A call that the CLI will ask about; few random ones are none, so a handful of tries is enough. */
function trial(random: RandomBelow): Trial {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const call = randomCall(random);
    const file = call.bytes === undefined ? absentFile() : decodeFile(call.bytes);
    const proposal = proposalOf(call.tool, { file_path: '/f', ...call.input }, file);
    if (proposal === undefined || proposal.problem !== undefined) continue;
    const made: Trial = {
      call: { ...call, onAsk: (ask, path) => decide(made, ask, path, random) },
      decided: undefined,
    };
    return made;
  }
  throw new Error('no call could be made up');
}

function randomCall(random: RandomBelow): BenchCall {
  const text = randomText(random);
  const bytes = random(12) === 0 ? undefined : stored(text, random);
  const extension = pick(['md', 'txt', 'ts'], random);
  // Trailing blanks of a proposal are cut by the CLI before it asks, and then there may be nothing to ask.
  const fresh = randomText(random).replaceAll(/[ \t]+(?=\r|\n|$)/g, '');
  if (random(3) === 0) return { tool: 'Write', input: { content: fresh }, bytes, extension };
  const memory = text.replaceAll('\r\n', '\n');
  const from = random(memory.length + 1);
  const old = bytes === undefined ? '' : memory.slice(from, from + random(60));
  return {
    tool: 'Edit',
    input: { old_string: old, new_string: fresh, replace_all: random(4) === 0 },
    bytes,
    extension,
  };
}

function decide(made: Trial, ask: PermissionAsk, path: string, random: RandomBelow): PermissionAnswer {
  const file = present(path);
  const proposal = proposalOf(ask.tool, ask.input, file);
  assert(proposal !== undefined);
  const hunks = hunksOf(proposal.before ?? '', proposal.after);
  const taken = new Set(hunks.filter(() => random(4) > 0).map(({ id }) => id));
  let right = applyHunks(proposal.before ?? '', hunks, taken);
  for (let changes = random(4); changes > 0; changes -= 1) right = typedInto(right, random);
  if (random(2) === 0) right = asAnEditorHolds(right, proposal);
  const acceptance = updatedInputFor({ toolName: ask.tool, input: ask.input }, file, right);
  made.decided = { proposal, right, acceptance };
  return acceptance.type === 'changed' || acceptance.type === 'unchanged'
    ? { behavior: 'allow', updatedInput: acceptance.input }
    : { behavior: 'deny', message: acceptance.type };
}

/** A line put in, taken out or replaced, or a few characters typed. */
function typedInto(text: string, random: RandomBelow): string {
  const lines = linesOf(text);
  const at = random(lines.length + 1);
  const end = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  switch (random(4)) {
    case 0:
      return lines.toSpliced(at, 0, `${pick(words, random)}${end}`).join('');
    case 1:
      return lines.toSpliced(at, 1 + random(2)).join('');
    case 2:
      return lines.toSpliced(at, 1, `mine ${pick(words, random)}${end}`).join('');
    default: {
      const characters = Array.from(text);
      return characters.toSpliced(random(characters.length + 1), random(2), pick(words, random)).join('');
    }
  }
}

/** One kind of line end throughout, as in a VS Code document: the one that most lines have. */
function asAnEditorHolds(text: string, { after }: FileProposal): string {
  const crlf = after.split('\r\n').length - 1;
  const all = linesOf(after).length;
  return asShown(text).replaceAll('\n', crlf * 2 > all ? '\r\n' : '\n');
}

function randomText(random: RandomBelow): string {
  const length = random(5) === 0 ? random(300) : random(12);
  const ends = pick([['\n'], ['\n'], ['\r\n'], ['\r\n'], ['\n', '\r\n'], ['\n', '\r\n', '\r\n', '\r']], random);
  const lines = Array.from({ length }, () => pick(words, random) + pick(ends, random));
  return lines.join('') + (random(3) === 0 ? pick(words, random) : '');
}

function stored(text: string, random: RandomBelow): Buffer {
  const kind = random(10);
  return encoded(text, { encoding: kind === 0 ? 'utf16le' : 'utf8', bom: kind < 2 });
}
