/** Closes a union of our own: a new member that nobody handles fails to compile, and at run time is an error, not a silence. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
