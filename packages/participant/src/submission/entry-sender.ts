/** Signs and sends entries of the participant, and waits until the effect of each is on disk. */

import {
  type EntryContent,
  type LedgerError,
  ledgerError,
  type Time,
  timeFromMicros,
} from "@callsign/ledger";
import {
  type Host,
  LedgerFailure,
  type MemberIdentity,
  type SigningKey,
  signEntry,
  sleep,
  startDeadline,
} from "@callsign/node";
import {
  DRAIN_POLL_MILLISECONDS,
  ENTRY_WINDOW_MICROSECONDS,
  RECONNECT_MILLISECONDS,
  SUBMISSION_WAIT_MILLISECONDS,
} from "../limits/limits.ts";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import { UsualTime } from "../network/usual-time.ts";
import { failWith } from "../requests/identifiers.ts";
import { EntryDelivery } from "./entry-delivery.ts";
import type { SubmissionMetrics } from "./submission-metrics.ts";

/** The fields by which the ledger lets an entry take effect only once. */
export interface Once {
  readonly network: string;
  readonly member: string;
  readonly submissionId: string;
  readonly maxRecordTime: Time;
}

/** The network's time, and the common fields of an entry that is made now. */
export interface Frame {
  readonly now: Time;
  readonly once: Once;
}

export interface Sending<T> {
  readonly content: EntryContent;
  /** The keys that sign; the present signing key if omitted. */
  readonly signers?: readonly SigningKey[];
  /** Calls back with the effect once it is on disk. Returns a function that stops watching. */
  readonly watch: (seen: (effect: T) => void) => () => void;
  /** Called when a sequencer has the entry on its log: the entry will end, one way or the other. */
  readonly accepted?: () => void;
  /** Called when the entry cannot take effect any more. */
  readonly dropped?: () => Promise<void>;
}

export interface SenderParts {
  readonly connections: SequencerConnections;
  readonly identity: MemberIdentity;
  readonly host: Host;
  readonly stopping: AbortSignal;
  /** Undefined without a registry of metrics. */
  readonly metrics?: SubmissionMetrics | undefined;
}

/** An entry that may be under way to the log. */
interface OpenEntry {
  readonly publicKey: string;
  readonly maxRecordTime: Time;
}

/** One reason for all: to make one with its stack for each abort takes longer than the rest of it. */
const SHOWN = new Error("the effect of the entry shows");

export class EntrySender {
  readonly #parts: SenderParts;
  readonly #open = new Set<OpenEntry>();
  readonly #effects = new UsualTime();

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /**
   * Rejects with a `LedgerFailure` where the effect does not show. An entry that was too late is made again once: the
   * network's clock may have been moved while the entry was on its way, and the late entry cannot take effect.
   */
  async send<T>(make: (frame: Frame) => Sending<T> | Promise<Sending<T>>): Promise<T> {
    const first = await this.#frame();
    try {
      return await this.#transmit(first.once, await make(first));
    } catch (error) {
      const isLate = error instanceof LedgerFailure && error.error.code === "NOT_SEQUENCED_TIMEOUT";
      if (!isLate) throw error;
    }
    const second = await this.#frame();
    return this.#transmit(second.once, await make(second));
  }

  /**
   * Resolves when no entry can take effect any more that another key than the present one has signed, in this process or, if
   * asked for, in one before it.
   */
  async drain({ fromBefore }: { readonly fromBefore: boolean }): Promise<void> {
    const { identity, host, stopping: signal } = this.#parts;
    const { publicKey } = identity.signingKey;
    const earlier = fromBefore ? (await this.#frame()).once.maxRecordTime : null;
    for (;;) {
      signal.throwIfAborted();
      const { now } = await this.#frame();
      for (const entry of this.#open) if (entry.maxRecordTime < now) this.#open.delete(entry);
      const isOpen = [...this.#open].some((entry) => entry.publicKey !== publicKey);
      if (!isOpen && (earlier === null || earlier < now)) return;
      await sleep(DRAIN_POLL_MILLISECONDS, { timers: host.timers, signal });
    }
  }

  async #frame(): Promise<Frame> {
    const { connections, identity, host, stopping: signal } = this.#parts;
    // A broken connection is soon another one.
    const isReached = () => !connections.current.isSilent;
    if (!(await connections.reported.until(isReached, { milliseconds: RECONNECT_MILLISECONDS, signal })))
      failWith("SEQUENCER_REQUEST_FAILED", `Nothing was submitted: ${connections.current.missing}`);
    const now = connections.current.network === null ? undefined : await connections.now();
    const { network } = connections.current;
    if (network === null || now === undefined) {
      const cause = "This participant has not reached its network yet: try again in a second";
      failWith("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", cause);
    }
    const once = {
      network: network.network,
      member: identity.id,
      submissionId: host.randomness.uuid(),
      maxRecordTime: timeFromMicros(now + ENTRY_WINDOW_MICROSECONDS),
    };
    return { now, once };
  }

  async #transmit<T>({ maxRecordTime }: Once, sending: Sending<T>): Promise<T> {
    const { connections, identity, host, stopping, metrics } = this.#parts;
    const begun = host.clock.elapsedMilliseconds();
    const { content, watch, accepted: onAccepted, dropped } = sending;
    const { signers = [identity.signingKey] } = sending;
    const envelope = signEntry(content, signers);
    const entry = { publicKey: identity.signingKey.publicKey, maxRecordTime };
    if (sending.signers === undefined) this.#track(entry);
    const delivery = new EntryDelivery({
      ...{ connections, envelope, maxRecordTime, onAccepted, host, metrics },
      effects: this.#effects,
    });
    const ended = new AbortController();
    let effect: { readonly value: T } | null = null;
    const unwatch = watch((value) => {
      effect = { value };
      ended.abort(SHOWN);
      void delivery.creditSequencer(host.clock.elapsedMilliseconds() - begun);
    });
    const signals = [ended.signal, stopping];
    const deadline = startDeadline(SUBMISSION_WAIT_MILLISECONDS, { ...host, signals });
    try {
      const failure = await delivery.run(deadline.signal);
      const seen = effect as { readonly value: T } | null;
      const milliseconds = host.clock.elapsedMilliseconds() - begun;
      metrics?.countSubmission(Buffer.byteLength(envelope.content), milliseconds, seen !== null);
      if (seen !== null || failure !== null) this.#open.delete(entry);
      if (seen !== null) return seen.value;
      if (failure !== null) await dropped?.().catch(() => undefined);
      throw new LedgerFailure(failure ?? this.#unanswered());
    } finally {
      unwatch();
      deadline.clear();
    }
  }

  #track(entry: OpenEntry): void {
    const now = entry.maxRecordTime - ENTRY_WINDOW_MICROSECONDS;
    // The oldest come first.
    for (const earlier of this.#open) {
      if (earlier.maxRecordTime >= now) break;
      this.#open.delete(earlier);
    }
    this.#open.add(entry);
  }

  #unanswered(): LedgerError {
    return this.#parts.stopping.aborted
      ? ledgerError("SERVICE_NOT_RUNNING", "The participant is being stopped")
      : ledgerError(
          "REQUEST_TIME_OUT",
          "The network did not answer in time; whether the submission takes effect is not known yet",
        );
  }
}
