/** A page of the participant's updates. */
import type { Transaction, Update } from "@callsign/api";
import type { ReadingParties, UpdateShape } from "./event-formats.ts";

export interface UpdatePage {
  readonly transactions: readonly Transaction[];
  /** Up to where all updates are in it. */
  readonly offset: number;
  /** Record times that the ledger has reached. */
  readonly recordTimes: readonly string[];
}

export interface UpdatePlace {
  readonly parties: ReadingParties;
  /** Updates behind this offset are read. */
  readonly after: number;
  readonly shape?: UpdateShape;
}

/** The page's updates, and those up to that offset if it is later. */
export function toUpdatePage(updates: readonly Update[], upTo: number): UpdatePage {
  let offset = upTo;
  const transactions: Transaction[] = [];
  const recordTimes: string[] = [];
  for (const { update } of updates) {
    if ("Transaction" in update) {
      const { value } = update.Transaction;
      transactions.push(value);
      offset = Math.max(offset, value.offset);
      recordTimes.push(value.recordTime);
    }
    if ("OffsetCheckpoint" in update) {
      const { value } = update.OffsetCheckpoint;
      offset = Math.max(offset, value.offset);
      recordTimes.push(...value.synchronizerTimes.map(({ recordTime }) => recordTime));
    }
  }
  return { transactions, offset, recordTimes };
}
