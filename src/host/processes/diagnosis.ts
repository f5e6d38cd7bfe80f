import type { AccountInfo } from '../../session/sessionInfo.ts';
import type { ExecutableSearch } from '../../transport/findExecutable.ts';
import type { Translate } from '../chat/words.ts';

/** What was found out about the things Handrail needs. */
export interface DiagnosisFacts {
  readonly versions: { readonly handrail: string; readonly vscode: string; readonly node: string };
  readonly platform: string;
  readonly remote?: string;
  readonly search: ExecutableSearch;
  /** Undefined while no agent has told. */
  readonly account?: AccountInfo;
  readonly loggedIn?: boolean;
  readonly agentVersion?: string;
  readonly processes: number;
  /** Undefined: git does not answer. */
  readonly git?: string;
  readonly configFolder: { readonly path: string; readonly there: boolean; readonly sessions: number };
  readonly folders: readonly string[];
  /** Settings that differ from their defaults; values of variables are never among them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly logPath: string;
}

export type Fix = 'openSettings' | 'signIn';

export interface Diagnosis {
  readonly markdown: string;
  /** What would help most; nothing when all is well. */
  readonly fix?: Fix;
}

/** The whole state of affairs as a document, the faults first. */
export function diagnosis(facts: DiagnosisFacts, t: Translate): Diagnosis {
  const { found } = facts.search;
  const faults = [
    ...(found === undefined ? [t('The claude program was not found. Nothing can work without it.')] : []),
    ...(facts.loggedIn === false ? [t('The agent is not signed in.')] : []),
    ...(facts.git === undefined ? [t('git does not answer: branches and worktrees are not shown.')] : []),
    ...(facts.folders.length === 0 ? [t('No folder is open: sessions work in your home folder.')] : []),
  ];
  const parts = [
    `# ${t('Handrail: what works and what does not')}`,
    faults.length === 0 ? t('Everything that was looked at works.') : faults.map(fault => `- **${fault}**`).join('\n'),
    ...program(facts, t),
    ...account(facts, t),
    `## ${t('Surroundings')}`,
    list([
      `Handrail ${facts.versions.handrail}, VS Code ${facts.versions.vscode}, Node ${facts.versions.node}`,
      facts.remote === undefined ? facts.platform : `${facts.platform}, ${facts.remote}`,
      facts.git === undefined ? t('git: not found') : facts.git,
      `${t('Folders')}: ${facts.folders.length === 0 ? '–' : facts.folders.map(code).join(', ')}`,
      `${t('Sessions')}: ${code(facts.configFolder.path)} – ${
        facts.configFolder.there ? t('{0} sessions', facts.configFolder.sessions) : t('not there yet')
      }`,
      `${t('Agents that run now')}: ${facts.processes}`,
      `${t('Log')}: ${code(facts.logPath)}`,
    ]),
    `## ${t('Settings that are not at their default')}`,
    list(Object.entries(facts.settings).map(([name, value]) => `${code(name)}: ${code(value)}`)) || t('none'),
  ];
  const fix = found === undefined ? 'openSettings' : facts.loggedIn === false ? 'signIn' : undefined;
  return { markdown: `${parts.join('\n\n')}\n`, ...(fix === undefined ? {} : { fix }) };
}

function program({ search }: DiagnosisFacts, t: Translate): string[] {
  const { found } = search;
  const answer =
    found === undefined
      ? t('not found')
      : `${code(found.path)}, ${found.version === undefined ? t('version unknown') : code(found.version)}`;
  return [
    `## ${t('The claude program')}`,
    answer,
    list(
      search.tried.map(
        ({ path, source, outcome, detail }) =>
          `${code(path)} (${source}): ${outcome}${detail === undefined ? '' : ` – ${code(detail)}`}`,
      ),
    ),
  ];
}

function account({ account: known, loggedIn, agentVersion }: DiagnosisFacts, t: Translate): string[] {
  const state =
    loggedIn === true
      ? t('signed in')
      : loggedIn === false
        ? t('not signed in')
        : t('unknown until an agent has started');
  const facts = [
    known?.email,
    known?.organization,
    known?.subscriptionType,
    known?.apiProvider,
    known?.tokenSource ?? known?.apiKeySource,
  ];
  return [
    `## ${t('Account')}`,
    list([
      [state, ...facts.filter(fact => fact !== undefined && fact !== '')].join(', '),
      ...(agentVersion === undefined ? [] : [`${t('The running agent says it is')} ${code(agentVersion)}`]),
    ]),
  ];
}

function list(lines: readonly string[]): string {
  return lines.map(line => `- ${line}`).join('\n');
}

/** Text from elsewhere as code, whatever is in it. */
function code(text: string): string {
  return `\`${text.replace(/[`\r\n]+/g, ' ')}\``;
}
