import { describe, expect, it } from 'vitest';
import { closeInline, holdBack } from '../../../webview/markdown/liveTail.ts';

describe('what is held back at the live end', () => {
  it.each([
    ['text\n-', 'text\n'],
    ['text\n--', 'text\n'],
    ['text\n==', 'text\n'],
    ['text\n\n#', 'text\n\n'],
    ['text\n\n```', 'text\n\n'],
    ['text\n\n```ts', 'text\n\n'],
    ['text\n\n1', 'text\n\n'],
    ['text\n\n1.', 'text\n\n'],
    ['- one\n- [', '- one\n'],
    ['- one\n- [x]', '- one\n'],
    ['> ', ''],
    ['text\n\n| a | b |', 'text\n\n'],
    ['text\n\n| a | b |\n', 'text\n\n'],
    ['text\n\n| a | b |\n|--', 'text\n\n'],
    ['[^1', ''],
    ['[^1]:', ''],
  ])('of %j is shown %j', (text, shown) => {
    expect(holdBack(text)).toBe(shown);
  });

  it.each(['text', 'text\n- a', '```ts\n', '| a |\n|---|\n| 1', 'text\n\n# Head', 'a - b', '12 apples'])(
    'is nothing of %j',
    text => {
      expect(holdBack(text)).toBe(text);
    },
  );
});

describe('marks that are open at the live end', () => {
  it.each([
    ['a **bold', 'a **bold**'],
    ['a **bold ', 'a **bold**'],
    ['a **bold*', 'a **bold**'],
    ['a **', 'a'],
    ['a *em', 'a *em*'],
    ['a ***both', 'a ***both***'],
    ['a ~~gone', 'a ~~gone~~'],
    ['a `code', 'a `code`'],
    ['a `', 'a'],
    ['a ``co`de', 'a ``co`de``'],
    ['**bold `code', '**bold `code`**'],
    ['a [text', 'a text'],
    ['a [text](', 'a text'],
    ['a [text](http://exam', 'a text'],
    ['a [**text](http', 'a **text**'],
    ['an ![image](data:', 'an'],
    ['a <kb', 'a'],
    ['a <', 'a'],
    ['- *one\n- **two', '- *one\n- **two**'],
    ['# A **head', '# A **head**'],
    ['| a | **b', '| a | **b**'],
    ['> quoted **text', '> quoted **text**'],
    ['tail\\', 'tail'],
  ])('of %j are closed as %j', (text, closed) => {
    expect(closeInline(text)).toBe(closed);
  });

  it.each(['2 * 3 = 6', 'snake_case_name', 'a **b** c', '[a](b) c', '`x` y', 'a < b', 'x ~ y', 'done\n'])(
    'are not seen in %j',
    text => {
      expect(closeInline(text)).toBe(text);
    },
  );

  it('are no marks inside of a fence', () => {
    const text = '- item\n  ```js\n  const a = `x';
    expect(closeInline(text)).toBe(text);
  });
});
