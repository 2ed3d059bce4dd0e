/** The checks of a reader's offsets: not negative, not after the ledger's end, the begin before the end. */
import { failWith } from "../requests/identifiers.ts";

export interface AskedRange {
  readonly beginExclusive: number;
  /** Null for a range without an end. */
  readonly endInclusive: number | null;
  readonly descendingOrder: boolean;
}

/** From an offset on, without an end. */
export function openRange({ beginExclusive }: Pick<AskedRange, "beginExclusive">): AskedRange {
  return { beginExclusive, endInclusive: null, descendingOrder: false };
}

export function checkRange({ beginExclusive, endInclusive, descendingOrder }: AskedRange, end: number): void {
  if (beginExclusive < 0) checkBegin(beginExclusive, end);
  if (endInclusive !== null && endInclusive <= 0) {
    failWith("NON_POSITIVE_OFFSET", `Offset ${endInclusive} in end_inclusive is not positive`);
  }
  checkBegin(beginExclusive, end);
  if (endInclusive === null) {
    if (descendingOrder) {
      const cause = "A list in descending order needs end_inclusive: there is no end to begin with";
      failWith("DESCENDING_ORDER_MISSING_END", cause);
    }
    return;
  }
  checkKnown("End", endInclusive, end);
  if (endInclusive < beginExclusive) {
    const cause = `End offset ${endInclusive} is before begin offset ${beginExclusive}`;
    failWith("OFFSET_OUT_OF_RANGE", cause);
  }
}

export function checkBegin(offset: number, end: number): void {
  if (offset < 0) {
    failWith("NEGATIVE_OFFSET", `Offset ${offset} in begin_exclusive is negative`);
  }
  checkKnown("Begin", offset, end);
}

function checkKnown(what: string, offset: number, end: number): void {
  if (offset <= end) return;
  const cause = `${what} offset (${offset}) is after ledger end (${end})`;
  failWith("OFFSET_AFTER_LEDGER_END", cause, { resources: [["OFFSET", String(offset)]] });
}
