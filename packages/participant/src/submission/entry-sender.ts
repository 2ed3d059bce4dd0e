/**
 * Sends an entry of the participant's own and waits until its effect is on disk here. It goes to one sequencer after
 * another until the effect shows: one that takes an entry and loses it delays that entry by a second. Once the network
 * has passed the entry's latest record time without it, it never happens.
 */
import { randomUUID } from "node:crypto";
import {
  type EntryContent,
  type Envelope,
  type LedgerError,
  ledgerError,
  type Time,
  timeFromMicros,
} from "@callsign/ledger";
import { LedgerFailure, type MemberIdentity, signEntry } from "@callsign/node";
import {
  ENTRY_WINDOW_MICROSECONDS,
  MAX_REFUSALS,
  REFUSED_PAUSE_MILLISECONDS,
  RESEND_MILLISECONDS,
  SUBMISSION_WAIT_MILLISECONDS,
} from "../limits/limits.ts";
import type { SequencerConnections } from "../network/sequencer-connections.ts";
import type { Handover } from "../network/submit-entry.ts";

/** What makes an entry happen once only. */
export interface Once {
  readonly network: string;
  readonly member: string;
  readonly submissionId: string;
  readonly maxRecordTime: Time;
}

/** What time it is, and the frame for an entry of now. */
export interface Frame {
  readonly now: Time;
  readonly once: Once;
}

export interface Sending<T> {
  readonly content: EntryContent;
  /** Calls back with the effect, once it is on disk; answers how to stop watching. */
  readonly watch: (seen: (effect: T) => void) => () => void;
  /** A sequencer has it on its log: it will end, one way or the other. */
  readonly accepted?: () => void;
  /** The entry never happens. */
  readonly dropped?: () => Promise<void>;
}

/** What is known of an entry's way. */
interface Trace {
  last: Promise<Handover> | null;
  /** Whether everybody who was asked definitely refused it. */
  definite: boolean;
}

interface Insistence {
  readonly envelope: Envelope;
  readonly accepted: (() => void) | undefined;
  readonly maxRecordTime: Time;
  readonly trace: Trace;
}

export class EntrySender {
  readonly #connections: SequencerConnections;
  readonly #identity: MemberIdentity;
  readonly #stopping: AbortSignal;

  constructor(parts: {
    readonly connections: SequencerConnections;
    readonly identity: MemberIdentity;
    readonly stopping: AbortSignal;
  }) {
    this.#connections = parts.connections;
    this.#identity = parts.identity;
    this.#stopping = parts.stopping;
  }

  /**
   * Rejects with a `LedgerFailure` where the effect does not come. An entry that came too late is made again once:
   * the network's clock may have been moved while it was on its way, and it is known that it never happens.
   */
  async send<T>(make: (frame: Frame) => Sending<T> | Promise<Sending<T>>): Promise<T> {
    const first = await this.#frame();
    try {
      return await this.#transmit(first.once, await make(first));
    } catch (error) {
      const late = error instanceof LedgerFailure && error.error.code === "NOT_SEQUENCED_TIMEOUT";
      if (!late) throw error;
    }
    const second = await this.#frame();
    return this.#transmit(second.once, await make(second));
  }

  async #frame(): Promise<Frame> {
    const { network } = this.#connections;
    const now = network === null ? undefined : await this.#connections.now();
    if (network === null || now === undefined) {
      throw fail(
        "NOT_CONNECTED_TO_ANY_SYNCHRONIZER",
        "This participant has not reached its network yet: try again in a second",
      );
    }
    const once = {
      network: network.network,
      member: this.#identity.id,
      submissionId: randomUUID(),
      maxRecordTime: timeFromMicros(now + ENTRY_WINDOW_MICROSECONDS),
    };
    return { now, once };
  }

  async #transmit<T>(once: Once, { content, watch, accepted, dropped }: Sending<T>): Promise<T> {
    const ended = new AbortController();
    const trace: Trace = { last: null, definite: true };
    let effect: { readonly value: T } | null = null;
    const unwatch = watch((value) => {
      effect = { value };
      ended.abort();
      void this.#credit(trace);
    });
    const envelope = signEntry(content, [this.#identity.signingKey]);
    const deadline = AbortSignal.any([
      ended.signal,
      this.#stopping,
      AbortSignal.timeout(SUBMISSION_WAIT_MILLISECONDS),
    ]);
    try {
      const { maxRecordTime } = once;
      const failure = await this.#insist({ envelope, accepted, maxRecordTime, trace }, deadline);
      const seen = effect as { readonly value: T } | null;
      if (seen !== null) return seen.value;
      if (failure !== null) await dropped?.().catch(() => undefined);
      throw new LedgerFailure(failure ?? this.#unanswered());
    } finally {
      unwatch();
      ended.abort();
    }
  }

  /**
   * Goes on until the signal says that it is over, or the entry can no longer happen: then it answers why. That all
   * refuse is an answer only while nobody can have it from before.
   */
  async #insist(
    { envelope, accepted, maxRecordTime, trace }: Insistence,
    over: AbortSignal,
  ): Promise<LedgerError | null> {
    let refusals = 0;
    for (let attempt = 0; !over.aborted; attempt++) {
      trace.last = this.#connections.submit(envelope, attempt);
      const handover = await unlessOver(trace.last, over);
      if (handover === null || over.aborted) return null;
      if (handover.kind === "accepted") accepted?.();
      if (handover.kind !== "refused") trace.definite = false;
      else if (++refusals >= MAX_REFUSALS && trace.definite) {
        return (await this.#isLate(maxRecordTime)) ? tooLate() : refusalOf(handover);
      }
      const pause = trace.definite ? REFUSED_PAUSE_MILLISECONDS : RESEND_MILLISECONDS;
      if (await this.#waitUntilPassed(maxRecordTime, pause, over)) return tooLate();
    }
    return null;
  }

  /** Sequencers take nothing that comes after its time, as when the clock was moved on the way. */
  async #isLate(maxRecordTime: Time): Promise<boolean> {
    const now = await this.#connections.now();
    return now !== undefined && now > maxRecordTime;
  }

  /** Whoever took it last, before or after the effect came, is asked first from now on. */
  async #credit({ last }: Trace): Promise<void> {
    const handover = await last?.catch(() => null);
    if (handover?.kind === "accepted") this.#connections.prefer(handover.source);
  }

  async #waitUntilPassed(maxRecordTime: Time, milliseconds: number, over: AbortSignal): Promise<boolean> {
    const pause = AbortSignal.any([over, AbortSignal.timeout(milliseconds)]);
    while (!pause.aborted) {
      if (this.#connections.hasPassed(maxRecordTime)) return !over.aborted;
      await this.#connections.reported.wait(milliseconds, pause);
    }
    return false;
  }

  #unanswered(): LedgerError {
    if (this.#stopping.aborted) return ledgerError("SERVICE_NOT_RUNNING", "The participant is being stopped");
    return ledgerError(
      "REQUEST_TIME_OUT",
      "The network did not answer in time; whether the submission takes effect is not known yet",
    );
  }
}

/** The effect may be here before the sequencer's answer is. */
function unlessOver(handover: Promise<Handover>, over: AbortSignal): Promise<Handover | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    over.addEventListener("abort", stop, { once: true });
    handover.then(resolve, reject).finally(() => over.removeEventListener("abort", stop));
  });
}

function tooLate(): LedgerError {
  return ledgerError(
    "NOT_SEQUENCED_TIMEOUT",
    "The network went past the latest record time of the submission without it: it did not and will not happen",
  );
}

function refusalOf(handover: Extract<Handover, { kind: "refused" }>): LedgerError {
  const { overloaded } = handover;
  return overloaded === null
    ? ledgerError("SEQUENCER_REQUEST_FAILED", "No sequencer took the submission: try again in a second")
    : ledgerError("SEQUENCER_BACKPRESSURE", `The sequencers do not take the submission now: ${overloaded}`);
}

function fail(code: "NOT_CONNECTED_TO_ANY_SYNCHRONIZER", cause: string): LedgerFailure {
  return new LedgerFailure(ledgerError(code, cause));
}
