/** A participant as metrics: its sequencers, its submissions and its ledger, under the names that Canton's participants have. */
import { type Clock, gauge, type Metrics, oncePerTurn, type Sample, StoreMetrics } from "@callsign/node";
import { MAX_AHEAD_ITEMS, MAX_SUBMISSIONS } from "./limits/limits.ts";
import type { SequencerConnections } from "./network/sequencer-connections.ts";
import type { LedgerStore } from "./store/ledger-store.ts";
import type { CommandSubmitter } from "./submission/command-submitter.ts";

export interface ParticipantMetricsParts {
  /** With the labels of the participant. */
  readonly metrics: Metrics;
  readonly connections: SequencerConnections;
  readonly ledger: LedgerStore;
  readonly submitter: CommandSubmitter;
  readonly isReady: () => boolean;
}

const POOL = "daml_sequencer_client_sequencer_connection_pool";
const HANDLER = "daml_sequencer_client_handler";

export function declareParticipantMetrics(parts: ParticipantMetricsParts): void {
  const { metrics, connections, submitter, ledger, isReady } = parts;
  const declareGauge = (
    name: string,
    help: string,
    read: () => number | readonly Sample[] | Promise<number>,
  ) => metrics.declare(gauge(name, help), read);
  declareGauge("daml_health_status", "1 if the node is ready, and 0 if it is not.", () =>
    isReady() ? 1 : 0,
  );
  declareGauge(
    "daml_participant_api_commands_max_in_flight_length",
    "Submissions under way, of all users.",
    () => submitter.inFlight,
  );
  declareGauge(
    "daml_participant_api_commands_max_in_flight_capacity",
    "Submissions that may be under way, of all users.",
    () => MAX_SUBMISSIONS,
  );
  declareGauge("daml_sequencer_client_submissions_in_flight", "Submissions under way, by type.", () => [
    { value: submitter.inFlight, labels: { type: "send-confirmation-request" } },
  ]);
  declareGauge(
    "daml_pruning_max_event_age",
    "Age of the oldest event that is not pruned, in hours.",
    async () => {
      const now = connections.current.consensus.estimatedNow;
      const oldest = await ledger.findOldestRecordTime();
      return now === undefined || oldest === undefined ? 0 : Number(now - oldest) / 3.6e9;
    },
  );
  declareStream(parts);
  declareConnections(parts);
}

/** The stream that the sequencers agree on. */
function declareStream({ metrics, connections, ledger }: ParticipantMetricsParts): void {
  const consensus = () => connections.current.consensus;
  metrics.declare(
    gauge(
      `${HANDLER}_last_sequencing_time_micros`,
      "The record time up to which everything is stored, in microseconds since 1970.",
    ),
    () => one(consensus().reports.recordTime),
  );
  metrics.declare(
    gauge(`${HANDLER}_delay`, "Milliseconds between that record time and the network's time."),
    () => {
      const [now, stored] = [consensus().estimatedNow, consensus().reports.recordTime];
      return now === undefined || stored === undefined ? [] : one((now - stored) / 1000n);
    },
  );
  metrics.declare(
    gauge(`${HANDLER}_sequencer_events`, "Items of the stream that were stored."),
    () => ledger.end,
  );
  metrics.declare(
    gauge(`${HANDLER}_actual_in_flight_event_batches`, "Items that were delivered and are not stored yet."),
    () => Math.max(consensus().position.offset - ledger.end, 0),
  );
  metrics.declare(
    gauge(
      `${HANDLER}_max_in_flight_event_batches`,
      "Items that one sequencer may deliver ahead of the others.",
    ),
    () => MAX_AHEAD_ITEMS,
  );
}

/** The sequencers, each by its address. */
function declareConnections({ metrics, connections }: ParticipantMetricsParts): void {
  const list = oncePerTurn(() => {
    const { consensus } = connections.current;
    const now = consensus.estimatedNow;
    return connections.choice.urls.map((url, source) => ({
      connection: url,
      isTrusted: !consensus.distrust.has(source),
      report: consensus.reports.find(source),
      now,
    }));
  });
  const each = (
    name: string,
    help: string,
    read: (one: ReturnType<typeof list>[number]) => number | undefined,
  ) =>
    metrics.declare(gauge(name, help), () =>
      list().flatMap((one) => {
        const value = read(one);
        return value === undefined ? [] : [{ value, labels: { connection: one.connection } }];
      }),
    );
  const count = (name: string, help: string, read: () => number) => metrics.declare(gauge(name, help), read);
  each(
    `${POOL}_connection_health`,
    "1 if the sequencer is trusted, and 0 if it delivered something false.",
    (one) => (one.isTrusted ? 1 : 0),
  );
  each(
    `${POOL}_subscription_health`,
    "1 while the sequencer's stream is followed, and 0 otherwise.",
    (one) => (one.report === undefined ? 0 : 1),
  );
  each(
    `${HANDLER}_delay_per_connection`,
    "Milliseconds that the sequencer is behind the network's time.",
    (one) =>
      one.report === undefined || one.now === undefined
        ? undefined
        : Number((one.now - one.report.recordTime) / 1000n),
  );
  const trust = () => connections.current.needed;
  count(
    `${POOL}_tracked_connections`,
    "Sequencers that are connected to.",
    () => connections.choice.urls.length,
  );
  count(
    `${POOL}_validated_connections`,
    "Sequencers that are trusted.",
    () => list().filter(({ isTrusted }) => isTrusted).length,
  );
  count(
    `${POOL}_active_subscriptions`,
    "Sequencers whose streams are followed.",
    () => list().filter(({ report }) => report !== undefined).length,
  );
  count(`${POOL}_trust_threshold`, "Sequencers that must say the same.", trust);
  count(
    "callsign_sequencer_threshold_shortfall",
    "SVs by which the configured threshold is below the quorum of the network's SVs; 0 without a threshold.",
    () => Math.max((connections.current.consensus.quorum.undercut ?? 0) - trust(), 0),
  );
  count(`${POOL}_subscription_threshold`, "Sequencers whose streams are needed.", trust);
}

/** The participant's copy of its parties' contracts. */
export function openLedgerMetrics(
  metrics: Metrics,
  connections: SequencerConnections,
  { ledger, clock }: { readonly ledger: LedgerStore; readonly clock: Clock },
): StoreMetrics {
  return new StoreMetrics({
    metrics,
    labels: () => ({
      store_name: "participant",
      synchronizer_id: connections.current.network?.synchronizerId ?? "",
    }),
    recordTime: () => connections.current.consensus.reports.recordTime ?? 0n,
    seenRecordTime: () => connections.current.consensus.estimatedNow ?? 0n,
    countActive: () => ledger.countActive(),
    clock,
  });
}

function one(value: bigint | undefined): readonly Sample[] {
  return value === undefined ? [] : [{ value: Number(value) }];
}
