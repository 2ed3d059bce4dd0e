/**
 * Asks the sequencers for the network's time, which may have been moved since their last answers. One answer that
 * confirms the estimate is enough; otherwise all trusted sequencers are asked.
 */
import { type Host, startDeadline } from "@callsign/node";
import { readTime, type SequencerConsensus } from "../agreement/sequencer-consensus.ts";
import {
  CLOCK_ANSWER_MILLISECONDS,
  CLOCK_FRESH_MILLISECONDS,
  CLOCK_TOLERANCE_MICROSECONDS,
  FIRST_CLOCK_ANSWER_MILLISECONDS,
} from "../limits/limits.ts";
import { askTrusted } from "./ask-trusted.ts";
import type { SequencerClient } from "./sequencer-client.ts";

interface TimeQueryParts {
  readonly host: Host;
  readonly consensus: SequencerConsensus;
  readonly clients: readonly SequencerClient[];
  /** The sequencer to ask first, alone. */
  readonly choose: () => number;
  readonly signal: AbortSignal;
}

export class TimeQuery {
  readonly #parts: TimeQueryParts;
  #asking: Promise<void> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: TimeQueryParts) {
    this.#parts = parts;
  }

  /** Resolves when the clock has fresh answers. Concurrent callers share one query. */
  async ask(): Promise<void> {
    const { elapsedMilliseconds } = this.#parts.host.clock;
    if (elapsedMilliseconds() - this.#askedAt <= CLOCK_FRESH_MILLISECONDS) return;
    this.#asking ??= this.#query().finally(() => {
      this.#asking = null;
      this.#askedAt = elapsedMilliseconds();
    });
    await this.#asking;
  }

  /** Resolves when no query is in flight. */
  async idle(): Promise<void> {
    await this.#asking;
  }

  async #query(): Promise<void> {
    if (!(await this.#isConfirmed())) await this.#askAll();
  }

  async #isConfirmed(): Promise<boolean> {
    const { host, consensus, clients, choose, signal } = this.#parts;
    const deadline = startDeadline(FIRST_CLOCK_ANSWER_MILLISECONDS, { ...host, signals: [signal] });
    try {
      const state = await clients[choose()]?.getNetwork(deadline.signal);
      const expected = consensus.estimatedNow;
      if (state === undefined || expected === undefined) return false;
      const difference = readTime(state.now) - expected;
      return difference < CLOCK_TOLERANCE_MICROSECONDS && difference > -CLOCK_TOLERANCE_MICROSECONDS;
    } catch {
      return false;
    } finally {
      deadline.clear();
    }
  }

  /** Resolves when enough sequencers have answered, or at the deadline. Later answers are heard all the same. */
  async #askAll(): Promise<void> {
    const { consensus } = this.#parts;
    await askTrusted(this.#parts, CLOCK_ANSWER_MILLISECONDS, async ({ client, source, signal }) => {
      const { now } = await client.getNetwork(signal);
      consensus.hearTime(source, now);
    });
  }
}
