const mostFiles = 50;

export interface WentBack {
  /** As the agent knows them: relative to the session's folder where possible. */
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly undone: boolean;
}

/** Tells the agent, before the person's next words, which files are no longer as it left them. */
export function rewindNote(rewinds: readonly WentBack[]): string | undefined {
  const parts = rewinds.flatMap(partsOf);
  if (parts.length === 0) return undefined;
  return [
    ...parts,
    'What you remember of these files may be out of date: read them again before you build on them.',
  ].join('\n');
}

function partsOf({ restored, removed, undone }: WentBack): string[] {
  const back = undone
    ? 'The user undid a rewind. These files are again as they were before it:'
    : 'The user took these files back to an earlier state of this conversation:';
  const gone = undone
    ? 'These files, which the rewind had brought back, are gone again:'
    : 'These files, which were made since then, are gone:';
  return [...listed(back, restored), ...listed(gone, removed)];
}

function listed(head: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, mostFiles).map(path => `- ${path.replaceAll(/[\r\n<>]+/g, ' ')}`);
  if (paths.length > mostFiles) shown.push(`- and ${paths.length - mostFiles} more`);
  return [head, ...shown];
}
