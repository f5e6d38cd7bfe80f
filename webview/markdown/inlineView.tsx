import type { Token, Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { h } from 'preact';
import { useApp } from '../app/viewApp.ts';
import { decodeEntities } from './entities.ts';
import { placeOf } from './filePlaces.ts';
import { isFootnoteRef } from './footnotes.ts';
import { isMarked } from './lexer.ts';
import { isShownImage, linkTarget } from './linkTarget.ts';
import { PlaceLink, withPlaces } from './placeLink.tsx';
import { visibleCode, visibleProse } from './visibleText.ts';

/** Tags of raw HTML that are drawn, and only without any attribute. All others are shown as the text they are. */
const plainTags = new Set([
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'ins',
  'kbd',
  'sub',
  'sup',
  'mark',
  'small',
  'code',
]);

interface Tag {
  readonly name: string;
  readonly closes: boolean;
}

function tagOf(token: Token): Tag | undefined {
  if (token.type !== 'html') return undefined;
  const match = /^<(\/?)([a-z]+)\s*\/?>$/i.exec(token.raw);
  const name = match?.[2]?.toLowerCase();
  return name === undefined ? undefined : { name, closes: match?.[1] === '/' };
}

/** Inline tokens as elements. Every element and attribute is chosen here; the text only ever becomes text. */
export function inlineNodes(tokens: readonly Token[]): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) continue;
    const tag = tagOf(token);
    const end = tag && !tag.closes && plainTags.has(tag.name) ? closingTag(tokens, at, tag.name) : -1;
    if (tag && end > at) {
      nodes.push(h(tag.name, { key: at }, inlineNodes(tokens.slice(at + 1, end))));
      at = end;
    } else if (tag?.name === 'br') nodes.push(<br key={at} />);
    else nodes.push(inlineNode(token, at));
  }
  return nodes;
}

function closingTag(tokens: readonly Token[], from: number, name: string): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    const tag = token ? tagOf(token) : undefined;
    if (tag?.name !== name) continue;
    depth += tag.closes ? -1 : 1;
    if (depth === 0) return at;
  }
  return -1;
}

function inlineNode(token: Token, key: number): ComponentChildren {
  if (isFootnoteRef(token)) return <FootnoteMark key={key} label={token.label} />;
  if (!isMarked(token)) return visibleProse(token.raw);
  switch (token.type) {
    case 'text':
      if ('tokens' in token) return inlineNodes(token.tokens);
      return withPlaces(decodeEntities(token.text), visibleProse);
    case 'escape':
      return visibleProse(token.text);
    case 'strong':
      return <strong key={key}>{inlineNodes(token.tokens)}</strong>;
    case 'em':
      return <em key={key}>{inlineNodes(token.tokens)}</em>;
    case 'del':
      return <del key={key}>{inlineNodes(token.tokens)}</del>;
    case 'codespan':
      return <InlineCode key={key} text={token.text} />;
    case 'br':
      return <br key={key} />;
    case 'link':
      return <Link key={key} link={token} />;
    case 'image':
      return <Picture key={key} image={token} />;
    case 'checkbox':
      return <TaskMark key={key} checked={token.checked} />;
    default:
      return visibleProse(token.raw);
  }
}

function InlineCode({ text }: { text: string }): JSX.Element {
  const place = placeOf(text);
  const code = <code class="inline-code">{visibleCode(text)}</code>;
  return place ? <PlaceLink place={place}>{code}</PlaceLink> : code;
}

function Link({ link }: { link: Tokens.Link }): JSX.Element {
  return (
    <Address
      href={link.href}
      title={link.title ?? undefined}
      autolink={link.autolink === true || link.text === link.href}
    >
      {inlineNodes(link.tokens)}
    </Address>
  );
}

interface AddressProps {
  readonly href: string;
  /** The text is the address itself. */
  readonly autolink?: boolean;
  /** What the text says about the link; shown together with the address, never instead of it. */
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** A link to wherever the text says, if that is a page or a file; otherwise its text with the address readable beside it. */
export function Address({ href, autolink, title, children }: AddressProps): JSX.Element {
  const app = useApp();
  const target = linkTarget(href);
  switch (target.kind) {
    case 'web':
      return (
        <a
          class="web-link"
          href={target.href}
          title={visibleCode(title === undefined ? target.href : `${title}\n${target.href}`)}
          onClick={event => {
            // VS Code would open it too: the host alone decides.
            event.preventDefault();
            event.stopPropagation();
            app.post({ type: 'openLink', href: target.href });
          }}
        >
          {children}
        </a>
      );
    case 'file':
      return <PlaceLink place={target.place}>{children}</PlaceLink>;
    case 'none':
      return <span>{children}</span>;
    case 'blocked':
      return (
        <span title={title === undefined ? app.t('linkBlocked') : `${app.t('linkBlocked')}\n${visibleProse(title)}`}>
          {children}
          {autolink !== true && <code class="inline-code blocked-address">{visibleCode(href)}</code>}
        </span>
      );
  }
}

function Picture({ image }: { image: Tokens.Image }): JSX.Element {
  const label = visibleProse(decodeEntities(image.text));
  if (isShownImage(image.href)) return <img class="markdown-image" src={image.href} alt={label} />;
  return <Address href={image.href}>{label === '' ? visibleCode(image.href) : label}</Address>;
}

export function TaskMark({ checked }: { checked: boolean }): JSX.Element {
  const app = useApp();
  return (
    <span
      class={`task-mark codicon codicon-${checked ? 'pass-filled' : 'circle-large'}`}
      role="img"
      aria-label={app.t(checked ? 'taskDone' : 'taskOpen')}
    />
  );
}

/** A mark that leads to its note, wherever in the same text the note is. */
function FootnoteMark({ label }: { label: string }): JSX.Element {
  const show = (from: Element): void => {
    const notes = from.closest('.markdown')?.querySelectorAll<HTMLElement>('.footnote') ?? [];
    const note = [...notes].find(one => one.dataset['label'] === label);
    note?.scrollIntoView({ block: 'nearest' });
    note?.focus({ preventScroll: true });
  };
  return (
    <sup>
      <button type="button" class="footnote-mark" onClick={event => show(event.currentTarget)}>
        {visibleProse(label)}
      </button>
    </sup>
  );
}
