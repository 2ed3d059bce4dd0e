/** Checkpoints: an offset up to which a reader has everything, and from which it can resume. */
import { formatInstant, type Time } from "@callsign/ledger";
import type { LedgerStore } from "../store/ledger-store.ts";

export interface CheckpointParts {
  readonly ledger: LedgerStore;
  readonly synchronizerId: () => string;
  /** The record time up to which everything is on disk. */
  readonly recordTime: () => Time | undefined;
}

export type Checkpoint = NonNullable<Awaited<ReturnType<typeof makeCheckpoint>>>;

/** Null if none can be made now. At the ledger's end it carries the network's record time, which advances without items. */
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
