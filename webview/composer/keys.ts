/** The part of a key event that decides. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

export interface KeySituation {
  readonly sendKey: 'enter' | 'modEnter';
  readonly listOpen: boolean;
  readonly onFirstLine: boolean;
  readonly onLastLine: boolean;
}

export type KeyAction = 'send' | 'pick' | 'next' | 'previous' | 'dismiss' | 'older' | 'newer';

/** What a key means in the composer; undefined leaves it to the text field. */
export function keyAction(press: KeyPress, situation: KeySituation): KeyAction | undefined {
  // While an input method composes, every key belongs to it; 229 is how some browsers say so on the last one.
  if (press.isComposing || press.keyCode === 229) return undefined;
  const mod = press.ctrlKey || press.metaKey;
  const plain = !mod && !press.shiftKey && !press.altKey;
  if (situation.listOpen && plain) {
    const action = listKeys[press.key];
    if (action) return action;
  }
  switch (press.key) {
    case 'Enter':
      if (press.shiftKey || press.altKey) return undefined;
      return mod || situation.sendKey === 'enter' ? 'send' : undefined;
    case 'ArrowUp':
      return plain && situation.onFirstLine ? 'older' : undefined;
    case 'ArrowDown':
      return plain && situation.onLastLine ? 'newer' : undefined;
    default:
      return undefined;
  }
}

const listKeys: Readonly<Partial<Record<string, KeyAction>>> = {
  Enter: 'pick',
  Tab: 'pick',
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Escape: 'dismiss',
};
