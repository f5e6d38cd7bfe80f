import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import type { Suggestion, SuggestionList } from './suggestions.ts';

interface SuggestionBoxProps {
  readonly id: string;
  readonly list: SuggestionList;
  readonly onPick: (entry: Suggestion) => void;
}

export function suggestionId(id: string, index: number): string {
  return `${id}-${index}`;
}

/** The completions, above the text. The keyboard stays in the text; the active one is named by its id. */
export function SuggestionBox({ id, list, onPick }: SuggestionBoxProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [list]);
  return (
    <div
      ref={box}
      id={id}
      class="popup suggestions"
      role="listbox"
      aria-label={list.trigger.kind === 'file' ? '@' : '/'}
    >
      {list.entries.map((entry, index) => (
        <div
          key={entry.key}
          id={suggestionId(id, index)}
          class="popup-item"
          role="option"
          aria-selected={index === list.active}
          // Pressing must not take the keyboard out of the text.
          onMouseDown={event => event.preventDefault()}
          onClick={() => onPick(entry)}
        >
          <Icon name={entry.icon} />
          <span class="suggestion-label">{entry.label}</span>
          <span class="suggestion-detail">{entry.detail}</span>
        </div>
      ))}
    </div>
  );
}
