import type { JSX } from 'preact';
import type { ChoiceView } from '../../src/bridge/sessionView.ts';
import { Icon } from './icon.tsx';

interface ChoicesProps {
  readonly choices: readonly ChoiceView[];
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
}

/** One of several, as items of a menu. */
export function Choices({ choices, value, onChoose }: ChoicesProps): JSX.Element {
  return (
    <>
      {choices.map(choice => (
        <button
          type="button"
          key={choice.value}
          class="popup-item"
          role="menuitemradio"
          aria-checked={choice.value === value}
          tabIndex={-1}
          onClick={() => onChoose(choice.value)}
        >
          <Icon name={choice.value === value ? 'check' : 'blank'} />
          <span class="choice-text">
            <span class="choice-label">{choice.label}</span>
            {choice.description !== undefined && <span class="choice-description">{choice.description}</span>}
          </span>
        </button>
      ))}
    </>
  );
}
