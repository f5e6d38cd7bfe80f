import type { ContextUsage } from '../../protocol/hostAnswers.ts';
import { cleanText } from './cleanText.ts';
import type { Translate } from './words.ts';

export interface UsageRow {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
}

/** What fills the context, biggest first; what is held back and what is free come last. */
export function usageRows(usage: ContextUsage, t: Translate): readonly UsageRow[] {
  const rank = (kind: string | undefined): number => (kind === 'free' ? 2 : kind === 'buffer' ? 1 : 0);
  const share = (tokens: number): string => {
    const percent = usage.maxTokens > 0 ? (100 * tokens) / usage.maxTokens : 0;
    return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`;
  };
  return [...usage.categories]
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => rank(a.kind) - rank(b.kind) || b.tokens - a.tokens)
    .map(({ id, name, tokens, isDeferred }) => {
      const files =
        id === 'memory_files' ? (usage.memoryFiles ?? []).map(({ path }) => cleanText(path)).join(', ') : '';
      return {
        label: cleanText(name),
        description:
          isDeferred === true
            ? t('{0} tokens, loaded when needed', tokens.toLocaleString())
            : t('{0} tokens, {1}', tokens.toLocaleString(), share(tokens)),
        ...(files === '' ? {} : { detail: files }),
      };
    });
}
