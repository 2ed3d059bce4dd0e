/** An error in one line, for the log. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error was thrown";
}
