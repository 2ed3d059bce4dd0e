/** A replica is rebuilt from the log; a log is restored from a copy. */
export type ScrubbedStore = "replica" | "log";

/** One kind of rows that the scrub checks, a few at a time. */
export interface ScrubPart {
  readonly name: string;
  readonly store: ScrubbedStore;
  /**
   * Checks the rows behind a place, which is empty at the beginning. `after` is the place of the last of them, null at
   * the end. Throws a `ScrubFinding`.
   */
  readonly check: (after: string, signal: AbortSignal) => ScrubbedPage | Promise<ScrubbedPage>;
}

export interface ScrubbedPage {
  readonly after: string | null;
  readonly rows: number;
}

/** Stored bytes are not what they were written as. */
export class ScrubFinding extends Error {
  override readonly name = "ScrubFinding";
  readonly store: ScrubbedStore;

  constructor(store: ScrubbedStore, message: string, options?: ErrorOptions) {
    super(message, options);
    this.store = store;
  }
}

export function differs(message: string): ScrubFinding {
  return new ScrubFinding("replica", message);
}

/** The place behind a page of rows: the last row's, or null if the page was not full. */
export function placeBehind<T>(rows: readonly T[], most: number, placeOf: (row: T) => string): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < most ? null : placeOf(last);
}
