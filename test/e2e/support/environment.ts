import { z } from 'zod';

/** What `test/run/layers/e2e.mjs` has made ready before Playwright starts. */
const preparedSchema = z.object({
  /** The project's own folder. */
  root: z.string(),
  /** The build of VS Code and the Node that runs it. */
  vscode: z.string(),
  node: z.string(),
  chromium: z.string(),
  /** The pinned command line program. */
  claude: z.string(),
  /** Folder into which the packaged extension was installed. */
  extensions: z.string(),
  /** Folder of those of VS Code's own extensions that run no program. */
  builtin: z.string(),
  /** Where failures leave their pictures and logs. */
  artifacts: z.string(),
});

export type Prepared = z.infer<typeof preparedSchema>;

/** Tells Playwright what was prepared; through the environment, because it runs the tests in processes of its own. */
export const PREPARED_VARIABLE = 'HANDRAIL_E2E';

export function prepared(): Prepared {
  const text = process.env[PREPARED_VARIABLE];
  if (text === undefined) throw new Error('Start these tests with `npm run test:e2e`, which prepares what they need.');
  return preparedSchema.parse(JSON.parse(text));
}

/** The environment of VS Code and of all that it starts: nothing of the person's own machine. */
export function allowedEnvironment(home: string): Record<string, string | undefined> {
  const { PATH, LANG, SystemRoot, ComSpec, PATHEXT } = process.env;
  return { PATH, LANG, SystemRoot, ComSpec, PATHEXT, HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home };
}

/** What the command line program needs to talk to the scripted model and to nobody else. */
export function claudeEnvironment(modelUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-ant-test-000000000000000000000000',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}
