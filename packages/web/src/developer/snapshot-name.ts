/** 1 to 60 letters of a-z, digits, hyphens and underscores, a letter or a digit first. */
export function isSnapshotName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,59}$/.test(name);
}
