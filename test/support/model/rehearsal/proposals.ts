/** A change the rehearsal offers: the input of an Edit without its path. */
export interface Proposal {
  readonly why: string;
  readonly old_string: string;
  readonly new_string: string;
}

/**
 * Changes that fit the file as it is now, each applicable alone and in any order. A loop that never gives up gets a
 * limit; any other file gets a remark, so that the flow can be tried on every file and again after it was done.
 */
export function proposeEdits(path: string, content: string): Proposal[] {
  return proposeRetryLimit(content) ?? [proposeRemark(path, content)];
}

/** The whole file with changes at the top, in the middle and at the end: several hunks in one Write. */
export function proposeRewrite(path: string, content: string): string {
  const changed = proposeEdits(path, content).reduce(
    (text, edit) => text.replace(edit.old_string, () => edit.new_string),
    content,
  );
  const top = comment(path, 'Rewritten in rehearsal: take the hunks you like, leave the others.');
  const bottom = comment(path, 'End of the rewritten file.');
  return `${top}\n${changed.trimEnd()}\n\n${bottom}\n`;
}

function proposeRetryLimit(content: string): Proposal[] | undefined {
  const loop = /^([ \t]*)(?:while \(true\)|for \(;;\)) \{$/m.exec(content);
  if (!loop || content.includes('maxAttempts')) return undefined;
  const rest = content.slice(loop.index);
  const caught = /^([ \t]*)\} catch(?: \((\w+)\))? \{$/m.exec(rest);
  if (!caught) return undefined;
  const [header, indent = ''] = loop;
  const [clause, clauseIndent = '', name = 'error'] = caught;
  const edits = [
    {
      why: 'The loop counts its attempts now, and a constant says how many are enough.',
      old_string: header,
      new_string: `${indent}const maxAttempts = 5;\n${indent}for (let attempt = 1; ; attempt += 1) {`,
    },
    {
      why: 'After the last attempt the error is passed on instead of being swallowed.',
      old_string: clause,
      new_string: `${clauseIndent}} catch (${name}) {\n${clauseIndent}  if (attempt >= maxAttempts) throw ${name};`,
    },
  ];
  return edits.every(edit => isUnique(content, edit.old_string)) ? edits : undefined;
}

function proposeRemark(path: string, content: string): Proposal {
  const tail = uniqueTail(content);
  const remark = comment(path, 'A remark from the rehearsal.');
  return { why: 'This adds one harmless line at the end.', old_string: tail, new_string: `${tail}\n\n${remark}` };
}

/** The fewest last lines that occur only once in the file, so that an Edit finds one place. */
function uniqueTail(content: string): string {
  const lines = content.trimEnd().split('\n');
  for (let count = 1; count < lines.length; count += 1) {
    const tail = lines.slice(-count).join('\n');
    if (tail.trim() !== '' && isUnique(content, tail)) return tail;
  }
  return content.trimEnd();
}

function isUnique(content: string, piece: string): boolean {
  return content.split(piece).length === 2;
}

function comment(path: string, text: string): string {
  if (/\.(?:md|html|xml|svg|vue)$/i.test(path)) return `<!-- ${text} -->`;
  if (/\.(?:ts|tsx|js|jsx|mjs|cjs|mts|cts|java|c|h|cpp|cs|go|rs|swift|kt|css|scss|jsonc)$/i.test(path))
    return `// ${text}`;
  if (/\.(?:py|sh|rb|yml|yaml|toml)$/i.test(path)) return `# ${text}`;
  return text;
}
