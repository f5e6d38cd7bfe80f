/** What a chat needs of the editor around it. An interface, so that the chat itself can be tested without VS Code. */
export interface ChatServices {
  /** Opens a file of the session at a place; asks first when it lies outside the session's folder. */
  openFile(path: string, folder: string, line?: number, column?: number): Promise<void>;
  /** Opens an address outside, if its scheme is one of the few we allow. False: it was not opened, and the person knows. */
  openLink(href: string): Promise<boolean>;
  copy(text: string): Promise<void>;
  /** Puts text where the cursor is in the active editor; says so when there is none. */
  insertAtCursor(text: string): Promise<void>;
  completeFile(query: string, folder: string): Promise<readonly { readonly path: string; readonly folder: boolean }[]>;
  showLog(): void;
  openSettings(query: string): Promise<void>;
  signIn(): Promise<void>;
  diagnose(): Promise<void>;
  /** A short sentence for a person, out of the way. */
  tell(message: string): void;
}
