import { cleanText } from './chat/cleanText.ts';

/**
 * Text of others for one of VS Code's own messages. There `[words](address)` becomes a link, also one that runs a command:
 * a gap between the two keeps it plain text.
 */
export function noticeText(text: string): string {
  return cleanText(text).replaceAll('](', '] (');
}
