import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import themes from '../playground/themes.json' with { type: 'json' };

const styles = readFileSync(path.join(import.meta.dirname, '../../../webview/styles/code.css'), 'utf8');
const rules = [...styles.matchAll(/\.(token-\w+) \{\s*color: var\((--[\w-]+)/g)].map(
  ([, token = '', variable = '']) => ({
    token,
    variable,
  }),
);

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

function read(text: string): Colour {
  const hex = /^#(..)(..)(..)$/.exec(text);
  const parts = hex ? hex.slice(1).map(part => Number.parseInt(part, 16)) : (text.match(/[\d.]+/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return [red, green, blue, alpha];
}

function luminance([red, green, blue]: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map(part => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(front: Colour, back: Colour): number {
  const mix = (at: 0 | 1 | 2): number => front[at] * front[3] + back[at] * (1 - front[3]);
  const [light = 0, dark = 0] = [luminance([mix(0), mix(1), mix(2), 1]), luminance(back)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(Object.entries(themes))('code in the theme %s', (_, theme) => {
  const values: Partial<Record<string, string>> = theme;

  it('has colours for nine kinds of words', () => {
    expect(rules).toHaveLength(9);
  });

  it.each(rules)('can be read: $token', ({ variable }) => {
    const front = values[variable];
    const back = values['--vscode-editor-background'];
    if (front === undefined || back === undefined) throw new Error(`The theme has no ${variable}`);
    expect(contrast(read(front), read(back))).toBeGreaterThanOrEqual(4.5);
  });
});
