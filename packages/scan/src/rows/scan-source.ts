/** The index as calls read it: that of the process that writes it, or a reader's beside it. */
import type { ScanIndex } from "./scan-index.ts";

export interface ScanSource {
  readonly index: ScanIndex;
  /** Brings the index up to date. Until the end of the turn, all reads are of that state. */
  readonly refresh: () => void;
  /** Calls the listener after every page of the log, with the index up to date. */
  readonly onApplied: (listener: () => void) => void;
}

/** The index of the process that writes it, which is always up to date. */
export function ownSource(
  index: ScanIndex,
  replica: { readonly onApplied: (listener: () => void) => unknown },
): ScanSource {
  const onApplied = (listener: () => void) => void replica.onApplied(() => listener());
  return { index, refresh: () => undefined, onApplied };
}
