import { describe, expect, it } from 'vitest';
import { readRequest } from '../../support/model/readRequest.ts';
import type { ModelRequest } from '../../support/model/request.ts';
import { RehearsalScript, startRehearsal } from '../../support/model/rehearsal.ts';
import { proposeEdits, proposeRewrite } from '../../support/model/rehearsal/proposals.ts';
import { contentOfRead, inWorkspace, readStage } from '../../support/model/rehearsal/stage.ts';
import { helpText, longText, menu } from '../../support/model/rehearsal/texts.ts';
import type { Step, Turn } from '../../support/model/script.ts';

const environment = '# Environment\n - Primary working directory: /home/me/my project\n - Platform: linux';

function requestOf(messages: readonly object[], headers: Record<string, string> = {}): ModelRequest {
  const body = { model: 'm', max_tokens: 9, tools: [{ name: 'Read' }], messages };
  const read = readRequest('POST', '/v1/messages', headers, Buffer.from(JSON.stringify(body)));
  return { ...read, index: 0, ended: Promise.resolve('answered') };
}

const user = (content: unknown) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });
const call = (name: string, input: object = {}) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: `t_${name}`, name, input }],
});
const result = (name: string, content: string, isError = false) =>
  user([{ type: 'tool_result', tool_use_id: `t_${name}`, content, is_error: isError }]);

function stepsOf(turn: Turn | undefined): readonly Step[] {
  if (turn === undefined) return [];
  return 'kind' in turn ? [turn] : turn;
}

function said(turn: Turn | undefined): string {
  return stepsOf(turn)
    .flatMap(step => (step.kind === 'text' ? step.parts.filter(part => typeof part === 'string') : []))
    .join('');
}

function answer(...messages: readonly object[]): Turn | undefined {
  return new RehearsalScript(0).answer(requestOf([user('…'), system(environment), ...messages]));
}

describe('the stage', () => {
  it('takes the newest words of the person as the prompt, not reminders, marks or editor context', () => {
    const stage = readStage(
      requestOf([
        user('old'),
        user([
          { type: 'text', text: 'stopped one\n' },
          { type: 'text', text: '[Request interrupted by user]\n' },
          { type: 'text', text: '<ide_selection>\nplan\n</ide_selection>\nedit it' },
          { type: 'text', text: '<system-reminder>\nBe good.\n</system-reminder>' },
        ]),
        system(environment),
      ]),
    );
    expect(stage.prompt).toBe('edit it');
    expect(stage.cwd).toBe('/home/me/my project');
  });

  it('tells a refusal from a failure of the tool', () => {
    const outcome = (text: string) =>
      readStage(requestOf([user('run'), call('Bash'), result('Bash', text, true)])).steps.map(step => step.outcome);
    expect(outcome('not on a Friday')).toEqual(['denied']);
    expect(outcome('Exit code 1\nboom')).toEqual(['failed']);
    expect(outcome('<tool_use_error>File does not exist.</tool_use_error>')).toEqual(['failed']);
  });

  it('goes on with the turn that was interrupted, from what of it was finished', () => {
    const goOn = 'Go on where you were interrupted.';
    const cut = user([
      { type: 'tool_result', tool_use_id: 't_Bash', content: 'The user does not want to proceed.', is_error: true },
      { type: 'text', text: '[Request interrupted by user for tool use]' },
      { type: 'text', text: goOn },
    ]);
    const messages = [user('edit it'), call('Read'), result('Read', '1\tx'), call('Bash'), cut];
    const stage = readStage(requestOf(messages));
    expect(stage.prompt).toBe('edit it');
    expect(stage.steps.map(step => step.tool)).toEqual(['Read']);
    const later = readStage(requestOf([...messages, call('Edit'), result('Edit', 'ok')]));
    expect(later.steps.map(step => step.tool)).toEqual(['Read', 'Edit']);
    expect(said(answer(user('run'), user(goOn)))).not.toContain(helpText());
    expect(said(answer(user(goOn)))).toContain(helpText());
  });

  it('counts only the calls since the prompt that have a result', () => {
    const messages = [user('edit'), call('Read'), result('Read', '1\tx'), user('again'), call('Write')];
    expect(readStage(requestOf(messages)).steps).toEqual([]);
  });

  it('reads a note about a changed proposal from either place the CLI puts it', () => {
    const note = 'PostToolUse:Edit hook additional context: The user changed a line.';
    const asSystem = readStage(requestOf([user('edit'), call('Edit'), result('Edit', 'ok'), system(note)]));
    const reminder = user([{ type: 'text', text: `<system-reminder>\n${note}\n</system-reminder>` }]);
    const asReminder = readStage(requestOf([user('edit'), call('Edit'), result('Edit', 'ok'), reminder]));
    expect([asSystem.note, asReminder.note]).toEqual(['The user changed a line.', 'The user changed a line.']);
    expect(asReminder.prompt).toBe('edit');
  });

  it('knows the plan file while plan mode is on, and only then', () => {
    const on = system(
      'Plan mode is active.\nYou should create your plan at /home/a b/.claude/plans/x-y.md using Write.',
    );
    const off = system('## Exited Plan Mode\n\nYou have exited plan mode.');
    expect(readStage(requestOf([user('plan'), on])).planFile).toBe('/home/a b/.claude/plans/x-y.md');
    expect(readStage(requestOf([user('plan'), on, off])).planFile).toBeUndefined();
  });

  it('takes the line numbers off what was read, and nothing else', () => {
    const read = ' 1\tone\n 2→\t2\tindented\n 3\t\n<system-reminder>\nnote\n</system-reminder>\n';
    expect(contentOfRead(read)).toBe('one\n\t2\tindented\n');
  });

  it('writes paths in the manner of the system', () => {
    expect(inWorkspace({ cwd: '/w' }, 'src/a.ts')).toBe('/w/src/a.ts');
    expect(inWorkspace({ cwd: 'C:\\w' }, 'src/a.ts')).toBe('C:\\w\\src\\a.ts');
  });
});

describe('proposals', () => {
  const loop = 'a();\nfor (;;) {\n  try {\n    return b();\n  } catch (problem) {\n    c();\n  }\n}\n';

  it('give an endless loop a limit, in edits that apply alone and together', () => {
    const edits = proposeEdits('a.ts', loop);
    expect(edits).toHaveLength(2);
    for (const edit of edits) expect(loop.split(edit.old_string)).toHaveLength(2);
    const changed = edits.reduceRight((text, edit) => text.replace(edit.old_string, edit.new_string), loop);
    expect(changed).toContain('for (let attempt = 1; ; attempt += 1) {');
    expect(changed).toContain('  } catch (problem) {\n    if (attempt >= maxAttempts) throw problem;');
    expect(proposeEdits('a.ts', changed)).toHaveLength(1);
  });

  it('find one place only, also in a file of equal lines', () => {
    for (const content of ['x\nx\nx\n', 'one line', '}\n}\n\n', loop]) {
      for (const edit of proposeEdits('notes.txt', content)) {
        expect(content.split(edit.old_string)).toHaveLength(2);
        expect(edit.new_string).not.toBe(edit.old_string);
      }
    }
  });

  it('comment in the language of the file', () => {
    expect(proposeRewrite('a.md', 'x\n')).toContain('<!-- Rewritten');
    expect(proposeRewrite('a.py', 'x\n')).toContain('# Rewritten');
    expect(proposeRewrite('a.ts', loop)).toContain('maxAttempts');
  });
});

describe('the script', () => {
  it('has a scene of its own for each word of the menu', () => {
    for (const [words] of menu) {
      const turn = stepsOf(answer(user(words)));
      expect(turn.length, words).toBeGreaterThan(0);
      expect(said(turn), words).not.toBe(helpText());
    }
  });

  it('shows the menu for help and for anything else', () => {
    expect(said(answer(user('help')))).toBe(helpText());
    expect(said(answer(user('good morning')))).toBe(helpText());
    for (const [words] of menu) expect(helpText()).toContain(`**${words}**`);
  });

  it('streams the long answer for more than a minute at its usual pace', () => {
    const [step] = stepsOf(new RehearsalScript(25).answer(requestOf([user('long')])));
    if (step?.kind !== 'text') throw new Error('The long answer is no text.');
    expect((longText().length / step.pace.chunk) * step.pace.deltaMs).toBeGreaterThan(60_000);
  });

  it('ends a flow that was refused, with the reason', () => {
    const turn = answer(user('edit'), call('Read'), result('Read', 'not that file', true));
    expect(said(turn)).toContain('You said no: not that file');
    expect(stepsOf(turn).some(step => step.kind === 'tool')).toBe(false);
  });

  it('fails as often as it should, counting each session for itself', () => {
    const script = new RehearsalScript(0);
    const kinds = (id: string) =>
      stepsOf(script.answer(requestOf([user('error')], { 'x-claude-code-session-id': id }))).map(step => step.kind);
    expect([kinds('a'), kinds('b'), kinds('a'), kinds('a'), kinds('b'), kinds('b')]).toEqual([
      ['fail'],
      ['fail'],
      ['fail'],
      ['text'],
      ['fail'],
      ['text'],
    ]);
  });

  it('serves over HTTP until it is stopped', async () => {
    const rehearsal = await startRehearsal({ deltaMs: 0 });
    const body = JSON.stringify({ model: 'm', tools: [{ name: 'Read' }], messages: [user('think')] });
    const response = await fetch(`${rehearsal.url}/v1/messages`, { method: 'POST', body });
    expect(await response.text()).toContain('five attempts');
    await rehearsal.stop();
    await expect(fetch(rehearsal.url)).rejects.toThrow();
  });
});
