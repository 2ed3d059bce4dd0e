/**
 * Removes log entries and stream items that are older than the retention in record time, and before a snapshot from which
 * this node can start again. It works in small steps, each of which stands by itself: a pruner that was stopped goes on
 * where it was. Nothing is pruned on a network whose clock can be moved.
 */
import { DAY, type Time } from "@callsign/ledger";
import { Backoff, Bell, type Log, nextTurn, repeat, type Timers } from "@callsign/node";
import { SNAPSHOT_RETRY } from "../limits/limits.ts";
import type { OrderedLog } from "../log/ordered-log.ts";
import { type DayStart, dayOf } from "../replica/days.ts";
import type { Replica } from "../replica/replica.ts";
import type { MemberStreams } from "../streams/member-streams.ts";

export interface LogPrunerParts {
  readonly replica: Replica;
  /** None in a node without a sequencer. */
  readonly streams: MemberStreams | null;
  readonly trimLog: OrderedLog["trim"];
  readonly retentionMicroseconds: bigint;
  /** The entry of the last snapshot from which this node can start again; 0 if there is none. */
  readonly snapshot: () => number;
  readonly timers: Timers;
  readonly log: Log;
}

export class LogPruner {
  readonly #parts: LogPrunerParts;
  readonly #stopping = new AbortController();
  /** Rings when there may be something to prune. */
  readonly #woken: Bell;
  #running: Promise<void> = Promise.resolve();
  #stopListening: () => void = () => undefined;
  #lastPruned: DayStart | null = null;
  #failures = 0;

  constructor(parts: LogPrunerParts) {
    this.#parts = parts;
    this.#woken = new Bell(parts.timers);
  }

  /** The day before which everything was pruned since the start; null if nothing was. */
  get lastPruned(): DayStart | null {
    return this.#lastPruned;
  }

  /** Attempts that failed since the start. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    this.#stopListening = this.#parts.replica.onDay(() => this.wake());
    this.#running = this.#run();
  }

  /** To be called when there is a new snapshot. */
  wake(): void {
    this.#woken.ring();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#stopping.abort();
    await this.#running;
  }

  /** Prunes all that may go now. */
  async prune(): Promise<void> {
    const { streams, trimLog, replica, timers } = this.#parts;
    const horizon = this.#findHorizon();
    if (horizon === null || horizon.day === this.#lastPruned?.day) return;
    const { signal } = this.#stopping;
    const pruneStreams = () => {
      replica.commit();
      return streams?.prune((horizon.day * DAY) as Time) ?? false;
    };
    while (!signal.aborted && pruneStreams()) await nextTurn(timers);
    if (signal.aborted) return;
    await trimLog(horizon.sequence - 1);
    replica.state.days.forgetBefore(horizon.day);
    replica.commit();
    this.#lastPruned = horizon;
  }

  /** The first day that is kept. */
  #findHorizon(): DayStart | null {
    const { replica, retentionMicroseconds, snapshot } = this.#parts;
    const { network, head, days } = replica.state;
    if (network === null || network.movableClock) return null;
    const day = dayOf((head.recordTime - retentionMicroseconds) as Time);
    return days.findLast({ day, sequence: snapshot() });
  }

  #run(): Promise<void> {
    const { timers, log } = this.#parts;
    const { signal } = this.#stopping;
    const work = async () => {
      const woken = this.#woken.wait({ signal });
      await this.prune();
      await woken;
    };
    const onFailure = (error: unknown) => {
      this.#failures++;
      log.warn({ error }, "pruning failed; it is retried");
    };
    return repeat(work, { backoff: new Backoff(SNAPSHOT_RETRY), timers, signal, onFailure });
  }
}
