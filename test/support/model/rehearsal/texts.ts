/** What a person can type, in the order of the help table. */
export const menu: readonly (readonly [words: string, what: string])[] = [
  ['markdown', 'an answer with headings, lists, a table, code, a file link and a footnote'],
  ['edit', 'reads a file and changes it in two steps (`edit README.md` takes another file)'],
  ['rewrite', 'one change with several hunks, to take or leave one by one'],
  ['create', 'writes a new file'],
  ['run', 'runs `npm test`; put another command in backticks: run `mkdir notes`'],
  ['plan', 'plan mode: writes a plan, asks for approval, then carries it out'],
  ['question', 'asks you two questions, one with a single and one with several choices'],
  ['subagent', 'a subagent reads two files and reports (`background agent`: while you go on)'],
  ['parallel', 'several tools in one answer, each asking for itself'],
  ['todo', 'works through a task list'],
  ['think', 'thinks aloud before it answers'],
  ['long', 'a long answer of more than a minute: for Stop, scrolling and queued messages'],
  ['big', 'a shell command with a very large output'],
  ['error', 'fails twice, then recovers (`error 401`, `429`, `529`, `400`, `cut`: other failures)'],
];

export function helpText(): string {
  const rows = menu.map(([words, what]) => `| **${words}** | ${what} |`);
  return [
    'This is a **rehearsal**: the real Claude Code program with a scripted model behind it. There is no account and no',
    'real model, nothing leaves this computer, and nothing costs anything. The tools, files and permissions are real.',
    '',
    '| Type | What happens |',
    '| --- | --- |',
    ...rows,
    '',
    'Say no to a request, edit a proposal before you accept it, or press Stop: the script notices and goes on from there.',
  ].join('\n');
}

export function markdownText(file: string): string {
  return `# A plain answer

The client retries for ever. Here is what I would do about it, and why.[^1]

## What to change

1. Count the attempts.
2. Wait a little longer each time.
   - with a ceiling
   - and some *jitter*, so that clients do not come back **all at once**
3. Give up and pass the error on.

- [x] Read the code
- [ ] Change the loop, see ${file}:11
- [ ] Run the tests

| Attempt | Wait | Total |
| ------: | ---: | ----: |
| 1 | 100 ms | 0.1 s |
| 2 | 200 ms | 0.3 s |
| 3 | 400 ms | 0.7 s |

### The idea in code

\`\`\`ts
export async function retry<T>(call: () => Promise<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= attempts) throw error;
      await delay(100 * 2 ** (attempt - 1));
    }
  }
}
\`\`\`

> A retry without a limit is an outage that has not been noticed yet.

Inline code such as \`retry()\`, a [link](https://code.visualstudio.com/docs), and a line break
end this answer.

[^1]: This is a rehearsal: the text is scripted.
`;
}

const sentences = [
  'A client that retries helps its server only if it knows when to stop.',
  'Each attempt costs a connection, a slot in a queue, and a little of the patience of whoever is waiting.',
  'Waiting twice as long after each failure gives the other side room to recover.',
  'A ceiling keeps the wait within what a person would accept.',
  'Jitter spreads the attempts of many clients, so that they do not arrive together.',
  'An error that was passed on can be shown, logged and counted; one that was swallowed can only surprise.',
  'Tests of retry code should drive the clock by hand, since sleeping tests are slow and still guess.',
];

/** Sixty sections: at forty pieces a second more than a minute of text. */
export function longText(): string {
  const sections = Array.from({ length: 60 }, (_, at) => {
    const body = [0, 1, 2, 3].map(offset => sentences[(at + offset) % sentences.length]).join(' ');
    return `## Part ${at + 1} of 60\n\n${body}\n`;
  });
  return `# A long answer\n\nPress **Stop** whenever you like, or scroll up while it grows.\n\n${sections.join('\n')}\nThat was all of it.`;
}

export const planText = `# Give the client's retry loop a limit

## Why
The loop in \`src/client.ts\` never gives up: a server that is down keeps every caller waiting.

## Steps
1. Count the attempts in the loop.
2. Pass the error on after the fifth.
3. Run the tests.

## Not part of this
Back-off and jitter: worth having, but a change of their own.
`;

export const backoffSource = `/** Milliseconds to wait before an attempt: doubles each time, up to a ceiling. */
export function backoff(attempt: number, baseMs = 100, ceilingMs = 5_000): number {
  return Math.min(ceilingMs, baseMs * 2 ** Math.max(0, attempt - 1));
}
`;
