import type { JSX } from 'preact';
import type { StringKey } from '../../src/bridge/strings.ts';
import type { CutText, ToolCard } from '../../src/bridge/toolCard.ts';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { Address } from '../markdown/inlineView.tsx';
import { isShownImage } from '../markdown/linkTarget.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { visibleCode, visibleProse } from '../markdown/visibleText.ts';
import { CutTextView } from './cutTextView.tsx';
import { ToolLine } from './toolLine.tsx';
import { verbOf } from './words.ts';

type Card<Type extends ToolCard['type']> = Extract<ToolCard, { readonly type: Type }>;

export function WebCard({ tool, card }: { tool: ToolView; card: Card<'web'> }): JSX.Element {
  const app = useApp();
  const { title, url, links, output } = card;
  return (
    <ToolLine
      tool={tool}
      icon="globe"
      verb={verbOf(app.t(url === undefined ? 'searchedWeb' : 'fetched'))}
      subject={
        url === undefined ? (
          <bdi>{visibleProse(title)}</bdi>
        ) : (
          <Address href={url} autolink={title === url}>
            {visibleCode(title)}
          </Address>
        )
      }
    >
      {(links.length > 0 || output !== undefined) && (
        <>
          {links.length > 0 && (
            <ul class="tool-list">
              {links.map((link, index) => (
                <li key={index} dir="auto">
                  <Address href={link.url} autolink={link.title === link.url}>
                    {visibleProse(link.title)}
                  </Address>
                </li>
              ))}
            </ul>
          )}
          {output !== undefined && (
            <CutTextView itemId={tool.id} part="output" cut={output} label={app.t('output')} class="tool-prose" />
          )}
        </>
      )}
    </ToolLine>
  );
}

export function PlanCard({ tool, card }: { tool: ToolView; card: Card<'plan'> }): JSX.Element {
  const app = useApp();
  return (
    <ToolLine tool={tool} icon="list-ordered" verb={app.t('planGroup')}>
      {card.markdown.trim() !== '' && (
        <div class="card plan">
          <Markdown text={card.markdown} streaming={tool.status === 'streaming'} of={tool.id} />
        </div>
      )}
    </ToolLine>
  );
}

export function QuestionCard({ tool, card }: { tool: ToolView; card: Card<'question'> }): JSX.Element {
  const app = useApp();
  const answers = card.questions.map(({ question }) => ({
    question,
    answer: Object.hasOwn(card.answers, question) ? card.answers[question] : undefined,
  }));
  const said = answers.flatMap(({ answer }) => (answer === undefined ? [] : [answer])).join(' · ');
  return (
    <ToolLine
      tool={tool}
      icon="question"
      verb={app.t('questionGroup')}
      subject={<bdi>{visibleProse(said === '' ? (card.questions[0]?.question ?? '') : said)}</bdi>}
    >
      {answers.length > 0 && (
        <dl class="answers">
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt dir="auto">{visibleProse(question)}</dt>
              <dd dir="auto">{answer === undefined ? app.t('skipped') : visibleProse(answer)}</dd>
            </div>
          ))}
        </dl>
      )}
    </ToolLine>
  );
}

export function McpCard({ tool, card }: { tool: ToolView; card: Card<'mcp'> }): JSX.Element {
  const app = useApp();
  const { server, tool: name, input, output } = card;
  const images = card.images.filter(isShownImage);
  return (
    <ToolLine
      tool={tool}
      icon="plug"
      verb={visibleCode(server)}
      subject={<code class="tool-code">{visibleCode(name)}</code>}
      initially={images.length > 0}
    >
      <Exchange tool={tool} input={input} output={output} />
      {images.map((image, index) => (
        <img key={index} class="tool-image" src={image} alt={app.t('imageFrom', visibleCode(server))} />
      ))}
    </ToolLine>
  );
}

/** Lesser tools of the CLI by what they do, for people who do not know their names. */
const doings: Readonly<Partial<Record<string, StringKey>>> = {
  EnterPlanMode: 'toolEnterPlanMode',
  EnterWorktree: 'toolEnterWorktree',
  ExitWorktree: 'toolExitWorktree',
  TaskStop: 'stopTask',
  TaskOutput: 'toolTaskOutput',
  ToolSearch: 'toolToolSearch',
  ScheduleWakeup: 'toolScheduleWakeup',
  CronCreate: 'toolCronCreate',
};

export function OtherCard({ tool, card }: { tool: ToolView; card: Card<'other'> }): JSX.Element {
  const app = useApp();
  const { summary, input, output } = card;
  const doing = Object.hasOwn(doings, tool.name) ? doings[tool.name] : undefined;
  return (
    <ToolLine
      tool={tool}
      icon={tool.name === 'EnterPlanMode' ? 'list-ordered' : 'tools'}
      verb={doing === undefined ? visibleCode(tool.name) : app.t(doing)}
      subject={summary !== undefined && <bdi>{visibleProse(summary)}</bdi>}
    >
      <Exchange tool={tool} input={input} output={output} />
    </ToolLine>
  );
}

interface ExchangeProps {
  readonly tool: ToolView;
  readonly input: CutText;
  readonly output: CutText | undefined;
}

/** What went in and what came out, as readable text. */
function Exchange({ tool, input, output }: ExchangeProps): JSX.Element {
  const app = useApp();
  return (
    <>
      {input.text !== '' && input.text !== '{}' && (
        <>
          <p class="tool-label">{app.t('input')}</p>
          <CutTextView itemId={tool.id} part="input" cut={input} label={app.t('input')} />
        </>
      )}
      {output !== undefined && (
        <>
          <p class="tool-label">{app.t('output')}</p>
          <CutTextView itemId={tool.id} part="output" cut={output} label={app.t('output')} />
        </>
      )}
    </>
  );
}
