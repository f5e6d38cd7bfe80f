import type { JSX } from 'preact';
import type { ToolView } from '../../src/bridge/viewModel.ts';
import { Icon } from '../parts/icon.tsx';

/** One line for a tool: its name and how it stands. */
export function ToolCardView({ tool }: { tool: ToolView }): JSX.Element {
  return (
    <div class="line">
      <Icon name="tools" />
      <span class="line-what">{tool.name}</span>
      <span class="line-end">{tool.status}</span>
    </div>
  );
}
