/** `vscode.l10n.t`, as a parameter: presenters stay free of VS Code and can be tested on their own. */
export type Translate = (message: string, ...values: (string | number | boolean)[]) => string;
