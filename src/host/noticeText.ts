import { cleanText } from './chat/cleanText.ts';

/**
 * Text of others for one of VS Code's own messages. There `[words](address)` becomes a link, also one that runs a command:
 * a gap between the two keeps it plain text.
 */
export function noticeText(text: string): string {
  return cleanText(text).replaceAll('](', '] (');
}

/** Text of others for a row of a list. There `$(name)` becomes an icon; escaped it is shown as it is. */
export function labelText(text: string): string {
  return cleanText(text).replace(/\$(?=\([\w-]+(?:~[\w-]+)?\))/g, '\\$');
}
