// Typed lint for the whole tree. The walls between the rooms (see ARCHITECTURE.md) are written here once;
// test/architecture checks the same walls over esbuild's metafile, so that a switched-off rule cannot hide a breach.
import tseslint from 'typescript-eslint';

/** What each room may never import: a pattern list for no-restricted-imports. */
const walls = {
  base: [
    'node:*',
    'vscode',
    'zod',
    'uuid',
    '**/protocol/**',
    '**/transport/**',
    '**/session/**',
    '**/bridge/**',
    '**/host/**',
  ],
  protocol: ['node:*', 'vscode', 'uuid', '**/transport/**', '**/session/**', '**/bridge/**', '**/host/**'],
  transport: ['vscode', '**/session/**', '**/bridge/**', '**/host/**'],
  session: ['node:*', 'vscode', '**/transport/**', '**/bridge/**', '**/host/**'],
  bridge: ['node:*', 'vscode', '**/transport/**', '**/host/**'],
  host: ['**/webview/**'],
};
/** The bridge may know the shapes of protocol and session, never their code. */
/** @type {Record<string, string[]>} */
const typeOnly = { bridge: ['**/protocol/**', '**/session/**'] };

/** @type {import('typescript-eslint').ConfigArray} */
const wallRules = Object.entries(walls).map(([room, group]) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          { group, message: `The room ${room} may not import this (ARCHITECTURE.md).` },
          ...(typeOnly[room]
            ? [{ group: typeOnly[room], allowTypeImports: true, message: `The room ${room} may import types only.` }]
            : []),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist/', '.build/', 'artifacts/', 'node_modules/', 'test/fixtures/', '.vscode-test/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-sequences': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'No enums: use a union of strings.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that knows.' },
      ],
    },
  },
  ...wallRules,
  {
    files: ['webview/**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                'node:*',
                'vscode',
                '**/src/protocol/**',
                '**/src/transport/**',
                '**/src/session/**',
                '**/src/host/**',
              ],
              message: 'The view may import src/bridge and src/base, nothing else of src (ARCHITECTURE.md).',
            },
          ],
        },
      ],
    },
  },
  {
    // Programs a person runs: printing is their job, and they are plain JavaScript so that they run before anything is installed.
    files: ['test/run/**', 'esbuild.mjs', 'test/bench/**', 'test/support/**', 'test/integration/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['*.mjs', '*.config.mts', 'test/**/*.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
  },
);
