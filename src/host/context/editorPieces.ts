import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import { insidePath } from '../paths.ts';
import type { ContextPiece } from './contextText.ts';

/** Longer text is named and not copied: the agent can read the file. */
const longest = 100_000;
const mostProblems = 100;

/** The schemes of documents that a person writes. */
const written: ReadonlySet<string> = new Set(['file', 'untitled']);

export function isWritten(document: vscode.TextDocument): boolean {
  return written.has(document.uri.scheme);
}

/** What is selected, as it stands in the editor: also what is not saved. */
export function selectionPiece(document: vscode.TextDocument, range: vscode.Range, cwd: string): ContextPiece {
  const path = pathOf(document.uri, cwd);
  // A selection of whole lines ends at the beginning of the next one.
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  const [from, to] = [range.start.line + 1, last + 1];
  const lines = from === to ? `${from}` : `${from}-${to}`;
  const text = document.getText(range);
  const head = `Selected in the editor: ${path}, ${from === to ? `line ${from}` : `lines ${from} to ${to}`}${saved(document)}`;
  const body = text.length > longest ? 'Too long to be copied here.' : fenced(text, document.languageId);
  return { what: 'selection', name: `${basename(path)}:${lines}`, text: `${head}\n${body}` };
}

/** The file that is open: named, for the agent to read. */
export function filePiece(document: vscode.TextDocument, cwd: string): ContextPiece {
  const path = pathOf(document.uri, cwd);
  return { what: 'file', name: basename(path), text: `Open in the editor: ${path}${saved(document)}` };
}

export interface Problems {
  readonly uri: vscode.Uri;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

export function problemsPiece(files: readonly Problems[], cwd: string, name: string): ContextPiece {
  const lines = files.flatMap(({ uri, diagnostics }) =>
    diagnostics.map(({ range, severity, message, source }) => {
      const place = `${pathOf(uri, cwd)}:${range.start.line + 1}:${range.start.character + 1}`;
      return `${place} ${severityName(severity)}${source === undefined ? '' : ` (${source})`}: ${message}`;
    }),
  );
  const rest = lines.length > mostProblems ? [`and ${lines.length - mostProblems} more`] : [];
  const text = ['Problems that the editor shows:', ...lines.slice(0, mostProblems), ...rest].join('\n');
  return { what: 'problems', name, text };
}

export function toAttachment(piece: ContextPiece, id: string): ViewAttachment {
  return { kind: 'context', id, ...piece };
}

/** As the agent knows it: from its folder on, or whole. */
export function pathOf(uri: vscode.Uri, cwd: string): string {
  if (uri.scheme !== 'file') return uri.path;
  return insidePath(uri.fsPath, cwd) ?? uri.fsPath;
}

function saved(document: vscode.TextDocument): string {
  if (document.isUntitled) return ' (never saved)';
  return document.isDirty ? ' (with changes that are not saved)' : '';
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function severityName(severity: vscode.DiagnosticSeverity): string {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return 'error';
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    case vscode.DiagnosticSeverity.Information:
      return 'info';
    case vscode.DiagnosticSeverity.Hint:
      return 'hint';
  }
}
