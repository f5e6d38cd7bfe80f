import { render } from 'preact';
import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/transcript.css';
import './styles/rows.css';
import './styles/dock.css';
import './styles/composer.css';
import './styles/contrast.css';
import { Root } from './app/root.tsx';
import { ViewApp } from './app/viewApp.ts';

/** After the frame that shows the change: the frame's callback runs before its paint, a task queued in it after. */
function afterPaint(call: () => void): void {
  requestAnimationFrame(() => setTimeout(call, 0));
}

const app = new ViewApp(acquireVsCodeApi(), window, afterPaint);

window.addEventListener('error', event => {
  // Chromium reports a measurement that came a frame late as an error; the list expects that.
  if (event.message.startsWith('ResizeObserver loop')) return;
  app.fault(event.error ?? event.message);
});
window.addEventListener('unhandledrejection', event => app.fault(event.reason));
window.addEventListener('focus', () => app.post({ type: 'keyboard', here: true }));
window.addEventListener('blur', () => app.post({ type: 'keyboard', here: false }));
window.addEventListener('pagehide', () => app.state.flush());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') app.state.flush();
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the view');
render(<Root app={app} />, root);
app.start();
