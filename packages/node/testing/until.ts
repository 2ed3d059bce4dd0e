const POLL_MILLISECONDS = 5;

/** Polls until the condition holds. For processes and HTTP peers, which announce nothing to await. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  milliseconds = 60_000,
): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  while (!(await holds())) {
    if (signal.aborted) throw new Error(`timeout: not true within ${milliseconds} ms that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}
