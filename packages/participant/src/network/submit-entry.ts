/**
 * Hands a signed entry to the network: to one sequencer, and to the next as well after an error or without an answer
 * soon. The ledger ignores a submission id that it has seen, so an entry that arrives twice takes effect once.
 */
import { findSpliceMessage, HttpError, LOG_UNWRITABLE, TransportError } from "@callsign/api";
import type { Envelope } from "@callsign/ledger";
import type { Timer, Timers } from "@callsign/node";

export interface EntryReceiver {
  readonly submit: (envelope: Envelope, signal: AbortSignal) => Promise<void>;
}

export type Handover =
  | { readonly kind: "accepted"; readonly source: number }
  /** Every sequencer refused the entry or could not be reached at all: the entry is in no log. */
  | {
      readonly kind: "refused";
      /** The reason of a sequencer that is busy and may accept the entry later; null if none is. */
      readonly overloaded: string | null;
      /** A sequencer cannot write its log. */
      readonly isUnwritable: boolean;
      readonly reason: string;
    }
  /** A sequencer may have the entry. */
  | { readonly kind: "unknown"; readonly reason: string };

export function submitEntry(given: {
  readonly receivers: readonly EntryReceiver[];
  /** The receiver to begin with; the others follow in order. */
  readonly first: number;
  readonly envelope: Envelope;
  /** A receiver that has not answered by then is not waited for alone. */
  readonly patienceMilliseconds: number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}): Promise<Handover> {
  const { receivers, first, envelope, patienceMilliseconds, timers, signal } = given;
  if (receivers.length === 0) return Promise.resolve(explain([]));
  return new Promise((resolve) => {
    const failures: unknown[] = [];
    let started = 0;
    let timer: Timer | undefined;
    let isDone = false;
    const finish = (handover: Handover) => {
      timers.clear(timer);
      isDone = true;
      resolve(handover);
    };
    const startNext = () => {
      timers.clear(timer);
      const source = (first + started) % receivers.length;
      const receiver = receivers[source];
      if (isDone || started === receivers.length || receiver === undefined) return;
      started++;
      timer = timers.set(startNext, patienceMilliseconds);
      receiver.submit(envelope, signal).then(
        () => finish({ kind: "accepted", source }),
        (error: unknown) => {
          failures.push(error);
          if (failures.length === receivers.length) finish(explain(failures));
          else startNext();
        },
      );
    };
    startNext();
  });
}

function explain(failures: readonly unknown[]): Handover {
  const reason = failures.map((error) => (error instanceof Error ? error.message : String(error))).join("; ");
  if (!failures.every(isDefinite)) return { kind: "unknown", reason };
  const isUnwritable = failures.some(isUnwritableLog);
  return { kind: "refused", overloaded: findOverload(failures), isUnwritable, reason };
}

/** Long enough for every reason that our own sequencers give. */
const MAX_REASON = 600;

function findOverload(failures: readonly unknown[]): string | null {
  const busy = failures.find((error) => error instanceof HttpError && error.status === 429);
  if (!(busy instanceof HttpError)) return null;
  return (findSpliceMessage(busy) ?? "it is busy").slice(0, MAX_REASON);
}

/** An answer below 500, a log that cannot be written, or no connection. After another 5xx the entry may be in the log. */
function isDefinite(error: unknown): boolean {
  if (error instanceof HttpError) return error.status < 500 || isUnwritableLog(error);
  return error instanceof TransportError && isRefusedConnection(error.cause);
}

/** Said by the sequencer itself: a proxy's 503 may come after the entry. */
function isUnwritableLog(error: unknown): boolean {
  return error instanceof HttpError && findSpliceMessage(error) === LOG_UNWRITABLE;
}

/** The error of the connection may be the cause of another error. */
function isRefusedConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ECONNREFUSED") || isRefusedConnection(error.cause);
}
