/** Stores the items that the sequencers agree on, and then tells waiting callers of them. */
import {
  Backoff,
  type Bell,
  type Host,
  type Log,
  type RetryOptions,
  repeat,
  retry,
  type StoreMetrics,
} from "@callsign/node";
import type { AgreedItem } from "./agreement/stream-agreement.ts";
import { INGEST_BATCH, INGEST_IDLE_MILLISECONDS, INGEST_RETRY } from "./limits/limits.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import { type LedgerStore, StoreRewound } from "./store/ledger-store.ts";
import type { Completions } from "./submission/completions.ts";

export interface FollowParts {
  readonly connections: SequencerConnections;
  readonly ledger: LedgerStore;
  readonly completions: Completions;
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly host: Host;
  readonly log: Log;
  /** Undefined without a registry of metrics. */
  readonly ledgerMetrics: StoreMetrics | undefined;
}

/** Resolves once the signal aborts. */
export async function followLedger(parts: FollowParts, signal: AbortSignal): Promise<void> {
  const { connections, ledger, host, log } = parts;
  const retrying = (failure: string): RetryOptions => ({
    backoff: new Backoff(INGEST_RETRY),
    timers: host.timers,
    signal,
    onFailure: (error) => log.error({ error: String(error), offset: ledger.end }, failure),
  });
  let hasNetwork = false;
  const step = async () => {
    const { network, consensus } = connections.current;
    if (!hasNetwork && network !== null) {
      await ledger.keepNetwork(network);
      hasNetwork = true;
    }
    if (!(await unlessRewound(parts, () => ledger.checkLosses())).isDone) return;
    const items = consensus.take();
    if (items.length === 0) {
      await connections.news.wait({ milliseconds: INGEST_IDLE_MILLISECONDS, signal });
    }
    for (let start = 0; start < items.length; start += INGEST_BATCH) {
      const batch = items.slice(start, start + INGEST_BATCH);
      // Items are taken once, and a full disk may be emptied: the write is retried until it succeeds.
      const isStored = await retry(() => store(parts, batch), retrying("storing the stream failed"));
      if (!isStored) return;
    }
  };
  await repeat(step, retrying("following the network failed"));
}

/** Resolves with false if the store lost items, which are read again with those that follow. */
async function store(parts: FollowParts, items: readonly AgreedItem[]): Promise<boolean> {
  const { ledger, connections, completions, advanced } = parts;
  const stored = await unlessRewound(parts, () => ledger.ingest(items));
  if (!stored.isDone) return false;
  connections.markStored(ledger.end);
  for (const each of stored.result) completions.tell(each);
  advanced.ring();
  connections.reported.ring();
  return true;
}

type Done<T> = { readonly isDone: true; readonly result: T } | { readonly isDone: false };

/** Goes back to the stored position if the database lost commits. */
async function unlessRewound<T>({ connections, log }: FollowParts, work: () => Promise<T>): Promise<Done<T>> {
  try {
    return { isDone: true, result: await work() };
  } catch (error) {
    if (!(error instanceof StoreRewound)) throw error;
    log.warn({ error: error.message }, "the database lost its last commits: reading the stream again");
    connections.rewind(error.position);
    return { isDone: false };
  }
}
