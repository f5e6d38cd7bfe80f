/** How a file's text is stored. The CLI writes these two and refuses every other. */
export type FileEncoding = 'utf8' | 'utf16le';

/** Why a file cannot be shown as text, or not be written by the CLI. `noAccess` and `folder` are found by who reads it. */
export type UnreadableCode = 'binary' | 'notUtf8' | 'utf16be' | 'tooBig' | 'noAccess' | 'folder';

/** A file as it is now. `text` is without the byte-order mark and with the line ends it has. */
export type PresentFile =
  | { readonly state: 'absent' }
  | { readonly state: 'text'; readonly text: string; readonly bom: boolean; readonly encoding: FileEncoding }
  | { readonly state: 'unreadable'; readonly code: UnreadableCode };

export const BOM = '\uFEFF';
/** Above this a diff editor is of no use; the CLI itself would still write. */
export const biggestFile = 20 * 1024 * 1024;
/** The CLI looks for NUL bytes as far as this. */
const binaryWindow = 8 * 1024;

export function absentFile(): PresentFile {
  return { state: 'absent' };
}

/**
 * Reads bytes as the CLI (2.1.326) does: UTF-16 only behind its little-endian mark, else strict UTF-8. A NUL within the
 * first 8 KB, a big-endian mark or an invalid byte means that Write, Edit and NotebookEdit refuse the file.
 */
export function decodeFile(bytes: Uint8Array, maxBytes = biggestFile): PresentFile {
  if (bytes.length > maxBytes) return { state: 'unreadable', code: 'tooBig' };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { state: 'text', text: decodeUtf16(bytes.subarray(2)), bom: true, encoding: 'utf16le' };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { state: 'unreadable', code: 'utf16be' };
  if (bytes.subarray(0, binaryWindow).includes(0)) return { state: 'unreadable', code: 'binary' };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { state: 'unreadable', code: 'notUtf8' };
  const bom = text.startsWith(BOM);
  return { state: 'text', text: bom ? text.slice(1) : text, bom, encoding: 'utf8' };
}

/** What an editor holds, as a file: for showing a proposal over unsaved changes. */
export function textFile(text: string, bom = false, encoding: FileEncoding = 'utf8'): PresentFile {
  return { state: 'text', text, bom, encoding };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Unit by unit, since half a surrogate pair survives in the CLI and a decoder would replace it. A last odd byte is lost there too. */
function decodeUtf16(bytes: Uint8Array): string {
  const parts: string[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units = bytes.length >> 1;
  for (let from = 0; from < units; from += 4096) {
    const chunk = Array.from({ length: Math.min(4096, units - from) }, (_, at) =>
      view.getUint16((from + at) * 2, true),
    );
    parts.push(String.fromCharCode(...chunk));
  }
  return parts.join('');
}
