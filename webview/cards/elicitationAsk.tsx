import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fieldProblem } from '../../src/bridge/formField.ts';
import type { FieldValue } from '../../src/bridge/formField.ts';
import type { ToolCard } from '../../src/bridge/toolCard.ts';
import type { AskView, ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleCode, visibleProse } from '../markdown/visibleText.ts';
import { Icon } from '../parts/icon.tsx';
import { AskButton, AskFrame } from './askFrame.tsx';
import type { AskControl } from './askFrame.tsx';
import { FormFieldView, valueIn } from './formFieldView.tsx';
import { ToolLine } from './toolLine.tsx';

type Elicitation = Extract<ToolCard, { readonly type: 'elicitation' }>;
interface CardProps {
  readonly tool: ToolView;
  readonly card: Elicitation;
}

/** An MCP server wants to know something, or wants a page opened. It gets what the person says here and nothing else. */
export function ElicitationAsk({ card, ask }: { card: Elicitation; ask: AskView }): JSX.Element {
  const app = useApp();
  const { server, message, page } = card;
  const [tried, setTried] = useState(false);
  return (
    <AskFrame
      key={ask.askId}
      ask={ask}
      name={app.t('elicitationGroup', visibleCode(server))}
      what={control => (
        <>
          <div class="card-head">
            <Icon name="plug" />
            <span class="card-title" dir="auto">
              {app.t(page === undefined ? 'elicitationForm' : 'elicitationPage', visibleCode(server))}
            </span>
          </div>
          <div class="ask-what questions">
            <p class="ask-message" dir="auto">
              {visibleProse(message)}
            </p>
            {page !== undefined && <Page page={page} />}
            {card.fields.map(field => (
              <FormFieldView key={field.key} field={field} control={control} tried={tried} />
            ))}
          </div>
        </>
      )}
      buttons={control => (
        <>
          {page === undefined ? (
            <AskButton
              control={control}
              kind="primary"
              label={app.t('submit')}
              onPress={() => {
                const values = valuesOf(card, control);
                setTried(values === undefined);
                if (values !== undefined) control.answer({ type: 'elicitation', action: 'accept', values });
              }}
            />
          ) : (
            <PageButtons askId={ask.askId} control={control} />
          )}
          {(['decline', 'cancel'] as const).map(action => (
            <AskButton
              key={action}
              control={control}
              kind="secondary"
              label={app.t(action)}
              onPress={() => control.answer({ type: 'elicitation', action, values: {} })}
            />
          ))}
        </>
      )}
    />
  );
}

/** All that is filled in; undefined when something of it cannot be sent. */
function valuesOf(
  { fields }: Elicitation,
  control: AskControl,
): Record<string, string | boolean | string[]> | undefined {
  const values = fields.map(field => ({ field, value: valueIn(field, control.draft.peek()) }));
  if (values.some(({ field, value }) => fieldProblem(field, value) !== undefined)) return undefined;
  return Object.fromEntries(values.map(({ field, value }) => [field.key, plainValue(value)]));
}

function plainValue(value: FieldValue): string | boolean | string[] {
  return typeof value === 'string' || typeof value === 'boolean' ? value : [...value];
}

function Page({ page: { href, host } }: { page: NonNullable<Elicitation['page']> }): JSX.Element {
  const app = useApp();
  return (
    <div class="ask-field">
      <p class="field-about">{app.t('opensOutside', visibleCode(host))}</p>
      <code class="ask-address" dir="ltr">
        {visibleCode(href)}
      </code>
    </div>
  );
}

/** The server is told that it is done once the person says so, which makes sense only after the page was opened. */
function PageButtons({ askId, control }: { askId: string; control: AskControl }): JSX.Element {
  const app = useApp();
  const { opened } = control.draft.value;
  return (
    <>
      <AskButton
        control={control}
        kind={opened ? 'secondary' : 'primary'}
        label={app.t('openLink')}
        onPress={() => {
          control.change({ opened: true });
          app.post({ type: 'openAskedPage', askId });
        }}
      />
      <AskButton
        control={control}
        kind={opened ? 'primary' : 'secondary'}
        label={app.t('done')}
        disabled={!opened}
        onPress={() => control.answer({ type: 'elicitation', action: 'accept', values: {} })}
      />
    </>
  );
}

export function ElicitationCard({ tool, card }: CardProps): JSX.Element {
  const app = useApp();
  return (
    <ToolLine
      tool={tool}
      icon="plug"
      verb={app.t('elicitationGroup', visibleCode(card.server))}
      subject={<bdi>{visibleProse(card.message)}</bdi>}
    >
      <p class="ask-message" dir="auto">
        {visibleProse(card.message)}
      </p>
    </ToolLine>
  );
}
