import { joinTexts } from '../../bridge/joinTexts.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { PromptBlock } from '../../protocol/hostFrame.ts';
import type { PromptContent } from '../../session/prompt.ts';
import { textOf } from '../../session/prompt.ts';
import { splitContext, writeContext } from '../context/contextText.ts';

/** What goes out: the words, the files as `@` mentions that the CLI reads itself, pieces of the editor, the images as blocks. */
export function promptContent(text: string, attachments: readonly ViewAttachment[]): PromptContent {
  const mentions = attachments.flatMap(one => (one.kind === 'file' ? [mention(one.path)] : []));
  const pieces = attachments.flatMap(one => (one.kind === 'context' ? [writeContext(one)] : []));
  const words = [[text, ...mentions].filter(part => part !== '').join('\n'), ...pieces]
    .filter(part => part !== '')
    .join('\n\n');
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

/** What was sent, as the composer can hold it again. */
export interface ComposerContent {
  readonly text: string;
  readonly attachments: readonly ViewAttachment[];
}

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Several messages become one, in their order, with everything that went along with them. */
export function composerContent(contents: readonly PromptContent[], newId: () => string): ComposerContent {
  const parts = contents.map(content => splitContext(textOf(content)));
  return {
    text: joinTexts(parts.map(({ words }) => words)),
    attachments: [
      ...contents.flatMap(content => (typeof content === 'string' ? [] : imagesIn(content, newId))),
      ...parts.flatMap(({ pieces }) => pieces.map(piece => ({ kind: 'context' as const, id: newId(), ...piece }))),
    ],
  };
}

function imagesIn(blocks: readonly PromptBlock[], newId: () => string): ViewAttachment[] {
  return blocks.flatMap((block): ViewAttachment[] => {
    if (block.type !== 'image' || block.source.type !== 'base64') return [];
    const { media_type: sent, data } = block.source;
    const mediaType = imageTypes.find(type => type === sent);
    // The wire has no name for a picture.
    return mediaType === undefined
      ? []
      : [{ kind: 'image', id: newId(), name: mediaType.replace('/', '.'), mediaType, data }];
  });
}
