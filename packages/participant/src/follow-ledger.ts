/** Stores the items that the sequencers agree on, and then tells waiting callers of them. */
import {
  Backoff,
  type Bell,
  type Host,
  type Log,
  type RetryOptions,
  repeat,
  retry,
  type Store,
  type StoreMetrics,
} from "@callsign/node";
import type { AgreedItem } from "./agreement/stream-agreement.ts";
import { INGEST_BATCH, INGEST_IDLE_MILLISECONDS, INGEST_RETRY } from "./limits/limits.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import { loadState } from "./resync/load-state.ts";
import type { IngestedItem } from "./store/ingest-items.ts";
import { type LedgerStore, StoreRewound } from "./store/ledger-store.ts";
import { keepSvs, type ParticipantSettings } from "./store/participant-settings.ts";
import type { Completions } from "./submission/completions.ts";

export interface FollowParts {
  readonly connections: SequencerConnections;
  readonly ledger: LedgerStore;
  readonly store: Store;
  readonly settings: ParticipantSettings;
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
  const { connections, ledger, store, settings, advanced, host, log } = parts;
  const retrying = (onFailure: (error: unknown) => void): RetryOptions => {
    return { backoff: new Backoff(INGEST_RETRY), timers: host.timers, signal, onFailure };
  };
  const tell = (error: unknown, failure: string) =>
    log.error({ error: String(error), offset: ledger.end }, failure);
  let hasNetwork = false;
  let svSerial = 0n;
  store.onLoss?.(() => connections.news.ring());
  const step = async () => {
    const { network, consensus } = connections.current;
    const { svs } = consensus.votes;
    if (!hasNetwork && network !== null) {
      await ledger.keepNetwork(network);
      hasNetwork = true;
    }
    if (svs !== null && svs.svSerial > svSerial) {
      await keepSvs(settings, svs);
      svSerial = svs.svSerial;
    }
    await ledger.checkLosses();
    if (ledger.end === 0 && consensus.obstacles.certain?.kind === "state-needed") {
      const { offset, digest } = await loadState({
        state: connections.current.openState(),
        store,
        ledger,
        log,
      });
      connections.rewind({ offset, digest });
      advanced.ring();
      return;
    }
    const items = consensus.take();
    if (items.length === 0) {
      await connections.news.wait({ milliseconds: INGEST_IDLE_MILLISECONDS, signal });
    }
    for (let start = 0; start < items.length; start += INGEST_BATCH) {
      const batch = items.slice(start, start + INGEST_BATCH);
      // Items are taken once, and a full disk may be emptied: the write is retried until it succeeds.
      const keepTrying = retrying((error) => {
        if (error instanceof StoreRewound) throw error;
        tell(error, "storing the stream failed");
      });
      await retry(() => storeItems(parts, batch), keepTrying);
    }
  };
  await repeat(
    step,
    retrying((error) => {
      if (!(error instanceof StoreRewound)) return tell(error, "following the network failed");
      log.warn({ error: error.message }, "the database lost its last commits: reading the stream again");
      connections.rewind(error.position);
      svSerial = 0n;
    }),
  );
}

async function storeItems(parts: FollowParts, items: readonly AgreedItem[]): Promise<void> {
  const { ledger, connections, completions, advanced, host, ledgerMetrics } = parts;
  const begun = host.clock.elapsedMilliseconds();
  const stored = await ledger.ingest(items);
  const milliseconds = host.clock.elapsedMilliseconds() - begun;
  ledgerMetrics?.countBatch({ updates: items.length, ...countEvents(stored), milliseconds });
  connections.markStored(ledger.end);
  for (const each of stored) completions.tell(each);
  advanced.ring();
  connections.reported.ring();
}

function countEvents(items: readonly IngestedItem[]) {
  let [created, archived] = [0, 0];
  for (const { item } of items) {
    for (const event of item.update?.events ?? []) {
      if (event.kind === "created") created++;
      else if (event.consuming) archived++;
    }
  }
  return { created, archived };
}
