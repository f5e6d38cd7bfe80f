import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prompt, text } from './support.ts';
import { View } from './viewHarness.tsx';

describe('the announcer', () => {
  let view: View;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    view = await new View([prompt('p')], { state: 'working' }).open();
  });

  afterEach(() => {
    view.close();
    vi.useRealTimers();
  });

  async function heard(): Promise<string> {
    await view.do(() => vi.advanceTimersByTime(1000));
    return view.get('[role="status"]').textContent;
  }

  it('reads whole sentences of a stream, not its tokens', async () => {
    await view.do(() => view.host.append(text('a', { text: 'I will look', streaming: true })));
    expect(await heard()).toBe('');
    await view.do(() => view.host.patch({ op: 'append', id: 'a', text: ' at it. And th' }));
    expect(await heard()).toBe('I will look at it.');
    await view.do(() => view.host.patch({ op: 'update', item: text('a', { text: 'I will look at it. And then' }) }));
    expect(await heard()).toBe('And then');
  });

  it('says what markdown means, and neither its marks nor the addresses behind links', async () => {
    const written = [
      '## The *plan*, in `three` steps',
      '',
      '**Read [the docs. All of them](https://example.com/docs?a=1). Then** go on.',
      '1. Change `src/a.ts`. It is ~~long~~ short &amp; sweet.',
      '- [x] see https://example.org/a/b for more',
      '> quoted <b>loud</b>',
      '| a | b |',
      '|---|---|',
      '| one | two |',
      '```ts',
      'const secret = 1. + 2;',
      '```',
      'Done.',
    ].join('\n');
    await view.do(() => view.host.append(text('a', { text: '', streaming: true })));
    for (let at = 0; at < written.length; at += 7) {
      await view.do(() => view.host.patch({ op: 'append', id: 'a', text: written.slice(at, at + 7) }));
    }
    await view.do(() => view.host.patch({ op: 'update', item: text('a', { text: written }) }));
    expect(await heard()).toBe(
      'The plan, in three steps Read the docs. All of them. Then go on. Change src/a.ts. ' +
        'It is long short & sweet. see example.org for more quoted loud a, b one, two Code, ts Done.',
    );
  });

  it('says that the agent waits for the person', async () => {
    await view.do(() => view.host.session({ state: 'awaitingPermission' }));
    expect(await heard()).toBe('Waiting for you');
  });

  it('leaves the conversation itself silent', () => {
    expect(view.log.getAttribute('aria-live')).toBe('off');
  });
});
