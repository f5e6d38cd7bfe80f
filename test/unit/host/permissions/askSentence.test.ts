import { describe, expect, it } from 'vitest';
import { askSentence } from '../../../../src/host/permissions/askSentence.ts';
import { labelText, noticeText } from '../../../../src/host/noticeText.ts';
import { askAbout } from './kit.ts';

const t = (message: string, ...values: unknown[]): string =>
  message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
const sentence = (tool: string, input: Record<string, unknown>, exists = false) =>
  askSentence(askAbout(tool, input), '/project', t, () => exists);

describe('The line about a question', () => {
  it('starts with the tool and says what it wants', () => {
    const file = { file_path: '/project/src/a.ts', content: 'a' };
    expect(sentence('Write', file)).toEqual({ text: 'Write wants to create src/a.ts', whole: true });
    expect(sentence('Write', file, true).text).toBe('Write wants to overwrite src/a.ts');
    expect(sentence('Bash', { command: 'npm test' })).toEqual({ text: 'Bash wants to run: npm test', whole: true });
    expect(sentence('WebFetch', { url: 'https://example.com/', prompt: 'x' }).text).toBe(
      'WebFetch wants to open https://example.com/',
    );
    expect(sentence('ExitPlanMode', { plan: 'x' }).text).toMatch(/^ExitPlanMode /);
    expect(sentence('mcp__files__remove', { path: '/' }).text).toBe('remove of files wants to run');
  });

  it.each([
    ['long', `echo ${'a'.repeat(200)}; rm -rf ~`],
    ['of many lines', 'echo hello\nrm -rf ~'],
    ['with wide gaps', `echo hello${' '.repeat(80)}; rm -rf ~`],
    ['with hidden characters', 'echo \u202eolleh'],
    ['that looks like a link', 'echo [hello](command:handrail.acceptProposal)'],
  ])('does not hold the whole of a command %s', (_, command) => {
    const { text, whole } = sentence('Bash', { command });
    expect(whole).toBe(false);
    expect(text).not.toContain('\n');
    expect(text.length).toBeLessThan(150);
  });

  it('does not hold the whole of what it leaves out', () => {
    expect(sentence('mcp__files__remove', { path: '/' }).whole).toBe(false);
    expect(sentence('SomethingNew', { path: '/' }).whole).toBe(false);
    expect(sentence('Bash', { command: 'ls', dangerouslyDisableSandbox: true }).whole).toBe(false);
  });
});

describe('Text of others', () => {
  it('makes no link in a message, neither to a page nor to a command', () => {
    for (const link of ['[yes](command:handrail.acceptProposal)', '[a](https://example.com)', '[a](a "b")']) {
      expect(noticeText(`Look: ${link}`)).not.toMatch(/\]\(/);
    }
    expect(noticeText('a\u001b[31mb\u202ec')).toBe('abc');
  });

  it('makes no icon in a list, and is read as it is', () => {
    expect(labelText('echo $(trash) $(sync~spin) $(date +%s) $HOME')).toBe(
      'echo \\$(trash) \\$(sync~spin) $(date +%s) $HOME',
    );
    expect(labelText('\\$(trash)')).toBe('\\\\$(trash)');
    expect(labelText('a\u202eb')).toBe('ab');
  });
});
