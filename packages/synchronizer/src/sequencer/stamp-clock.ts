/**
 * The clock of an SV's sequencer. From protocol version 4 on the sequencer signs the stamp of each batch, and the stamp counts
 * only as far as other SVs' stamps back it: see the ledger's `backed-time.ts`. On a quiet network the backed time gets old,
 * so that the sequencer asks other SVs for a tick before it appends anything but a tick. A clock that is still too far from
 * the backed time takes no entries until it is near again; it is compared again by itself.
 */
import {
  BACKED_TIME_VERSION,
  backedTime,
  DEFAULT_CLOCK_TOLERANCE,
  formatTime,
  type LogEntry,
  type Network,
  SECOND,
  stampMessage,
  type Time,
} from "@callsign/ledger";
import { type Host, type SigningKey, startDeadline, type Timer, untilAborted } from "@callsign/node";
import {
  ASK_TICKS_MILLISECONDS,
  ASK_TICKS_PAUSE_MILLISECONDS,
  STALE_TIME_SECONDS,
} from "../limits/limits.ts";
import type { Replica } from "../replica/replica.ts";

/** This machine's clock is too far from the time that the network's SVs back. */
export class ClockNotBacked extends Error {
  override readonly name = "ClockNotBacked";
}

export interface StampClockParts {
  /** The member id of the SV. */
  readonly sv: string;
  /** The key that signs at present. */
  readonly signingKey: () => SigningKey;
  readonly clock: () => Time;
  readonly replica: Pick<Replica, "state" | "onApplied" | "reach">;
  /** Has other SVs append a tick. Resolves with the number of the last one in the log; 0 if there is none. */
  readonly askTicks: (signal: AbortSignal) => Promise<number>;
  readonly onError: (error: unknown) => void;
  readonly host: Pick<Host, "timers" | "clock">;
}

type StampForm = Pick<LogEntry, "stampedAt" | "stampedBy">;

export class StampClock {
  readonly #parts: StampClockParts;
  readonly #closing = new AbortController();
  #checking: Promise<void> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The clock was too far off when it was compared last. */
  #isRefused = false;
  #timer: Timer | undefined;

  constructor(parts: StampClockParts) {
    this.#parts = parts;
  }

  /** The stamp of a batch, behind the entry with this hash. */
  stamp(previousHash: string): StampForm {
    const stampedAt = this.#parts.clock();
    if (this.#network() === null) return { stampedAt };
    const { publicKey, sign } = this.#parts.signingKey();
    return { stampedAt, stampedBy: { publicKey, signature: sign(stampMessage(previousHash, stampedAt)) } };
  }

  /** The stamp of an entry that is not the first of its batch. */
  stampBehind(): StampForm {
    return { stampedAt: this.#network() === null ? this.#parts.clock() : null };
  }

  /**
   * To be asked before an entry that is no tick is appended. Null if it may be appended at once; otherwise the promise rejects
   * with a `ClockNotBacked` if it may not.
   */
  check(): Promise<void> | null {
    const network = this.#network();
    if (network === null) return null;
    const lead = this.#leadOf(network);
    if (this.#isFresh(network, lead)) {
      this.#isRefused = false;
      return null;
    }
    if (this.#checking !== null) return this.#checking;
    const isNear = isWithin(network, lead);
    const asked = this.#parts.host.clock.elapsedMilliseconds() - this.#askedAt;
    if (isNear && asked < ASK_TICKS_PAUSE_MILLISECONDS) return null;
    // The timer asks again.
    if (!isNear && this.#isRefused) return Promise.reject(this.#refusal(network, lead));
    return this.#compare();
  }

  /** The reason why no entries are taken; null if there is none. */
  trouble(): string | null {
    const network = this.#network();
    if (network === null || !this.#isRefused) return null;
    const lead = this.#leadOf(network);
    if (!isWithin(network, lead)) return this.#refusal(network, lead).message;
    this.#isRefused = false;
    return null;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#parts.host.timers.clear(this.#timer);
    await this.#checking?.catch(() => undefined);
  }

  /** Null as long as stamps have the form of earlier protocol versions. */
  #network(): Network | null {
    const { network } = this.#parts.replica.state;
    return network === null || network.protocolVersion < BACKED_TIME_VERSION ? null : network;
  }

  /** The time by which the clock leads the backed time; negative if it is behind. */
  #leadOf(network: Network): bigint {
    const { sv, clock, replica } = this.#parts;
    const stampedAt = clock();
    return stampedAt - backedTime(network, replica.state, { sv, stampedAt });
  }

  #isFresh(network: Network, lead: bigint): boolean {
    return lead <= STALE_TIME_SECONDS * SECOND && isWithin(network, lead);
  }

  #compare(): Promise<void> {
    this.#checking = this.#ask().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #ask(): Promise<void> {
    const { askTicks, replica, host, onError } = this.#parts;
    this.#askedAt = host.clock.elapsedMilliseconds();
    const answered = new AbortController();
    const deadline = startDeadline(ASK_TICKS_MILLISECONDS, {
      timers: host.timers,
      signals: [this.#closing.signal, answered.signal],
    });
    const { promise: fresh, resolve } = Promise.withResolvers<void>();
    const stop = replica.onApplied(() => {
      const network = this.#network();
      if (network !== null && this.#isFresh(network, this.#leadOf(network))) resolve();
    });
    const asked = askTicks(deadline.signal).then((sequence) => replica.reach(sequence, deadline.signal));
    // Enough SVs may have answered before the last one does.
    await untilAborted(Promise.race([fresh, asked]), deadline.signal).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) onError(error);
    });
    asked.catch(() => undefined);
    stop();
    // Before it is cleared: then the deadline's signal aborts no more.
    answered.abort();
    deadline.clear();
    this.#decide();
  }

  /** Throws if the clock is too far off, and lets the timer compare it again. */
  #decide(): void {
    const network = this.#network();
    const lead = network === null ? 0n : this.#leadOf(network);
    this.#isRefused = network !== null && !isWithin(network, lead);
    if (network === null || !this.#isRefused) return;
    const { timers } = this.#parts.host;
    timers.clear(this.#timer);
    if (!this.#closing.signal.aborted) {
      this.#timer = timers.set(() => this.#compareAgain(), ASK_TICKS_PAUSE_MILLISECONDS);
      this.#timer.unref();
    }
    throw this.#refusal(network, lead);
  }

  #compareAgain(): void {
    if (this.#closing.signal.aborted || this.trouble() === null) return;
    this.#compare().catch(() => undefined);
  }

  #refusal(network: Network, lead: bigint): ClockNotBacked {
    const [distance, direction] = lead < 0n ? [-lead, "behind"] : [lead, "ahead of"];
    const backed = formatTime((this.#parts.clock() - lead) as Time);
    return new ClockNotBacked(
      `the clock of this SV is ${distance / SECOND} seconds ${direction} the time that the network's SVs back, ${backed}, and ` +
        `at most ${toleranceOf(network) / SECOND} are allowed: set this machine's clock, or start SVs that are down. ` +
        `It is compared again every ${ASK_TICKS_PAUSE_MILLISECONDS / 1000} seconds`,
    );
  }
}

function toleranceOf({ clockTolerance = DEFAULT_CLOCK_TOLERANCE }: Network): bigint {
  return clockTolerance;
}

function isWithin(network: Network, lead: bigint): boolean {
  const tolerance = toleranceOf(network);
  return lead <= tolerance && -lead <= tolerance;
}
