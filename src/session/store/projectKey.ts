/** Longer names are cut here and get a hash; CLI and SDK disagree about the hash, so only the beginning is compared. */
const MAX_NAME = 200;

/** The folder name for a working directory (a real path, links resolved). Lossy: never decode it. */
export function projectKey(realPath: string): string {
  return realPath.normalize('NFC').replace(/[^A-Za-z0-9]/g, '-');
}

/** Whether a folder below `projects` belongs to that working directory. */
export function isProjectOf(folderName: string, realPath: string): boolean {
  const key = projectKey(realPath);
  if (key.length <= MAX_NAME) return folderName === key;
  return folderName.startsWith(`${key.slice(0, MAX_NAME)}-`);
}
