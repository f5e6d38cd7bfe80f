/** What a person may call a session. Longer titles are of no use in any list. */
const MAX_TITLE = 200;

/** The line by which a session gets a name, as the CLI writes it. The last one in the file counts. */
export function customTitleLine(sessionId: string, title: string): string {
  return JSON.stringify({ type: 'custom-title', customTitle: cleanTitle(title), sessionId });
}

/** One line, without what a terminal or a list would take for more than text. */
export function cleanTitle(title: string): string {
  return title
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .trimEnd();
}
