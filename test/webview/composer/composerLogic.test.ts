import { describe, expect, it } from 'vitest';
import { attachImage, filesFromUriList, maxImageBytes } from '../../../webview/composer/attachFiles.ts';
import { keyAction } from '../../../webview/composer/keys.ts';
import { PromptHistory } from '../../../webview/composer/promptHistory.ts';
import { argumentHint, complete, matchCommands, triggerAt } from '../../../webview/composer/trigger.ts';
import { SentenceReader } from '../../../webview/app/sentenceReader.ts';

describe('PromptHistory', () => {
  const sent = () => ['one', 'two', 'three'];

  it('walks back and forth and returns the draft at the end', () => {
    const history = new PromptHistory();
    expect(history.older('', sent)).toBe('three');
    expect(history.older('three', sent)).toBe('two');
    expect(history.older('two', sent)).toBe('one');
    expect(history.older('one', sent)).toBeUndefined();
    expect(history.newer('one')).toBe('two');
    expect(history.newer('two')).toBe('three');
    expect(history.newer('three')).toBe('');
    expect(history.newer('')).toBeUndefined();
  });

  it('treats an entry that was changed as a new draft', () => {
    const history = new PromptHistory();
    history.older('', sent);
    expect(history.isWalking('three and more')).toBe(false);
    expect(history.newer('three and more')).toBeUndefined();
    expect(history.older('three and more', sent)).toBe('three');
    expect(history.newer('three')).toBe('three and more');
  });
});

describe('triggerAt', () => {
  it('completes a command only at the beginning of the message', () => {
    expect(triggerAt('/com', 4)).toEqual({ kind: 'command', query: 'com', from: 0, to: 4 });
    expect(triggerAt('/compact now', 12)).toBeUndefined();
    expect(triggerAt('see /com', 8)).toBeUndefined();
  });

  it('completes a file after a space or a bracket, not inside a word', () => {
    expect(triggerAt('look at @src/cl', 15)).toEqual({ kind: 'file', query: 'src/cl', from: 8, to: 15 });
    expect(triggerAt('(@a', 3)).toMatchObject({ kind: 'file', query: 'a' });
    expect(triggerAt('me@example', 10)).toBeUndefined();
    expect(triggerAt('@done ', 6)).toBeUndefined();
  });

  it('replaces only what was typed for the trigger', () => {
    const text = 'see @cl and go';
    const trigger = triggerAt(text, 7);
    expect(trigger && complete(text, trigger, '@src/client.ts ')).toEqual({
      text: 'see @src/client.ts  and go',
      caret: 19,
    });
  });
});

describe('commands', () => {
  const commands = [
    { name: 'review', description: 'Look at a change', argumentHint: '<number>' },
    { name: 'init', description: 'Begin', argumentHint: '' },
    { name: 'security-review', description: 'Look for holes', argumentHint: '' },
    { name: 'cost', description: 'Review what was spent', argumentHint: '' },
  ];

  it('ranks by the beginning of the name, then the name, then the description', () => {
    expect(matchCommands(commands, 're').map(one => one.name)).toEqual(['review', 'security-review', 'cost']);
    expect(matchCommands(commands, '')).toHaveLength(4);
  });

  it('hints at the arguments while there are none', () => {
    expect(argumentHint(commands, '/review ')).toBe('<number>');
    expect(argumentHint(commands, '/review 12')).toBeUndefined();
    expect(argumentHint(commands, '/init')).toBeUndefined();
  });
});

describe('keyAction', () => {
  const press = (key: string, more: Partial<Parameters<typeof keyAction>[0]> = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    keyCode: 0,
    ...more,
  });
  const typing = { sendKey: 'enter', listOpen: false, onFirstLine: true, onLastLine: true } as const;

  it('sends with Enter and leaves Shift+Enter to the text', () => {
    expect(keyAction(press('Enter'), typing)).toBe('send');
    expect(keyAction(press('Enter', { shiftKey: true }), typing)).toBeUndefined();
  });

  it('can be turned round: Enter is a new line, Ctrl or Cmd+Enter sends', () => {
    const reversed = { ...typing, sendKey: 'modEnter' } as const;
    expect(keyAction(press('Enter'), reversed)).toBeUndefined();
    expect(keyAction(press('Enter', { ctrlKey: true }), reversed)).toBe('send');
    expect(keyAction(press('Enter', { metaKey: true }), reversed)).toBe('send');
  });

  it('leaves every key to an input method that composes', () => {
    expect(keyAction(press('Enter', { isComposing: true }), typing)).toBeUndefined();
    expect(keyAction(press('Enter', { keyCode: 229 }), typing)).toBeUndefined();
  });

  it('walks the history only from the first and the last line', () => {
    expect(keyAction(press('ArrowUp'), typing)).toBe('older');
    expect(keyAction(press('ArrowUp'), { ...typing, onFirstLine: false })).toBeUndefined();
    expect(keyAction(press('ArrowDown'), { ...typing, onLastLine: false })).toBeUndefined();
  });

  it('gives the keys to the list while it is open', () => {
    const open = { ...typing, listOpen: true };
    const keys = ['Enter', 'Tab', 'ArrowDown', 'ArrowUp', 'Escape', 'a'];
    expect(keys.map(key => keyAction(press(key), open))).toEqual([
      'pick',
      'pick',
      'next',
      'previous',
      'dismiss',
      undefined,
    ]);
    expect(keyAction(press('Enter', { ctrlKey: true }), open)).toBe('send');
  });
});

describe('attachments', () => {
  const newId = () => 'id';

  it('takes an image of a known type', async () => {
    const file = new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' });
    expect(await attachImage(file, newId)).toEqual({
      type: 'attached',
      attachment: { kind: 'image', id: 'id', name: 'a.png', mediaType: 'image/png', data: 'AQID' },
    });
  });

  it('refuses other types and images that are too big', async () => {
    const svg = new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' });
    expect(await attachImage(svg, newId)).toEqual({ type: 'wrongType', name: 'a.svg' });
    const big = new File([new Uint8Array(maxImageBytes + 1)], 'b.png', { type: 'image/png' });
    expect(await attachImage(big, newId)).toEqual({ type: 'tooBig', name: 'b.png', bytes: maxImageBytes + 1 });
  });

  it('reads files dragged out of the explorer, on every system, and nothing else', () => {
    const list = [
      'file:///home/u/a%20b.ts',
      'file:///c%3A/w/x.ts',
      'vscode-remote://ssh/home/r.ts',
      'https://example.com/z.ts',
      'file:///bad%E0%A4%A',
    ].join('\r\n');
    const paths = filesFromUriList(list, newId).map(one => one.kind === 'file' && one.path);
    expect(paths).toEqual(['/home/u/a b.ts', 'c:/w/x.ts', '/home/r.ts']);
  });
});

describe('SentenceReader', () => {
  it('reads a growing text sentence by sentence, each once', () => {
    const reader = new SentenceReader();
    expect(reader.read('a', 'I will lo', false)).toEqual([]);
    expect(reader.read('a', 'I will look. Then', false)).toEqual([{ sentence: 'I will look.' }]);
    expect(reader.read('a', 'I will look. Then version 1.5 comes.\n\n- a', false)).toEqual([
      { sentence: 'Then version 1.5 comes.' },
    ]);
    expect(reader.read('a', 'I will look. Then version 1.5 comes.\n\n- a', true)).toEqual([{ sentence: '- a' }]);
    expect(reader.read('a', 'I will look. Then version 1.5 comes.\n\n- a', true)).toEqual([]);
  });

  it('does not read out what was finished before', () => {
    expect(new SentenceReader().read('old', 'Said long ago.', true)).toEqual([]);
  });
});
