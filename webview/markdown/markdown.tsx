import type { JSX } from 'preact';

export interface MarkdownProps {
  readonly text: string;
  readonly streaming: boolean;
}

/** Text as it is, until there is a renderer: nothing in it is interpreted. */
export function Markdown({ text }: MarkdownProps): JSX.Element {
  return (
    <div class="markdown markdown-plain" dir="auto">
      {text}
    </div>
  );
}
