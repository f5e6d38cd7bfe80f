import type { ComponentChildren, JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import { findPlaces } from './filePlaces.ts';
import type { Place } from './filePlaces.ts';
import { visibleCode } from './visibleText.ts';

interface LinkProps {
  readonly class: string;
  readonly title: string;
  readonly onOpen: () => void;
  readonly children: ComponentChildren;
}

/** A link that only ever tells the host what was meant; it has no address the page could follow by itself. */
export function InnerLink({ class: name, title, onOpen, children }: LinkProps): JSX.Element {
  return (
    <a
      class={name}
      role="link"
      tabIndex={0}
      title={title}
      onClick={event => {
        event.preventDefault();
        event.stopPropagation();
        onOpen();
      }}
      onKeyDown={event => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        event.stopPropagation();
        onOpen();
      }}
    >
      {children}
    </a>
  );
}

/** Opens a file at a place in the editor. */
export function PlaceLink({ place, children }: { place: Place; children: ComponentChildren }): JSX.Element {
  const app = useApp();
  const { path, line, column } = place;
  return (
    <InnerLink
      class="place-link"
      title={visibleCode(line === undefined ? path : `${path}:${line}`)}
      onOpen={() =>
        app.post({
          type: 'openFile',
          path,
          ...(line === undefined ? {} : { line }),
          ...(column === undefined ? {} : { column }),
        })
      }
    >
      {children}
    </InnerLink>
  );
}

/** Text in which the places of files are links. `shown` makes hidden characters visible in its way. */
export function withPlaces(text: string, shown: (text: string) => string): ComponentChildren {
  const places = findPlaces(text);
  if (places.length === 0) return shown(text);
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const place of places) {
    if (place.start > at) parts.push(shown(text.slice(at, place.start)));
    parts.push(
      <PlaceLink key={place.start} place={place}>
        {shown(text.slice(place.start, place.end))}
      </PlaceLink>,
    );
    at = place.end;
  }
  if (at < text.length) parts.push(shown(text.slice(at)));
  return parts;
}
