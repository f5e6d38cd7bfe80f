import { expect } from 'vitest';
import corpusFile from '../../fixtures/injection/corpus.json' with { type: 'json' };

export const corpus: readonly { readonly group: string; readonly text: string }[] = corpusFile;

/** Elements our own components make; anything else can only have come out of the text. */
const expected = new Set(
  `a b bdi blockquote br button code dd del div dl dt em fieldset hr i img input ins kbd label legend li mark ol option p pre s
   select small span strong sub sup table tbody td textarea th thead tr u ul`.split(/\s+/),
);
const expectedAttributes = new Set(
  `align alt aria-describedby aria-disabled aria-expanded aria-hidden aria-invalid aria-label aria-level aria-pressed aria-required autocomplete checked class data-ask data-label
   dir disabled href id name placeholder role rows scope spellcheck src start tabindex title type value selected`.split(
    /\s+/,
  ),
);
/** Attributes that carry text of the conversation and are inert. */
const ownClasses = /^[a-zA-Z0-9 _-]*$/;
/** As the view layer counts them, one or several: no text can take the name of another element. */
const ownIds = /^(?:P\d+-\d+-(?:about|problem) ?)+$/;

/** Nothing in the tree runs, loads or looks like something the text asked for. */
export function expectSafe(root: ParentNode): void {
  for (const element of root.querySelectorAll('*')) {
    const tag = element.tagName.toLowerCase();
    expect(expected, `element <${tag}>`).toContain(tag);
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    for (const { name, value } of element.attributes) {
      expect(expectedAttributes, `attribute ${name} of <${tag}>`).toContain(name);
      if (name === 'class') expect(value).toMatch(ownClasses);
      if (name === 'id' || name === 'aria-describedby') expect(value).toMatch(ownIds);
      if (name === 'href') expect(value).toMatch(/^(?:https?:\/\/[^/]|mailto:)/i);
      if (name === 'src') expect(value).toMatch(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/);
    }
  }
}

/** The words of a text: what a person must still be able to read of it, wherever it is shown. */
export function wordsOf(text: string): readonly string[] {
  // Labels of references are marks of the language, not words.
  return text.replace(/\]\[[^\]]*\]|\[[^\]]*\]:/g, '').match(/[a-z]{4,}/g) ?? [];
}
