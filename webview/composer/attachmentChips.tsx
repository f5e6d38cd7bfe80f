import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import type { DraftAttachment } from '../app/viewState.ts';
import { Icon } from '../parts/icon.tsx';

interface ChipsProps {
  readonly attachments: readonly DraftAttachment[];
  readonly onRemove: (attachment: DraftAttachment) => void;
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

function iconOf(attachment: Exclude<DraftAttachment, { kind: 'image' }>): string {
  if (attachment.kind === 'file') return 'file';
  switch (attachment.icon) {
    case 'selection':
      return 'list-selection';
    case 'problems':
      return 'warning';
    case 'file':
      return 'file';
  }
}
