/**
 * Hands a signed entry to the network: to one sequencer, and to the next as well when there is an error or no answer
 * soon. The ledger ignores an id it has seen, so an entry that arrives twice happens once.
 */
import { findSpliceMessage, HttpError, TransportError } from "@callsign/api";
import type { Envelope } from "@callsign/ledger";
import { HEDGE_MILLISECONDS } from "../limits/limits.ts";

export interface EntryReceiver {
  readonly submit: (envelope: Envelope, signal: AbortSignal) => Promise<void>;
}

export type Handover =
  | { readonly kind: "accepted"; readonly source: number }
  /** Every sequencer said no, or could not be reached at all: the entry is in no log. */
  | {
      readonly kind: "refused";
      /** What a sequencer says that takes nothing now, and might later; null if none says so. */
      readonly overloaded: string | null;
      readonly reason: string;
    }
  /** Somebody may have it. */
  | { readonly kind: "unknown"; readonly reason: string };

export function submitEntry(given: {
  readonly receivers: readonly EntryReceiver[];
  /** Which one is asked first; the others follow in order. */
  readonly first: number;
  readonly envelope: Envelope;
  readonly signal: AbortSignal;
}): Promise<Handover> {
  const { receivers, first, envelope, signal } = given;
  return new Promise((resolve) => {
    const failures: unknown[] = [];
    let started = 0;
    let timer: NodeJS.Timeout | undefined;
    let done = false;
    const finish = (handover: Handover) => {
      clearTimeout(timer);
      done = true;
      resolve(handover);
    };
    const startNext = () => {
      clearTimeout(timer);
      const source = (first + started) % receivers.length;
      const receiver = receivers[source];
      if (done || started === receivers.length || receiver === undefined) return;
      started++;
      timer = setTimeout(startNext, HEDGE_MILLISECONDS);
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
  return { kind: "refused", overloaded: findOverload(failures), reason };
}

/** Long enough for every reason that our own sequencers give. */
const MAX_WORDS = 600;

function findOverload(failures: readonly unknown[]): string | null {
  const busy = failures.find((error) => error instanceof HttpError && error.status === 429);
  if (!(busy instanceof HttpError)) return null;
  return (findSpliceMessage(busy) ?? "it is busy").slice(0, MAX_WORDS);
}

/** An answer, or no connection in the first place. An answer of 5xx leaves open what was done. */
function isDefinite(error: unknown): boolean {
  if (error instanceof HttpError) return error.status < 500;
  return error instanceof TransportError && isRefusedConnection(error.cause);
}

/** Who reports it differs: the connection itself, or what stands on it, with the connection's error as its cause. */
function isRefusedConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ECONNREFUSED") || isRefusedConnection(error.cause);
}
