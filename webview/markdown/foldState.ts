import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useApp } from '../app/viewApp.ts';

/** The item whose text is drawn: what is opened in it is remembered by it, also while its row is out of the page. */
export const FoldScope = createContext('');

/** Beyond this a beginning is as telling as the whole. */
const tellingLength = 500;

/**
 * Whether a long part of a text was opened. A part is known by how it begins, since a text that grows only grows at its end.
 * One that is too short to fold is not remembered: while it is written it begins anew with every word.
 */
export function useFold(kind: 'code' | 'table', beginning: string, folds: boolean): readonly [boolean, () => void] {
  const app = useApp();
  const scope = useContext(FoldScope);
  if (!folds) return [false, () => undefined];
  const key = `${kind}:${scope}:${fingerprint(beginning.slice(0, tellingLength))}`;
  return [app.expansion(key).value, () => app.state.toggle(key)];
}

function fingerprint(text: string): string {
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 33) ^ text.charCodeAt(at)) >>> 0;
  return hash.toString(36);
}
