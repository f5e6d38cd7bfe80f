import type { JSX } from 'preact';
import type { ToolCard } from '../../src/bridge/toolCard.ts';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { visibleProse } from '../markdown/visibleText.ts';
import { IconButton } from '../parts/iconButton.tsx';
import { ItemBody } from '../rows/itemBody.tsx';
import { CutTextView } from './cutTextView.tsx';
import { ToolLine } from './toolLine.tsx';
import { isLive, ToolStatus } from './toolStatus.tsx';

type Agent = Extract<ToolCard, { readonly type: 'agent' }>;

/** Steps of a subagent drawn at first. */
const shownSteps = 12;

/** A subagent: one line with how far it is, and its own steps inside. A question of it is seen even when it is closed. */
export function AgentCard({ tool, card }: { tool: ToolView; card: Agent }): JSX.Element {
  const app = useApp();
  const { description, agentType, prompt, result, taskId } = card;
  const progress = progressText(app, tool, card);
  const running = isLive(tool) || tool.status === 'backgrounded';
  const open = app.expansion(`tool:${tool.id}`).value;
  const children = app.conversation.children(tool.id).value;
  return (
    <div class="agent">
      <ToolLine
        tool={tool}
        icon="hubot"
        quiet
        verb={visibleProse(agentType ?? tool.name)}
        subject={<bdi>{visibleProse(description)}</bdi>}
        end={
          running &&
          taskId !== undefined && (
            <IconButton
              icon="debug-stop"
              label={app.t('stopTask')}
              class="agent-stop"
              onClick={() => app.post({ type: 'stopTask', taskId })}
            />
          )
        }
      >
        <p class="tool-label">{app.t('subagentTask')}</p>
        <CutTextView itemId={tool.id} part="prompt" cut={prompt} label={app.t('subagentTask')} class="tool-prose" />
        <Steps id={tool.id} steps={children} />
        {result !== undefined && (
          <>
            <p class="tool-label">{app.t('result')}</p>
            <Markdown text={result} streaming={false} of={tool.id} />
          </>
        )}
      </ToolLine>
      <p class="agent-progress">
        <ToolStatus tool={tool} />
        {progress !== '' && <span>{progress}</span>}
      </p>
      {!open && <OpenQuestions steps={children} />}
    </div>
  );
}

function progressText(app: ViewApp, tool: ToolView, card: Agent): string {
  const parts: string[] = [];
  if (card.toolUses !== undefined && card.toolUses > 0) parts.push(app.t('subagentTools', card.toolUses));
  if (card.tokens !== undefined && card.tokens > 0) parts.push(app.t('tokens', card.tokens.toLocaleString()));
  if (card.lastTool !== undefined && isLive(tool)) parts.push(visibleProse(card.lastTool));
  return parts.join(' · ');
}

function Steps({ id, steps }: { id: string; steps: readonly string[] }): JSX.Element | null {
  const app = useApp();
  const key = `steps:${id}`;
  const all = app.expansion(key).value;
  if (steps.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, steps.length - shownSteps);
  return (
    <div class="agent-steps">
      {hidden > 0 && (
        <button type="button" class="link-button" aria-expanded={false} onClick={() => app.state.toggle(key)}>
          {app.t('earlierSteps', hidden)}
        </button>
      )}
      {steps.slice(hidden).map(step => (
        <ItemBody key={step} id={step} />
      ))}
    </div>
  );
}

function OpenQuestions({ steps }: { steps: readonly string[] }): JSX.Element | null {
  const app = useApp();
  const asking = steps.filter(step => {
    const item = app.conversation.item(step)?.value;
    return item?.kind === 'tool' && item.ask !== undefined;
  });
  if (asking.length === 0) return null;
  return (
    <div class="agent-steps">
      {asking.map(step => (
        <ItemBody key={step} id={step} />
      ))}
    </div>
  );
}
