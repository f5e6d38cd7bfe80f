import type { Place } from './filePlaces.ts';
import { placeOf } from './filePlaces.ts';

/** What a link of the conversation leads to. Everything that is not plainly a page, an address or a file is `blocked`. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string }
  | { readonly kind: 'file'; readonly place: Place }
  /** Leads nowhere from here, such as `#part`. */
  | { readonly kind: 'none' }
  | { readonly kind: 'blocked' };

const hidden = new RegExp('[\\u0000-\\u0020\\u007f-\\u00a0\\u200b-\\u200f\\u2028-\\u202f\\u2060-\\u2069\\ufeff]');

export function linkTarget(href: string): LinkTarget {
  const address = href.trim();
  if (address === '' || address.startsWith('#')) return { kind: 'none' };
  const pure = !hidden.test(address.replaceAll(' ', ''));
  if (!pure || address.length > 4_000) return { kind: 'blocked' };
  if (/^https?:\/\/[^/?#\\]+/i.test(address) || /^mailto:[^\s<>]+$/i.test(address)) {
    return URL.canParse(address) ? { kind: 'web', href: address } : { kind: 'blocked' };
  }
  return fileTarget(address);
}

function fileTarget(address: string): LinkTarget {
  const path = decoded(address.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '').replace(/^\/(?=[A-Za-z]:[\\/])/, ''));
  if (path === undefined || /^[\\/]{2}/.test(path)) return { kind: 'blocked' };
  const place = placeOf(path);
  if (place) return { kind: 'file', place };
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(path)?.[0];
  if (scheme !== undefined && !/^[a-z]:[\\/]/i.test(path)) return { kind: 'blocked' };
  const plain = path.replace(/[?#].*$/s, '');
  const isPath = /^[^<>"'`{}|*:&]+$/.test(plain.replace(/^[A-Za-z]:/, '')) && /[\\/]|\.\w+$|^[A-Z]+$/.test(plain);
  return isPath ? { kind: 'file', place: { path: plain } } : { kind: 'blocked' };
}

function decoded(text: string): string | undefined {
  try {
    const path = decodeURIComponent(text);
    return hidden.test(path.replaceAll(' ', '')) ? undefined : path;
  } catch {
    // A stray % is no escape: the path means itself.
    return text;
  }
}

const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

/** Pictures come with the text or not at all: nothing is fetched, and no kind that can carry script is shown. */
export function isShownImage(address: string): boolean {
  return picture.test(address);
}
