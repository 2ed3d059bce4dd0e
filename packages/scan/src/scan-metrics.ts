/** Scan's history and its cache of lookups, under the names that Splice's scans have. */
import { AMOUNTS, counter, gauge, histogram, type Metrics, SECONDS } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import type { ScanIndex } from "./rows/scan-index.ts";

const LATENCY = histogram(
  "splice_history_updates_latency_duration_seconds",
  "Time in which a batch of updates was stored.",
  SECONDS,
);
const BATCH_SIZE = histogram(
  "splice_scan_verdict_ingestion_batch_size",
  "Verdicts in a stored batch.",
  AMOUNTS,
);
const VERDICT_LATENCY = histogram(
  "splice_scan_verdict_ingestion_latency_duration_seconds",
  "Time in which a batch of verdicts was stored.",
  SECONDS,
);
const TRANSACTIONS = counter("splice_history_updates_transactions_total", "Transactions that were stored.");
const VERDICTS = counter("splice_scan_verdict_ingestion_count_total", "Verdicts that were stored.");
const EVENTS = gauge("splice_history_updates_event_count", "Stored events, by type: created or exercised.");

export interface ScanMetricsParts {
  /** With the labels of the scan. */
  readonly metrics: Metrics;
  readonly index: ScanIndex;
  readonly replica: Replica;
}

export function declareScanMetrics({ metrics, index, replica }: ScanMetricsParts): void {
  const recordTime = () => Number(index.now);
  metrics.declare(
    gauge(
      "splice_history_updates_latest_record_time",
      "Record time of the last stored update, in microseconds since 1970.",
    ),
    recordTime,
  );
  metrics.declare(
    gauge(
      "splice_scan_verdict_ingestion_last_record_time_us",
      "Record time of the last stored verdict, in microseconds since 1970.",
    ),
    recordTime,
  );
  declareLookupMetrics(metrics, index);
  replica.onPage(({ outcomes, milliseconds }) => {
    let [transactions, created, exercised] = [0, 0, 0];
    for (const { verdict } of outcomes) {
      if (verdict.kind !== "accepted" || verdict.transaction === null) continue;
      transactions++;
      for (const { kind } of verdict.transaction.nodes) {
        if (kind === "create") created++;
        else exercised++;
      }
    }
    metrics.histogram(LATENCY, { update_type: "transaction" }).record(milliseconds / 1000);
    metrics.histogram(VERDICT_LATENCY).record(milliseconds / 1000);
    metrics.histogram(BATCH_SIZE).record(outcomes.length);
    metrics.count(VERDICTS).add(outcomes.length);
    metrics.count(TRANSACTIONS).add(transactions);
    metrics.count(EVENTS, { event_type: "created" }).add(created);
    metrics.count(EVENTS, { event_type: "exercised" }).add(exercised);
  });
}

export function declareLookupMetrics(metrics: Metrics, index: ScanIndex): void {
  for (const [figure, help] of [
    ["hits", "Lookups that the cache answered."],
    ["misses", "Lookups that the cache could not answer."],
    ["size", "Answers in the cache."],
    ["evictions", "Answers that were removed to make room."],
  ] as const) {
    metrics.declare(gauge(`daml_cache_${figure}`, help), () =>
      index.names.listCaches().map(({ cache, figures }) => ({ value: figures[figure], labels: { cache } })),
    );
  }
}
