import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import '../styles/cards.css';
import '../styles/diff.css';
import '../styles/ask.css';
import type { AskView, ToolView } from '../../src/bridge/viewItem.ts';
import { AgentCard } from './agentCard.tsx';
import { ElicitationAsk, ElicitationCard } from './elicitationAsk.tsx';
import { EditCard, ReadCard, SearchCard } from './fileCards.tsx';
import { McpCard, OtherCard, PlanCard, QuestionCard, WebCard } from './otherCards.tsx';
import { PermissionAsk } from './permissionAsk.tsx';
import { PlanAsk } from './planAsk.tsx';
import { QuestionAsk } from './questionAsk.tsx';
import { ShellCard } from './shellCard.tsx';
import { StepCard } from './stepCard.tsx';

/** What a tool does: a card while it asks, a line otherwise. */
export function ToolCardView({ tool }: { tool: ToolView }): JSX.Element {
  const place = useKeptPlace(tool.ask !== undefined);
  return (
    <div ref={place} class="tool-card">
      {tool.ask ? <Ask tool={tool} ask={tool.ask} /> : <Card tool={tool} />}
    </div>
  );
}

function Ask({ tool, ask }: { tool: ToolView; ask: AskView }): JSX.Element {
  switch (ask.kind) {
    case 'permission':
      return <PermissionAsk tool={tool} ask={ask} />;
    case 'question':
      return <QuestionAsk tool={tool} ask={ask} />;
    case 'plan':
      return <PlanAsk tool={tool} ask={ask} />;
    case 'elicitation':
      return tool.card.type === 'elicitation' ? <ElicitationAsk card={tool.card} ask={ask} /> : <Card tool={tool} />;
  }
}

function Card({ tool }: { tool: ToolView }): JSX.Element {
  const { card } = tool;
  switch (card.type) {
    case 'edit':
      return <EditCard tool={tool} card={card} />;
    case 'shell':
      return <ShellCard tool={tool} card={card} />;
    case 'read':
      return <ReadCard tool={tool} card={card} />;
    case 'search':
      return <SearchCard tool={tool} card={card} />;
    case 'step':
      return <StepCard tool={tool} card={card} />;
    case 'agent':
      return <AgentCard tool={tool} card={card} />;
    case 'web':
      return <WebCard tool={tool} card={card} />;
    case 'plan':
      return <PlanCard tool={tool} card={card} />;
    case 'question':
      return <QuestionCard tool={tool} card={card} />;
    case 'elicitation':
      return <ElicitationCard tool={tool} card={card} />;
    case 'mcp':
      return <McpCard tool={tool} card={card} />;
    case 'other':
      return <OtherCard tool={tool} card={card} />;
  }
}

/** How long a place under the pointer keeps its height: long enough for a second press that was meant for the card. */
const keptMs = 1_000;

/**
 * When a question closes, its card becomes a line. Under the pointer the place keeps its height for a moment, so that
 * nothing slides under a press; and a keyboard that was in it finds itself on the line.
 */
function useKeptPlace(asking: boolean): { readonly current: HTMLDivElement | null } {
  const place = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    if (asking) {
      element.style.minHeight = '';
      height.current = element.offsetHeight;
      const follow = (event: Event): void => {
        height.current = element.offsetHeight;
        hadFocus.current = event.type === 'focusin';
      };
      element.addEventListener('focusin', follow);
      element.addEventListener('focusout', follow);
      return () => {
        element.removeEventListener('focusin', follow);
        element.removeEventListener('focusout', follow);
      };
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = (): void => {
      element.style.minHeight = '';
    };
    if (height.current > 0 && element.matches(':hover')) {
      element.style.minHeight = `${height.current}px`;
      element.addEventListener('pointerleave', release, { once: true });
      timer = setTimeout(release, keptMs);
    }
    if (hadFocus.current && document.activeElement === document.body) {
      element.querySelector<HTMLElement>('button.tool-toggle')?.focus({ preventScroll: true });
    }
    hadFocus.current = false;
    height.current = 0;
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointerleave', release);
    };
  }, [asking]);
  return place;
}
