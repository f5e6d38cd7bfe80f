import type { JSX } from 'preact';
import type { SelectionChip } from '../../src/bridge/hostMessages.ts';
import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';

interface ChipsProps {
  readonly selection: SelectionChip | undefined;
  readonly attachments: readonly ViewAttachment[];
  readonly onRemove: (attachment: ViewAttachment) => void;
}

/** Everything that goes along with the message, always in sight and always removable. */
export function AttachmentChips({ selection, attachments, onRemove }: ChipsProps): JSX.Element | null {
  if (attachments.length === 0 && selection === undefined) return null;
  return (
    <div class="chips">
      {selection && <SelectionChipView chip={selection} />}
      {attachments.map(attachment => (
        <span key={attachment.id} class="chip">
          {attachment.kind === 'image' ? (
            <img class="chip-image" src={`data:${attachment.mediaType};base64,${attachment.data}`} alt="" />
          ) : (
            <Icon name={iconOf(attachment)} />
          )}
          <span class="chip-name" title={titleOf(attachment)}>
            {attachment.name}
          </span>
          <RemoveButton name={attachment.name} onRemove={() => onRemove(attachment)} />
        </span>
      ))}
    </div>
  );
}

/** It comes and goes with the selection, so it looks lighter than what was put there on purpose. */
function SelectionChipView({ chip }: { chip: SelectionChip }): JSX.Element {
  const app = useApp();
  return (
    <span class="chip chip-selection">
      <Icon name={contextIcons[chip.what]} />
      <span class="chip-name" title={app.t('selectionGoesAlong', chip.name)}>
        {chip.name}
      </span>
      <RemoveButton
        name={chip.name}
        onRemove={() => {
          app.selection.value = undefined;
          app.post({ type: 'removeSelection', id: chip.id });
        }}
      />
    </span>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }): JSX.Element {
  const app = useApp();
  const label = app.t('removeAttachment', name);
  return (
    <button type="button" class="chip-remove" aria-label={label} title={label} onClick={onRemove}>
      <Icon name="close" />
    </button>
  );
}

function titleOf(attachment: ViewAttachment): string {
  if (attachment.kind === 'file') return attachment.path;
  return attachment.kind === 'context' ? attachment.text.slice(0, 1_000) : attachment.name;
}

const contextIcons = { selection: 'list-selection', file: 'file', problems: 'warning' } as const;

function iconOf(attachment: Exclude<ViewAttachment, { kind: 'image' }>): string {
  return attachment.kind === 'file' ? 'file' : contextIcons[attachment.what];
}
