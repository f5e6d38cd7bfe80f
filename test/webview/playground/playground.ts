import themes from './themes.json' with { type: 'json' };
import { FakeHost } from './fakeHost.ts';
import type { FakeConversation } from './fakeHost.ts';
import { remoteHost } from './remoteHost.ts';
import { conversation } from './scenarios.ts';

/**
 * The view without VS Code: `?theme=dark&scenario=tour`, with every card opened by `&open`. Sets the variables VS Code would, stands in for the host, and
 * then loads the very bundle that is shipped.
 */
const query = new URLSearchParams(location.search);
const theme = query.get('theme') ?? 'dark';

const bodyClasses: Readonly<Record<string, readonly string[]>> = {
  dark: ['vscode-dark'],
  light: ['vscode-light'],
  hcDark: ['vscode-high-contrast'],
  hcLight: ['vscode-high-contrast', 'vscode-high-contrast-light'],
};

for (const [name, values] of Object.entries(themes)) {
  if (name !== theme) continue;
  for (const [variable, value] of Object.entries(values)) document.documentElement.style.setProperty(variable, value);
}
const fonts = {
  '--vscode-font-family': "system-ui, 'Ubuntu', 'Droid Sans', sans-serif",
  '--vscode-font-size': '13px',
  '--vscode-editor-font-family': "'Droid Sans Mono', 'DejaVu Sans Mono', monospace",
  '--vscode-editor-font-size': '12px',
};
for (const [variable, value] of Object.entries(fonts)) document.documentElement.style.setProperty(variable, value);
document.body.classList.add(...(bodyClasses[theme] ?? []));

/** `host=remote`: somebody outside plays the host, over the page's own server. `view`: another script than the view's. */
if (query.get('host') === 'remote') {
  const api = await remoteHost(`ws://${location.host}/host`);
  globalThis.acquireVsCodeApi = () => api;
} else {
  const shown = conversation(query.get('scenario') ?? 'tour', Number(query.get('count') ?? 100));
  const host = new FakeHost(shown, query.has('open') ? everythingOpen(shown) : undefined);
  globalThis.acquireVsCodeApi = () => host.api;
  Object.assign(globalThis, { playground: host });
}

/** What the view would remember after somebody had opened every line. */
function everythingOpen({ items }: FakeConversation): unknown {
  const expanded = items.flatMap(({ id }) =>
    ['tool', 'notice', 'thinking', 'prompt', 'fold', 'steps'].map(kind => [`${kind}:${id}`, true]),
  );
  return { version: 1, draft: '', attachments: [], expanded };
}

const view = document.createElement('script');
view.type = 'module';
view.src = query.get('view') ?? '/view/main.js';
document.body.append(view);
