import type { JSX } from 'preact';
import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';

interface ChipsProps {
  readonly attachments: readonly ViewAttachment[];
  readonly onRemove: (attachment: ViewAttachment) => void;
}

/** Everything that goes along with the message, always in sight and always removable. */
export function AttachmentChips({ attachments, onRemove }: ChipsProps): JSX.Element | null {
  const app = useApp();
  if (attachments.length === 0) return null;
  return (
    <div class="chips">
      {attachments.map(attachment => (
        <span key={attachment.id} class="chip">
          {attachment.kind === 'image' ? (
            <img class="chip-image" src={`data:${attachment.mediaType};base64,${attachment.data}`} alt="" />
          ) : (
            <Icon name={iconOf(attachment)} />
          )}
          <span class="chip-name" title={attachment.kind === 'file' ? attachment.path : attachment.name}>
            {attachment.name}
          </span>
          <button
            type="button"
            class="chip-remove"
            aria-label={app.t('removeAttachment', attachment.name)}
            title={app.t('removeAttachment', attachment.name)}
            onClick={() => onRemove(attachment)}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
    </div>
  );
}

function iconOf(attachment: Exclude<ViewAttachment, { kind: 'image' }>): string {
  if (attachment.kind === 'file') return 'file';
  return attachment.what === 'selection' ? 'list-selection' : 'warning';
}
