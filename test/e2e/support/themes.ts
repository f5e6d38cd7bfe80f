/** The four kinds of theme: their id in the settings, and the classes by which workbench and webview show that they have it. */
export const themes = [
  { name: 'dark', id: 'Dark Modern', workbench: 'vs-dark', webview: 'vscode-dark' },
  { name: 'light', id: 'Light Modern', workbench: 'vs', webview: 'vscode-light' },
  { name: 'hc-dark', id: 'Default High Contrast', workbench: 'hc-black', webview: 'vscode-high-contrast' },
  {
    name: 'hc-light',
    id: 'Default High Contrast Light',
    workbench: 'hc-light',
    webview: 'vscode-high-contrast-light',
  },
] as const;

export type Theme = (typeof themes)[number];
