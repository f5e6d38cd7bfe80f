/** Stands for `vscode.l10n.t` in English. */
export function fill(message: string, ...values: (string | number | boolean)[]): string {
  return message.replace(/\{(\d+)\}/g, (mark, index: string) => String(values[Number(index)] ?? mark));
}
