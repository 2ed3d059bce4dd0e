/**
 * Prunes history older than the retention while a window of the schedule is open, oldest first; the next window goes on
 * with the rest. The network's clock decides, and it may be moved: each answer of a sequencer is a reason to check
 * whether a window has opened. Without a schedule nothing is pruned.
 */
import type { PruningSchedule } from "@callsign/api";
import type { Time } from "@callsign/ledger";
import { Bell, type Host, type Log } from "@callsign/node";
import {
  PRUNING_PAUSE_MILLISECONDS,
  PRUNING_RETRY_MILLISECONDS,
  PRUNING_STEP_OFFSETS,
  PRUNING_TIMER_MILLISECONDS,
} from "../limits/limits.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import type { ParticipantSettings } from "../store/participant-settings.ts";
import type { PruningStore } from "../store/pruning-store.ts";
import type { Pruner } from "./pruner.ts";
import { type PruningPlan, parseSchedule } from "./pruning-schedule.ts";

/** The work of one window, in times of the network. */
export interface PruningRun {
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly prunedUpTo: number;
}

interface NetworkTime {
  /** Asks the sequencers. */
  readonly now: () => Promise<Time | undefined>;
  /** By the last answers and the time since. */
  readonly estimatedNow: () => Time | undefined;
}

export interface ScheduledPruningParts {
  readonly ledger: LedgerStore;
  readonly store: PruningStore;
  readonly settings: ParticipantSettings;
  readonly pruner: Pruner;
  readonly time: NetworkTime;
  /** Rings when a sequencer has answered. */
  readonly reported: Bell;
  readonly host: Host;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export class ScheduledPruning {
  readonly #parts: ScheduledPruningParts;
  readonly #changed: Bell;
  #schedule: PruningPlan | null = null;
  #lastRun: PruningRun | null = null;
  #following: Promise<void> = Promise.resolve();

  constructor(parts: ScheduledPruningParts) {
    this.#parts = parts;
    this.#changed = new Bell(parts.host.timers);
  }

  get schedule(): PruningPlan | null {
    return this.#schedule;
  }

  get lastRun(): PruningRun | null {
    return this.#lastRun;
  }

  /** Reads the stored schedule and the last run. */
  async read(): Promise<void> {
    const { settings } = this.#parts;
    const texts = await settings.find("pruning-schedule");
    if (texts !== undefined) this.#schedule = readStored(texts as PruningSchedule);
    const last = (await settings.find("last-pruning")) as StoredRun | undefined;
    if (last !== undefined) {
      this.#lastRun = { ...last, startedAt: BigInt(last.startedAt), endedAt: BigInt(last.endedAt) };
    }
  }

  /** Runs until the participant stops. */
  start(): void {
    this.#following = this.#follow();
  }

  async close(): Promise<void> {
    await this.#following;
  }

  /** Stores the schedule; null ends scheduled pruning. */
  async set(schedule: PruningPlan | null): Promise<void> {
    const { settings } = this.#parts;
    if (schedule === null) await settings.remove("pruning-schedule");
    else await settings.set("pruning-schedule", schedule.texts);
    this.#schedule = schedule;
    this.#changed.ring();
  }

  async #follow(): Promise<void> {
    const { stopping, log } = this.#parts;
    while (!stopping.aborted) {
      const schedule = this.#schedule;
      try {
        if (schedule === null) await this.#changed.wait({ signal: stopping });
        else await this.#followSchedule(schedule);
      } catch (error) {
        const reason = error instanceof Error ? error.message : "unknown";
        log.error({ reason }, "scheduled pruning failed");
        await this.#changed.wait({ milliseconds: PRUNING_RETRY_MILLISECONDS, signal: stopping });
      }
    }
  }

  /** Resolves when a window was used, or the schedule has changed. */
  async #followSchedule(schedule: PruningPlan): Promise<void> {
    const now = await this.#parts.time.now();
    if (now === undefined) return this.#waitForNews();
    if (schedule.isOpen(now)) await this.#useWindow(schedule, now);
    const next = schedule.nextAfter(now);
    while (this.#schedule === schedule && !this.#parts.stopping.aborted) {
      const estimatedNow = this.#parts.time.estimatedNow() ?? now;
      if (next !== null && estimatedNow >= next) return;
      await this.#waitForNews(next === null ? undefined : Number((next - estimatedNow) / 1000n) + 1);
    }
  }

  /** Resolves when the schedule changes, when a sequencer answers, or after the given time. */
  async #waitForNews(wait = PRUNING_TIMER_MILLISECONDS): Promise<void> {
    const { reported, stopping } = this.#parts;
    const woken = new AbortController();
    const signal = AbortSignal.any([stopping, woken.signal]);
    const milliseconds = Math.min(wait, PRUNING_TIMER_MILLISECONDS);
    await Promise.race([reported, this.#changed].map((bell) => bell.wait({ milliseconds, signal })));
    woken.abort();
    await this.#changed.wait({ milliseconds: PRUNING_PAUSE_MILLISECONDS, signal: stopping });
  }

  async #useWindow(schedule: PruningPlan, startedAt: bigint): Promise<void> {
    const { ledger, store, pruner, settings, time } = this.#parts;
    let now = startedAt;
    while (this.#schedule === schedule && schedule.isOpen(now)) {
      // A prune on request may be running.
      await pruner.idle();
      const old = await store.findOffsetBefore(now - schedule.retentionMicroseconds);
      const target = Math.min(old, ledger.end - 1, ledger.prunedUpTo + PRUNING_STEP_OFFSETS);
      if (target <= ledger.prunedUpTo) break;
      await pruner.prune(target);
      if (this.#parts.stopping.aborted) return;
      now = (await time.now()) ?? now;
    }
    this.#lastRun = { startedAt, endedAt: now, prunedUpTo: ledger.prunedUpTo };
    const stored: StoredRun = { ...this.#lastRun, startedAt: String(startedAt), endedAt: String(now) };
    await settings.set("last-pruning", stored);
  }
}

interface StoredRun {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly prunedUpTo: number;
}

function readStored(texts: PruningSchedule): PruningPlan {
  const schedule = parseSchedule(texts);
  if (!schedule.ok) throw new Error(`the stored pruning schedule is damaged: ${schedule.error}`);
  return schedule.value;
}
