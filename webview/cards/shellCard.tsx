import type { JSX } from 'preact';
import type { ToolCard } from '../../src/bridge/toolCard.ts';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleCode } from '../markdown/visibleText.ts';
import { CutTextView } from './cutTextView.tsx';
import { ToolLine } from './toolLine.tsx';
import { isLive } from './toolStatus.tsx';

type Shell = Extract<ToolCard, { readonly type: 'shell' }>;

/** A command as it was run. Open while it runs and when it failed; otherwise a line. */
export function ShellCard({ tool, card }: { tool: ToolView; card: Shell }): JSX.Element {
  const app = useApp();
  const { command, description, output, errorOutput } = card;
  const command1 = visibleCode(firstLineOf(command));
  const finished = tool.status === 'done' || tool.status === 'failed';
  const many = command.trim().includes('\n');
  return (
    <ToolLine
      tool={tool}
      icon="terminal"
      verb={app.t('ran')}
      subject={<code class="tool-code">{command1}</code>}
      initially={tool.status === 'failed' && (output !== undefined || errorOutput !== undefined)}
    >
      {(finished || many || description !== undefined || output !== undefined || isLive(tool)) && (
        <div class="card shell">
          {description !== undefined && (
            <p class="shell-description" dir="auto">
              {visibleCode(description)}
            </p>
          )}
          <pre class="tool-text shell-command" dir="ltr" tabIndex={0}>
            {visibleCode(command)}
          </pre>
          {output !== undefined && <CutTextView itemId={tool.id} part="output" cut={output} label={app.t('output')} />}
          {errorOutput !== undefined && (
            <CutTextView
              itemId={tool.id}
              part="errorOutput"
              cut={errorOutput}
              label={app.t('errorOutput')}
              class="shell-errors"
            />
          )}
          {finished && output === undefined && errorOutput === undefined && (
            <p class="shell-description">{app.t('noOutput')}</p>
          )}
        </div>
      )}
    </ToolLine>
  );
}

function firstLineOf(command: string): string {
  const [first = '', ...rest] = command.trim().split('\n');
  return rest.length > 0 ? `${first} …` : first;
}
