import type { JSX } from 'preact';
import { Icon } from './icon.tsx';

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly class?: string;
  readonly disabled?: boolean;
}

/** A toolbar button as VS Code draws them: an icon, a name, a hint on hover. */
export function IconButton({ icon, label, onClick, class: extra, disabled }: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`icon-button${extra === undefined ? '' : ` ${extra}`}`}
      aria-label={label}
      title={label}
      disabled={disabled === true}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
