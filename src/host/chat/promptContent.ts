import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { PromptBlock } from '../../protocol/hostFrame.ts';
import type { PromptContent } from '../../session/prompt.ts';

/** What goes out: the words, the files as `@` mentions that the CLI reads itself, the images as blocks. */
export function promptContent(text: string, attachments: readonly ViewAttachment[]): PromptContent {
  const mentions = attachments.flatMap(one => (one.kind === 'file' ? [mention(one.path)] : []));
  const words = [text, ...mentions].filter(part => part !== '').join('\n');
  const images = attachments.flatMap((one): PromptBlock[] =>
    one.kind === 'image'
      ? [{ type: 'image', source: { type: 'base64', media_type: one.mediaType, data: one.data } }]
      : [],
  );
  return images.length === 0 ? words : [...images, { type: 'text', text: words }];
}

/** A path with spaces needs quotes, or the CLI reads its first word only. */
function mention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

/** A message of the conversation as it can be sent again: its words and its images. */
export function contentAgain(text: string, attachments: readonly ContentBlock[]): PromptContent {
  const images = attachments.flatMap((block): PromptBlock[] => {
    if (block.type !== 'image') return [];
    const { type, media_type: mediaType, data } = block.source;
    if (type !== 'base64' || mediaType === undefined || data === undefined) return [];
    return [{ type: 'image', source: { type: 'base64', media_type: mediaType, data } }];
  });
  return images.length === 0 ? text : [...images, { type: 'text', text }];
}
