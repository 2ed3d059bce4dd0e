/** Takes what the sequencers agree on, stores it, and only then tells those who wait for it. */
import type { Log } from "@callsign/node";
import type { AgreedItem } from "./agreement/stream-agreement.ts";
import { INGEST_BATCH, INGEST_IDLE_MILLISECONDS, INGEST_RETRY_MILLISECONDS } from "./limits/limits.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import type { LedgerStore } from "./store/ledger-store.ts";
import type { Completions } from "./submission/completions.ts";
import type { Bell } from "./waiting/bell.ts";

export interface FollowParts {
  readonly connections: SequencerConnections;
  readonly ledger: LedgerStore;
  readonly completions: Completions;
  readonly advanced: Bell;
  readonly log: Log;
}

export async function followLedger(parts: FollowParts, signal: AbortSignal): Promise<void> {
  const { connections, ledger, log } = parts;
  let keptNetwork = false;
  while (!signal.aborted) {
    try {
      if (!keptNetwork && connections.network !== null) {
        await ledger.keepNetwork(connections.network);
        keptNetwork = true;
      }
      const items = connections.take();
      if (items.length === 0) await connections.news.wait(INGEST_IDLE_MILLISECONDS, signal);
      for (let start = 0; start < items.length; start += INGEST_BATCH) {
        await store(parts, items.slice(start, start + INGEST_BATCH), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      log.error({ error: String(error) }, "the participant could not keep its network");
      await connections.reported.wait(INGEST_RETRY_MILLISECONDS, signal);
    }
  }
}

/** Items are taken once, so they are tried until they are stored: a full disk may be emptied. */
async function store(parts: FollowParts, items: readonly AgreedItem[], signal: AbortSignal): Promise<void> {
  const { ledger, connections, completions, advanced, log } = parts;
  while (!signal.aborted) {
    try {
      const stored = await ledger.ingest(items);
      connections.markStored(ledger.end);
      for (const each of stored) completions.tell(each);
      advanced.ring();
      connections.reported.ring();
      return;
    } catch (error) {
      log.error(
        { error: String(error), offset: items[0]?.offset },
        "the participant could not store its stream",
      );
      await connections.reported.wait(INGEST_RETRY_MILLISECONDS, signal);
    }
  }
}
