import type { JSX } from 'preact';
import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import type { AttachmentView, PromptView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { imageTypes } from '../app/viewState.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/iconButton.tsx';
import { CopyButton, MessageActions } from './messageActions.tsx';

const longLines = 14;
const longText = 1200;

/** What the person said: the only filled block, so that a session can be scanned by it. */
export function PromptRow({ item }: { item: PromptView }): JSX.Element {
  const app = useApp();
  const note = stateNote(item);
  return (
    <div class={`prompt prompt-${item.state}${item.synthetic ? ' prompt-synthetic' : ''}`}>
      <PromptText item={item} />
      {item.attachments.length > 0 && (
        <div class="chips">
          {item.attachments.map(attachment => (
            <PromptAttachment key={attachment.id} attachment={attachment} />
          ))}
        </div>
      )}
      {note !== undefined && <div class="prompt-note">{app.t(note)}</div>}
      <MessageActions at={item.at}>
        {item.rewindable && (
          <IconButton
            icon="discard"
            label={app.t('rewindHere')}
            onClick={() => app.post({ type: 'rewind', itemId: item.id })}
          />
        )}
        {(item.state === 'completed' || item.state === 'interrupted' || item.state === 'cancelled') && (
          <IconButton
            icon="refresh"
            label={app.t('retry')}
            onClick={() => app.post({ type: 'resend', itemId: item.id })}
          />
        )}
        <IconButton
          icon="edit"
          label={app.t('editAndResend')}
          onClick={() => app.compose({ type: 'giveBack', text: item.text, attachments: attachmentsAgain(item) })}
        />
        <CopyButton text={item.text} label={app.t('copyMessage')} />
      </MessageActions>
    </div>
  );
}

/** What went along with a message, for the composer to hold again. */
function attachmentsAgain(item: PromptView): ViewAttachment[] {
  return item.attachments.flatMap(({ preview = '', name, kind, text }): ViewAttachment[] => {
    if (kind !== 'image' && text !== undefined) {
      return [{ kind: 'context', id: crypto.randomUUID(), name, what: kind, text }];
    }
    const [, type, data] = /^data:([^;]+);base64,(.+)$/.exec(preview) ?? [];
    const mediaType = imageTypes.find(known => known === type);
    if (mediaType === undefined || data === undefined) return [];
    return [{ kind: 'image', id: crypto.randomUUID(), name: name || mediaType.replace('/', '.'), mediaType, data }];
  });
}

function PromptText({ item }: { item: PromptView }): JSX.Element {
  const app = useApp();
  const isLong = item.text.length > longText || item.text.split('\n', longLines + 1).length > longLines;
  const key = `prompt:${item.id}`;
  const open = app.expansion(key).value;
  return (
    <>
      <div class={`prompt-text${isLong && !open ? ' prompt-cut' : ''}`} dir="auto">
        {item.text}
      </div>
      {isLong && (
        <button type="button" class="link-button" aria-expanded={open} onClick={() => app.state.toggle(key)}>
          {app.t(open ? 'showLess' : 'showAll')}
        </button>
      )}
    </>
  );
}

export const attachmentIcons: Readonly<Record<AttachmentView['kind'], string>> = {
  image: 'file-media',
  file: 'file',
  selection: 'list-selection',
  problems: 'warning',
};

function PromptAttachment({ attachment }: { attachment: AttachmentView }): JSX.Element {
  if (attachment.kind === 'image' && attachment.preview?.startsWith('data:image/') === true) {
    return <img class="prompt-image" src={attachment.preview} alt={attachment.name} />;
  }
  return (
    <span class="chip">
      <Icon name={attachmentIcons[attachment.kind]} />
      <span class="chip-name" title={attachment.text?.slice(0, 1_000)}>
        {attachment.name}
      </span>
    </span>
  );
}

function stateNote(item: PromptView): 'cancelledPrompt' | 'foldedPrompt' | undefined {
  switch (item.state) {
    case 'cancelled':
      return 'cancelledPrompt';
    case 'folded':
      return 'foldedPrompt';
    case 'queued':
    case 'started':
    case 'completed':
    case 'interrupted':
      return undefined;
  }
}
