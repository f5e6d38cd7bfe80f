import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { BOM } from '../../session/proposal/presentFile.ts';

interface Entry {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/**
 * A file system in memory for the sides of a diff. Texts are kept as UTF-8. Where a person has set another encoding for
 * their files they get a byte-order mark, so that VS Code reads them right all the same; the mark is no part of the text.
 */
export class ProposalFiles implements vscode.FileSystemProvider, Disposable {
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;
  #time = Date.now();

  /** Writes a text, and tells the editors that hold it. */
  put(uri: vscode.Uri, text: string): void {
    const known = this.#entries.has(uri.toString());
    this.#set(uri, new TextEncoder().encode(markFor(uri) + text));
    const type = known ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.#changes.fire([{ type, uri }]);
  }

  /** Forgets a text that no editor holds any more. */
  remove(uri: vscode.Uri): void {
    if (this.#entries.delete(uri.toString())) this.#changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  textOf(uri: vscode.Uri): string | undefined {
    const entry = this.#entries.get(uri.toString());
    return entry === undefined ? undefined : new TextDecoder().decode(entry.bytes);
  }

  watch(): vscode.Disposable {
    // Every change is told anyway.
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, mtime } = this.#entry(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#entry(uri).bytes;
  }

  /** VS Code saves what the person typed. Only texts that are on the stage can be written. */
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#entry(uri);
    this.#set(uri, content);
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changes.dispose();
    this.#entries.clear();
  }

  #entry(uri: vscode.Uri): Entry {
    const entry = this.#entries.get(uri.toString());
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }

  #set(uri: vscode.Uri, bytes: Uint8Array): void {
    // Never the same twice: VS Code takes a file with an old time for the one it has.
    this.#time = Math.max(this.#time + 1, Date.now());
    this.#entries.set(uri.toString(), { bytes, mtime: this.#time });
  }
}

function markFor(uri: vscode.Uri): string {
  const files = vscode.workspace.getConfiguration('files', uri);
  return files.get('encoding') === 'utf8' && files.get('autoGuessEncoding') !== true ? '' : BOM;
}
