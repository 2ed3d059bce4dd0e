/** The positions that sequencers report of the log and of the participant's stream. The claims of a quorum count. */
import type { Time } from "@callsign/ledger";
import { MAX_LAG_ITEMS } from "../limits/limits.ts";
import type { SvQuorum } from "./sv-quorum.ts";

export interface SequencerReport {
  readonly recordTime: Time;
  /** The last offset of the participant's stream. */
  readonly end: number;
}

export class SequencerReports {
  readonly #quorum: Pick<SvQuorum, "history" | "voices">;
  readonly #reports = new Map<number, SequencerReport>();
  /** The furthest end that each sequencer has reported. */
  readonly #furthest = new Map<number, number>();
  /** The last offset on disk. */
  #stored: number;
  #caughtUp = false;

  constructor(given: {
    readonly quorum: Pick<SvQuorum, "history" | "voices">;
    readonly stored: number;
  }) {
    this.#quorum = given.quorum;
    this.#stored = given.stored;
  }

  find(source: number): SequencerReport | undefined {
    return this.#reports.get(source);
  }

  /** A sequencer that has reported. */
  get first(): number | undefined {
    return this.#reports.keys().next().value;
  }

  hear(source: number, report: SequencerReport): void {
    this.#reports.set(source, report);
    this.#furthest.set(source, Math.max(report.end, this.#furthest.get(source) ?? 0));
  }

  /**
   * True if the sequencer once had more of the stream, and now has less than is on disk: its log was replaced by a shorter
   * one, or it reads its log again. One that merely lags has never reported more.
   */
  hasGoneBack(source: number, end: number): boolean {
    return end < this.#stored && end < (this.#furthest.get(source) ?? 0);
  }

  forget(source: number): void {
    this.#reports.delete(source);
  }

  markStored(offset: number): void {
    this.#stored = offset;
  }

  /** True once the participant has caught up, while it follows enough sequencers closely. */
  isReady(): boolean {
    this.#caughtUp ||= this.#isClaimed(({ end }) => end <= this.#stored);
    return this.#caughtUp && this.#isClaimed(({ end }) => end <= this.#stored + MAX_LAG_ITEMS);
  }

  /** True if the network has registered the member. A single sequencer that denies it proves nothing. */
  isMember(): boolean {
    return this.#stored > 0 || this.#reports.size >= this.#quorum.voices;
  }

  /** True if everything up to that record time is on disk. */
  hasPassed(time: Time): boolean {
    return this.#isClaimed(({ recordTime, end }) => recordTime > time && end <= this.#stored);
  }

  /** The record time that a quorum has reached whose whole stream is on disk. */
  get recordTime(): Time | undefined {
    const times = [...this.#reports.values()]
      .filter(({ end }) => end <= this.#stored)
      .map(({ recordTime }) => recordTime)
      .sort((a, b) => (a < b ? 1 : -1));
    return times[this.#quorum.history - 1];
  }

  #isClaimed(holds: (report: SequencerReport) => boolean): boolean {
    return [...this.#reports.values()].filter(holds).length >= this.#quorum.history;
  }
}
