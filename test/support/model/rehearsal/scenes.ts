import type { Turn } from '../script.ts';
import { contentOfRead, inWorkspace } from './stage.ts';
import type { DoneStep, Stage } from './stage.ts';
import { proposeEdits, proposeRewrite } from './proposals.ts';
import { backoffSource, planText } from './texts.ts';
import type { Voice } from './voice.ts';

/** Plays the next answer of a flow from where the conversation stands. Denied calls never get here. */
export type Scene = (stage: Stage, voice: Voice) => Turn;

const defaultFile = 'src/client.ts';

/** The file the person names, by a path with an ending; else the one every sample has. */
export function fileOf(stage: Stage): string {
  return /(?:^|[\s"'`@(])((?:[\w.-]+[\\/])*[\w-]+\.[a-z]{1,5})\b/i.exec(stage.prompt)?.[1] ?? defaultFile;
}

/** Read, then one Edit after the other; the second is made from what was read, not from what was hoped. */
export const edit: Scene = (stage, voice) => {
  const file = fileOf(stage);
  const [read, ...edits] = stage.steps;
  if (!read) {
    return voice.act(`I will look at \`${file}\` first.`, 'Read', { file_path: inWorkspace(stage, file) });
  }
  const failed = stage.steps.find(step => step.outcome === 'failed');
  if (failed) return voice.say(failureText(failed));
  const proposals = proposeEdits(file, contentOfRead(read.result));
  const next = proposals[edits.length];
  if (next) {
    const { why, ...strings } = next;
    return voice.act(why, 'Edit', { file_path: inWorkspace(stage, file), ...strings });
  }
  return voice.say(`Done: \`${file}\` is changed in ${edits.length === 1 ? 'one place' : `${edits.length} places`}.`);
};

export const rewrite: Scene = (stage, voice) => {
  const file = fileOf(stage);
  const path = inWorkspace(stage, file);
  const [read, written] = stage.steps;
  if (!read) return voice.act(`I will read \`${file}\` and then write it anew.`, 'Read', { file_path: path });
  const failed = stage.steps.find(step => step.outcome === 'failed');
  if (failed) return voice.say(failureText(failed));
  if (written) return voice.say(`Done: \`${file}\` is written. The hunks you left out are as they were.`);
  const content = proposeRewrite(file, contentOfRead(read.result));
  return voice.act('Several hunks in one change: take those you like.', 'Write', { file_path: path, content });
};

/** Looks what is there (a look needs no permission), then writes a file under the first free name. */
export const create: Scene = (stage, voice) => {
  const [look, written] = stage.steps;
  if (!look) return voice.act('I look what is there already.', 'Bash', { command: 'ls src', description: 'List src' });
  if (written?.outcome === 'failed') return voice.say(failureText(written));
  if (written) return voice.say(`Done: \`${shortPath(stage, written)}\` is there.`);
  const taken = look.outcome === 'done' ? look.result.split(/\s+/) : [];
  const name = freeName(taken);
  const words = `I will write \`src/${name}\`: how long to wait between attempts.`;
  return voice.act(words, 'Write', { file_path: inWorkspace(stage, `src/${name}`), content: backoffSource });
};

function freeName(taken: readonly string[]): string {
  let number = 1;
  const name = () => `backoff${number === 1 ? '' : number}.ts`;
  while (taken.includes(name())) number += 1;
  return name();
}

export const run: Scene = (stage, voice) => {
  const [ran] = stage.steps;
  const command = /`([^`]+)`/.exec(stage.prompt)?.[1] ?? 'npm test';
  if (!ran) return voice.act('I will run this:', 'Bash', { command, description: `Run ${command}` });
  return voice.say(outputText(ran));
};

/** A large output: the CLI keeps it in a file and shows the beginning. */
export const big: Scene = (stage, voice) => {
  const [ran] = stage.steps;
  const loop =
    'for (let i = 1; i <= 20000; i += 1) console.log(`line ${i}: the quick brown fox jumps over the lazy dog`)';
  const command = `node -e '${loop}'`;
  if (!ran) return voice.act('This prints twenty thousand lines:', 'Bash', { command, description: 'Print a lot' });
  const size = `${ran.result.split('\n').length} lines of it reached me`;
  return voice.say(ran.outcome === 'failed' ? failureText(ran) : `That was a lot of output; ${size}.`);
};

export const plan: Scene = (stage, voice) => {
  const approved = stage.steps.findIndex(step => step.tool === 'ExitPlanMode' && step.outcome === 'done');
  if (approved >= 0) return carryOut({ ...stage, prompt: defaultFile, steps: stage.steps.slice(approved + 1) }, voice);
  if (stage.planFile === undefined) {
    if (stage.steps.length > 0) return voice.say('Plan mode did not start, so there is nothing to approve.');
    return voice.act('Let me plan this before I touch anything.', 'EnterPlanMode', {});
  }
  const last = stage.steps.findLast(step => step.tool === 'Write' || step.tool === 'Read');
  if (last?.tool === 'Write' && last.outcome === 'done') return voice.act('This is the plan.', 'ExitPlanMode', {});
  const writes = stage.steps.filter(step => step.tool === 'Write').length;
  if (last?.tool === 'Write' && writes > 1) return voice.say(failureText(last));
  // The CLI overwrites only what was read: an older plan of this session is read first.
  if (last?.tool === 'Write') return voice.act('There is an older plan.', 'Read', { file_path: stage.planFile });
  return voice.act('I write the plan down.', 'Write', { file_path: stage.planFile, content: planText });
};

/** The approved plan is the edit of the default file; the thanks come once, before its first step. */
const carryOut: Scene = (stage, voice) => {
  const turn = edit(stage, voice);
  if (stage.steps.length > 0) return turn;
  return [voice.say('Thank you for the approval.'), ...('kind' in turn ? [turn] : turn)];
};

export const question: Scene = (stage, voice) => {
  const [asked] = stage.steps;
  if (asked)
    return voice.say(asked.outcome === 'failed' ? failureText(asked) : `Thank you. I was told:\n\n> ${asked.result}`);
  return voice.act('Two things I cannot decide for you:', 'AskUserQuestion', {
    questions: [
      {
        question: 'How many attempts are enough?',
        header: 'Attempts',
        multiSelect: false,
        options: [
          { label: 'Three', description: 'Quick to give up' },
          { label: 'Five', description: 'The usual choice' },
          { label: 'Ten', description: 'For servers that need time' },
        ],
      },
      {
        question: 'Which failures should be retried?',
        header: 'Failures',
        multiSelect: true,
        options: [
          { label: 'Time-outs', description: 'No answer in time' },
          { label: 'Server errors', description: 'Status 500 and above' },
          { label: 'Rate limits', description: 'Status 429' },
        ],
      },
    ],
  });
};

/** The subagent's own conversation is played by `reader`. */
export function subagent(inBackground: boolean): Scene {
  return (stage, voice) => {
    const [ended] = stage.steps;
    if (ended?.outcome === 'failed') return voice.say(failureText(ended));
    if (ended && inBackground) return voice.say('The subagent works in the background; you can go on meanwhile.');
    if (ended)
      return voice.say('The subagent has reported: the client retries without a limit, and the README admits it.');
    return voice.act('A subagent can read that for me.', 'Agent', {
      description: 'Read the client and the README',
      prompt:
        'Read README.md and src/client.ts and report in two sentences what the client does when the server is down.',
      subagent_type: 'general-purpose',
      run_in_background: inBackground,
    });
  };
}

/** What a subagent does: reads two files, then reports. */
export const reader: Scene = (stage, voice) => {
  const next = ['README.md', defaultFile][stage.steps.length];
  if (next) return voice.act(`Reading \`${next}\`.`, 'Read', { file_path: inWorkspace(stage, next) });
  const unread = stage.steps.filter(step => step.outcome !== 'done').length;
  const remark = unread === 0 ? '' : ` (${unread} of the files could not be read.)`;
  return voice.say(`The client calls the server again and again until it answers. Nothing ever stops it.${remark}`);
};

/** Reads side by side, then writes one after the other: what a queue of questions has to cope with. */
export const parallel: Scene = (stage, voice) => {
  if (stage.steps.length > 0) {
    const told = stage.steps.map(step => `- ${step.tool}: ${step.outcome}`);
    return voice.say(`All answered:\n\n${told.join('\n')}`);
  }
  return [
    voice.say('Four things at once:'),
    voice.tool('Read', { file_path: inWorkspace(stage, 'README.md') }),
    voice.tool('Read', { file_path: inWorkspace(stage, defaultFile) }),
    voice.tool('Bash', { command: 'mkdir -p notes', description: 'Make a folder for notes' }),
    voice.tool('Write', {
      file_path: inWorkspace(stage, 'notes/rehearsal.md'),
      content: '# Notes\n\nWritten in rehearsal.\n',
    }),
  ];
};

const tasks = ['Read the client', 'Limit the retries', 'Run the tests'];

export const todo: Scene = (stage, voice) => {
  if (!stage.offers('TaskCreate')) {
    const list = tasks.map(task => `- [ ] ${task}`).join('\n');
    return voice.say(`This CLI offers no task tools in this session, so here is the list as text:\n\n${list}`);
  }
  const failed = stage.steps.find(step => step.outcome === 'failed');
  if (failed) return voice.say(failureText(failed));
  const done = stage.steps.length;
  if (done === 0) {
    const calls = tasks.map(subject =>
      voice.tool('TaskCreate', { subject, description: subject, activeForm: `${subject}…` }),
    );
    return [voice.say('I make a list and work through it.'), ...calls];
  }
  const move = done - tasks.length;
  const taskId = taskIdOf(stage.steps[Math.floor(move / 2)]) ?? String(Math.floor(move / 2) + 1);
  if (move >= tasks.length * 2) return voice.say('All tasks are done.');
  return voice.tool('TaskUpdate', { taskId, status: move % 2 === 0 ? 'in_progress' : 'completed' });
};

function taskIdOf(created: DoneStep | undefined): string | undefined {
  return /#(\d+)/.exec(created?.result ?? '')?.[1];
}

function outputText(ran: DoneStep): string {
  const tail = ran.result.trim().split('\n').slice(-12).join('\n');
  const head =
    ran.outcome === 'failed' ? 'The command failed. Its last lines:' : 'The command has run. Its last lines:';
  return `${head}\n\n\`\`\`text\n${tail === '' ? '(no output)' : tail}\n\`\`\``;
}

function failureText(step: DoneStep): string {
  return `The tool ${step.tool} reported a problem:\n\n> ${step.result.trim().slice(0, 400)}`;
}

function shortPath(stage: Stage, step: DoneStep): string {
  const path = step.input['file_path'];
  return typeof path === 'string' ? path.replace(inWorkspace(stage, ''), '') : 'the file';
}
