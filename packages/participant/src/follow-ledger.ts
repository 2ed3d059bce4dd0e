/** Stores the items that the sequencers agree on, and then tells waiting callers of them. */
import { Backoff, type Bell, type Host, type Log, type RetryOptions, repeat, retry } from "@callsign/node";
import type { AgreedItem } from "./agreement/stream-agreement.ts";
import { INGEST_BATCH, INGEST_IDLE_MILLISECONDS, INGEST_RETRY } from "./limits/limits.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import type { LedgerStore } from "./store/ledger-store.ts";
import type { Completions } from "./submission/completions.ts";

export interface FollowParts {
  readonly connections: SequencerConnections;
  readonly ledger: LedgerStore;
  readonly completions: Completions;
  /** Rings when items were stored. */
  readonly advanced: Bell;
  readonly host: Host;
  readonly log: Log;
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
    const items = consensus.take();
    if (items.length === 0) {
      await connections.news.wait({ milliseconds: INGEST_IDLE_MILLISECONDS, signal });
    }
    for (let start = 0; start < items.length; start += INGEST_BATCH) {
      const batch = items.slice(start, start + INGEST_BATCH);
      // Items are taken once, and a full disk may be emptied: the write is retried until it succeeds.
      await retry(() => store(parts, batch), retrying("storing the stream failed"));
    }
  };
  await repeat(step, retrying("following the network failed"));
}

async function store(parts: FollowParts, items: readonly AgreedItem[]): Promise<void> {
  const { ledger, connections, completions, advanced } = parts;
  const stored = await ledger.ingest(items);
  connections.markStored(ledger.end);
  for (const each of stored) completions.tell(each);
  advanced.ring();
  connections.reported.ring();
}
