import { statSync } from 'node:fs';

/** Why a process could not be started. ENOENT means the program or the folder: only a look at the folder tells. */
export type StartFailure = 'notFound' | 'notExecutable' | 'folderMissing' | 'folderNotAllowed' | 'tooBig' | 'other';

export interface FolderCheck {
  (path: string): 'folder' | 'missing' | 'notAllowed';
}

const lookAtFolder: FolderCheck = path => {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'missing';
  } catch (error) {
    return errorCode(error) === 'EACCES' ? 'notAllowed' : 'missing';
  }
};

export function startFailureOf(error: unknown, cwd: string, checkFolder: FolderCheck = lookAtFolder): StartFailure {
  const code = errorCode(error);
  if (code === 'E2BIG') return 'tooBig';
  if (code === 'ENOEXEC') return 'notExecutable';
  if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'ENOTDIR' && code !== 'EPERM') return 'other';
  const folder = checkFolder(cwd);
  if (folder === 'missing') return 'folderMissing';
  if (folder === 'notAllowed') return 'folderNotAllowed';
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'notFound' : 'notExecutable';
}

/** `TransportClose.detail` of a failed start: the code, a colon, and what it is about. The host words it for people. */
export function describeStartFailure(error: unknown, command: string, cwd: string): string {
  const failure = startFailureOf(error, cwd);
  if (failure === 'folderMissing' || failure === 'folderNotAllowed') return `${failure}: ${cwd}`;
  if (failure !== 'other') return `${failure}: ${command}`;
  return `other: ${error instanceof Error ? error.message : String(error)}`;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
