import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import type { ImageType } from '../app/viewState.ts';
import { imageTypes } from '../app/viewState.ts';

/** The model's service takes no bigger image. */
export const maxImageBytes = 5 * 1024 * 1024;

export type AttachResult =
  | { readonly type: 'attached'; readonly attachment: ViewAttachment }
  | { readonly type: 'tooBig'; readonly name: string; readonly bytes: number }
  | { readonly type: 'wrongType'; readonly name: string };

/** Reads an image that was pasted or dropped, after looking at its type and size. */
export async function attachImage(file: File, newId: () => string): Promise<AttachResult> {
  const mediaType = imageTypes.find((type): type is ImageType => type === file.type);
  if (!mediaType) return { type: 'wrongType', name: file.name };
  if (file.size > maxImageBytes) return { type: 'tooBig', name: file.name, bytes: file.size };
  const data = await readBase64(file);
  return { type: 'attached', attachment: { kind: 'image', id: newId(), name: file.name, mediaType, data } };
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error(`Could not read ${file.name}`));
    reader.onload = () => {
      const uri = typeof reader.result === 'string' ? reader.result : '';
      resolve(uri.slice(uri.indexOf(',') + 1));
    };
    reader.readAsDataURL(file);
  });
}

/** Files dragged out of VS Code's own explorer come as URIs, one a line. */
export function filesFromUriList(list: string, newId: () => string): ViewAttachment[] {
  const attachments: ViewAttachment[] = [];
  for (const line of list.split(/\r?\n/)) {
    const path = pathOfUri(line.trim());
    if (path === undefined) continue;
    attachments.push({ kind: 'file', id: newId(), name: path.split(/[\\/]/).at(-1) ?? path, path });
  }
  return attachments;
}

function pathOfUri(uri: string): string | undefined {
  if (!/^(file|vscode-remote):\/\//.test(uri)) return undefined;
  try {
    const path = decodeURIComponent(new URL(uri).pathname);
    return /^\/[a-z]:\//i.test(path) ? path.slice(1) : path;
  } catch (error) {
    // A URI nobody can read is not a file: the caller says that nothing could be attached.
    if (error instanceof URIError || error instanceof TypeError) return undefined;
    throw error;
  }
}
