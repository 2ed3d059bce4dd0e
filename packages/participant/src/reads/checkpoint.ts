/** An offset up to which a reader has everything, though nothing of theirs may stand there: from where to read on. */
import { formatInstant, type Time } from "@callsign/ledger";
import type { LedgerStore } from "../store/ledger-store.ts";

export interface CheckpointParts {
  readonly ledger: LedgerStore;
  readonly synchronizerId: () => string;
  /** The record time up to which everything has arrived here. */
  readonly recordTime: () => Time | undefined;
}

/** Null where none can be made just now. At the ledger's end it tells the network's record time, which goes on while nothing happens here. */
export async function makeCheckpoint(
  { ledger, synchronizerId, recordTime }: CheckpointParts,
  begin: number,
  reached: number | null,
) {
  if (reached === null || reached < begin) return null;
  const atEnd = reached === ledger.end ? recordTime() : undefined;
  const time = atEnd ?? (await ledger.findRecordTime(reached));
  if (time === undefined) return null;
  const synchronizerTimes = [{ synchronizerId: synchronizerId(), recordTime: formatInstant(time) }];
  return { offset: reached, synchronizerTimes };
}
