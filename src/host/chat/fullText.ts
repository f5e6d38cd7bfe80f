import type { ViewRequest } from '../../bridge/viewMessages.ts';
import { readToolInput } from '../../protocol/toolInputs.ts';
import { readToolResult } from '../../protocol/toolResults.ts';
import type { TranscriptItem } from '../../session/transcriptModel.ts';
import { textOf } from './toolUse.ts';

type Part = Extract<ViewRequest, { name: 'readFull' }>['part'];

/** The whole of a text that its card shows cut. */
export function fullText(item: TranscriptItem | undefined, part: Part): string {
  if (item?.kind !== 'tool') return '';
  const result = readToolResult(item.name, item.structuredResult);
  switch (part) {
    case 'input':
      return JSON.stringify(item.input, undefined, 2);
    case 'prompt': {
      const read = readToolInput(item.name, item.input);
      return read.tool === 'Agent' ? read.input.prompt : '';
    }
    case 'output':
      if (result.tool === 'Bash') return result.result.stdout;
      if (result.tool === 'failed') return result.message;
      return textOf(item.resultContent);
    case 'errorOutput':
      return result.tool === 'Bash' ? result.result.stderr : '';
  }
}
