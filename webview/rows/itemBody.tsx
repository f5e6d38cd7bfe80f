import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import { ToolCardView } from '../cards/toolCard.tsx';
import { NoticeRow } from './noticeRow.tsx';
import { PromptRow } from './promptRow.tsx';
import { TextRow } from './textRow.tsx';
import { ThinkingRow } from './thinkingRow.tsx';

/** What an item looks like, at top level or inside of a card. */
export function ItemBody({ id }: { id: string }): JSX.Element | null {
  const app = useApp();
  const item = app.conversation.item(id)?.value;
  if (!item) return null;
  switch (item.kind) {
    case 'prompt':
      return <PromptRow item={item} />;
    case 'text':
      return <TextRow item={item} />;
    case 'thinking':
      return <ThinkingRow item={item} />;
    case 'tool':
      return <ToolCardView tool={item} />;
    case 'notice':
      return <NoticeRow item={item} />;
  }
}
