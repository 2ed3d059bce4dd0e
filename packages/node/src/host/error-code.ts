/** The code of an error of the system, of its network or of a library, such as `ENOENT`; undefined if it has none. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
