import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Where the view's files are, inside the extension. */
export function viewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'view');
}

/**
 * The page of the chat. Nothing is allowed unless named here: no inline script or style, nothing from outside. Lazy chunks
 * are module imports of the one script with the nonce and inherit it.
 */
export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(viewRoot(extensionUri), name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data: blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('main.css')}">
<title>Handrail</title>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${file('main.js')}"></script>
</body>
</html>`;
}
