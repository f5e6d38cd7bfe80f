import { resolvePath } from '../paths.ts';

/** What the CLI takes for a file to read: an `@` at the beginning or after a blank, and a path, perhaps in quotes. */
const mention = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]\S*))/g;
/** No blank and no mark: nothing to be seen, and enough for the CLI not to read on. */
const wordJoiner = '\u2060';

/** The files that the mentions in a text may mean, seen from the folder of the session. */
export function mentionedFiles(text: string, cwd: string): readonly string[] {
  return [...text.matchAll(mention)].flatMap(([, quoted, plain]) => meanings(quoted ?? plain ?? '', cwd));
}

/**
 * The text without mentions of files that are there: what somebody selected was not written as an order to read files.
 * Whatever else begins with an `@` stays as it is, for the agent may have to find it in a file again.
 */
export function withoutMentions(text: string, cwd: string, exists: (path: string) => boolean): string {
  return text.replace(mention, (whole, quoted?: string, plain?: string) =>
    meanings(quoted ?? plain ?? '', cwd).some(exists) ? wordJoiner + whole : whole,
  );
}

/** As it is written, and without the marks of the sentence or the lines behind it. */
function meanings(path: string, cwd: string): readonly string[] {
  const withoutLines = path.replace(/#L?\d.*$/, '');
  const withoutMarks = withoutLines.replace(/[^\p{L}\p{N}_/\\-]+$/u, '');
  return [...new Set([path, withoutLines, withoutMarks])].filter(one => one !== '').map(one => resolvePath(one, cwd));
}
