/** A store that takes in the ledger's updates, under the names and labels that Splice's stores have. */
import type { Clock } from "../host/host.ts";
import { AMOUNTS, gauge, histogram, type MetricDeclaration, SECONDS } from "./metric-declaration.ts";
import type { Labels, Metrics } from "./metrics.ts";

const LATENCY = histogram(
  "splice_store_batch_ingestion_latency_duration_seconds",
  "Time in which a batch of updates was stored.",
  SECONDS,
);
const BATCH_SIZE = histogram("splice_store_ingestion_batch_size", "Updates in a stored batch.", AMOUNTS);
const COMPLETED = gauge("splice_store_completed_ingestions", "Batches that were stored.");
const EVENTS = gauge("splice_store_event_count", "Stored events, by type: created or archived.");
const ACS_SIZE = gauge("splice_store_acs_size", "Active contracts in the store.");
const LAST_INGESTED = gauge(
  "splice_store_last_ingested_record_time_ms",
  "Record time of the last stored update, in milliseconds since 1970.",
);
const LAST_SEEN = gauge(
  "splice_store_last_seen_record_time_ms",
  "The latest record time that the store has heard of, in milliseconds since 1970.",
);

export interface StoreMetricsParts {
  readonly metrics: Metrics;
  /** Labels of the store. The party and the synchronizer among them may be known only after a while. */
  readonly labels: () => Labels;
  /** Microseconds since 1970. */
  readonly recordTime: () => bigint;
  readonly seenRecordTime?: () => bigint;
  /** The number of active contracts. It is read twice a minute at most: a count may read a whole table. */
  readonly countActive: () => number | Promise<number>;
  readonly clock: Clock;
}

const COUNT_MILLISECONDS = 30_000;

export interface StoredBatch {
  readonly updates: number;
  readonly created: number;
  readonly archived: number;
  readonly milliseconds: number;
}

export class StoreMetrics {
  readonly #parts: StoreMetricsParts;

  constructor(parts: StoreMetricsParts) {
    this.#parts = parts;
    const { metrics, labels, recordTime, seenRecordTime = recordTime, countActive, clock } = parts;
    const declare = (declaration: MetricDeclaration, read: () => number | Promise<number>) =>
      metrics.declare(declaration, async () => [{ value: await read(), labels: labels() }]);
    let counted: { readonly at: number; readonly number: number | Promise<number> } | null = null;
    declare(ACS_SIZE, () => {
      const at = clock.elapsedMilliseconds();
      if (counted === null || at - counted.at > COUNT_MILLISECONDS) counted = { at, number: countActive() };
      return counted.number;
    });
    declare(LAST_INGESTED, () => Number(recordTime() / 1000n));
    declare(LAST_SEEN, () => Number(seenRecordTime() / 1000n));
  }

  countBatch({ updates, created, archived, milliseconds }: StoredBatch): void {
    const { metrics } = this.#parts;
    const labels = this.#parts.labels();
    metrics.histogram(LATENCY, labels).record(milliseconds / 1000);
    metrics.histogram(BATCH_SIZE, labels).record(updates);
    metrics.count(COMPLETED, labels).add();
    metrics.count(EVENTS, { ...labels, event_type: "created" }).add(created);
    metrics.count(EVENTS, { ...labels, event_type: "archived" }).add(archived);
  }
}
