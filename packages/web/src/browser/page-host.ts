/** The page's own clock, timers, randomness and storage. Other files take them from here. */

export function readClock(): number {
  return Date.now();
}

/** Answers a function that stops the timer. */
export function startTimer(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}

/** Answers a function that stops the repetition. */
export function startRepeating(milliseconds: number, act: () => void): () => void {
  const timer = setInterval(act, milliseconds);
  return () => clearInterval(timer);
}

/** Aborts after so long, or when the caller does. */
export function abortAfter(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** Random, for ids that the caller of an operation chooses. */
export function makeId(): string {
  return crypto.randomUUID();
}
