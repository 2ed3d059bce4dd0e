/** A replica as metrics: its place in the log, the entries it applied, its members' traffic, its store. */
import { formatParticipantId, type Time } from "@callsign/ledger";
import { type Clock, counter, gauge, type Metrics, oncePerTurn, StoreMetrics } from "@callsign/node";
import { SHOWN_MEMBERS } from "../limits/limits.ts";
import type { OrderedLog } from "../log/ordered-log.ts";
import type { AppliedPage, Replica } from "./replica.ts";

export interface ReplicaMetricsParts {
  /** With the labels of the SV. */
  readonly metrics: Metrics;
  readonly replica: Replica;
  readonly log: OrderedLog;
  readonly now: () => Time;
  readonly clock: Clock;
}

const EVENTS = counter("daml_sequencer_block_events_total", "Applied log entries, by sender and kind.");
const EVENT_BYTES = counter(
  "daml_sequencer_block_event_bytes_total",
  "Bytes of applied log entries, by sender and kind.",
);
const DELIVERED = counter(
  "daml_sequencer_traffic_control_event_delivered_cost_total",
  "Bytes of entries that took effect, by sender and kind.",
);
const REJECTED = counter(
  "daml_sequencer_traffic_control_event_rejected_cost_total",
  "Bytes of entries that were rejected, by sender and kind.",
);
const REQUESTS = counter("daml_mediator_requests_total", "Applied submissions of commands.");
const APPROVED = counter("daml_mediator_approved_requests_total", "Applied submissions that took effect.");

/** Kinds of entries, as Canton names its messages. */
const KINDS: Readonly<Record<string, string>> = {
  Submit: "send-confirmation-request",
  Tick: "send-time-proof",
  MoveClock: "send-time-proof",
};
const OTHER_KINDS = "send-topology";

export function declareReplicaMetrics(parts: ReplicaMetricsParts): void {
  const { metrics, replica, log, now } = parts;
  const { state } = replica;
  const declareGauge = (name: string, help: string, read: () => number | Promise<number>) =>
    metrics.declare(gauge(name, help), read);
  declareGauge(
    "callsign_replica_sequence",
    "The last log entry that the replica has applied.",
    () => state.head.sequence,
  );
  declareGauge(
    "callsign_replica_lag_entries",
    "Log entries that the replica has not applied yet.",
    async () => Math.max((await log.head()).sequence - state.head.sequence, 0),
  );
  declareGauge(
    "callsign_record_time_seconds",
    "The record time of the last applied entry, in seconds since 1970.",
    () => Number(state.head.recordTime / 1000n) / 1000,
  );
  declareGauge(
    "daml_sequencer_block_height",
    "The last log entry that was applied.",
    () => state.head.sequence,
  );
  declareGauge("daml_sequencer_block_delay", "Milliseconds since the record time of that entry.", () =>
    Number((now() - state.head.recordTime) / 1000n),
  );
  declareGauge("daml_sequencer_last_timestamp", "The network's time, in microseconds since 1970.", () =>
    Number(now()),
  );
  declareGauge(
    "daml_sequencer_head_timestamp",
    "The record time of the last applied entry, in microseconds since 1970.",
    () => Number(state.head.recordTime),
  );
  declareTraffic(parts);
  const store = declareStore(parts);
  const senders = new SenderMetrics(metrics);
  replica.onPage((page) => {
    store.countBatch(sumUp(page));
    senders.countEntries(page);
  });
}

function declareTraffic({ metrics, replica }: ReplicaMetricsParts): void {
  const accounts = oncePerTurn(() => replica.state.listTraffic(SHOWN_MEMBERS));
  for (const [name, field, help] of [
    ["extra_traffic_purchased", "purchased", "Bytes of traffic that the member has bought."],
    ["extra_traffic_consumed", "consumed", "Bytes of bought traffic that the member has used."],
    ["base_traffic_remainder", "free", "Bytes of free traffic that the member had left at its last entry."],
  ] as const) {
    metrics.declare(gauge(`daml_sequencer_traffic_control_${name}`, help), () =>
      accounts().map((account) => ({
        value: Number(account[field]),
        labels: { member: formatParticipantId(account.member) },
      })),
    );
  }
}

function declareStore({ metrics, replica, now, clock }: ReplicaMetricsParts): StoreMetrics {
  const { state } = replica;
  return new StoreMetrics({
    metrics,
    labels: () => ({
      store_name: "replica",
      store_party: state.network?.dso ?? "",
      synchronizer_id: state.network?.synchronizerId ?? "",
    }),
    recordTime: () => state.head.recordTime,
    seenRecordTime: now,
    countActive: () => state.countContracts(),
    clock,
  });
}

function sumUp({ outcomes, milliseconds }: AppliedPage) {
  let [created, archived] = [0, 0];
  for (const outcome of outcomes) {
    created += outcome.created.length;
    archived += outcome.archived.length;
  }
  return { updates: outcomes.length, created, archived, milliseconds };
}

/** The label of all senders beyond those that are shown one by one: anybody may register members, or name made-up ones. */
const OTHER_MEMBERS = "others";

/** Exported for its test. */
export class SenderMetrics {
  readonly #metrics: Metrics;
  readonly #members = new Set<string>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  countEntries({ entries, outcomes }: Pick<AppliedPage, "entries" | "outcomes">): void {
    const metrics = this.#metrics;
    for (const [i, { content }] of entries.entries()) {
      const verdict = outcomes[i]?.verdict.kind;
      const { tag, member } = readHead(content);
      const isIgnored = verdict === "ignored";
      const labels = { member: this.#labelOf(member, isIgnored), type: KINDS[tag] ?? OTHER_KINDS };
      const bytes = Buffer.byteLength(content);
      metrics.count(EVENTS, labels).add();
      metrics.count(EVENT_BYTES, labels).add(bytes);
      if (!isIgnored) metrics.count(verdict === "accepted" ? DELIVERED : REJECTED, labels).add(bytes);
      if (tag !== "Submit") continue;
      metrics.count(REQUESTS).add();
      metrics.count(APPROVED).add(verdict === "accepted" ? 1 : 0);
    }
  }

  /** An ignored entry may name somebody who never sent it. */
  #labelOf(member: string, isIgnored: boolean): string {
    if (!this.#members.has(member)) {
      if (isIgnored || this.#members.size >= SHOWN_MEMBERS) return OTHER_MEMBERS;
      this.#members.add(member);
    }
    return formatParticipantId(member);
  }
}

/** An entry begins with its kind, its network and its sender: `["Submit",["6f…","alice::1220…",…`. */
const HEAD = /^\["(\w+)",\["[^"]*","([^"]*)"/;

/** Reads no more than these: decoding the entry a second time would cost as much as applying it. The founding has no sender. */
function readHead(content: string): { readonly tag: string; readonly member: string } {
  const [, tag = "", member = ""] = HEAD.exec(content) ?? [];
  return { tag, member };
}
