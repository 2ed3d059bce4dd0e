/**
 * The outcome of a submission by its answer. Only a definite answer says that it has not happened and will not; any
 * other leaves the outcome open, since the network may order an entry late.
 */
import {
  findLedgerError,
  HttpError,
  type LedgerErrorBody,
  SchemaViolation,
  TransportError,
} from "@callsign/api";
import { errorCodeOf } from "@callsign/node";

/** The submission may have taken effect, or may still. */
export class UncertainOutcome extends Error {
  override readonly name = "UncertainOutcome";

  /** The last answer or failure. */
  constructor(cause: unknown) {
    super(`whether it took effect is not known: ${cause instanceof Error ? cause.message : "no answer"}`, {
      cause,
    });
  }
}

export function ledgerErrorOf(error: unknown): LedgerErrorBody | undefined {
  const told = error instanceof UncertainOutcome ? error.cause : error;
  return told instanceof HttpError ? findLedgerError(told) : undefined;
}

/** The same command id is in flight already. */
export function isInFlight(error: unknown): boolean {
  return ledgerErrorOf(error)?.code === "SUBMISSION_ALREADY_IN_FLIGHT";
}

/** Errors from before the entry was sent to the network. */
const UNSENT: ReadonlySet<string> = new Set([
  "PARTICIPANT_BACKPRESSURE",
  "NOT_CONNECTED_TO_ANY_SYNCHRONIZER",
]);
/** Errors of a participant that may have sent the entry to some sequencer. */
const SENT: ReadonlySet<string> = new Set(["SEQUENCER_BACKPRESSURE", "SEQUENCER_REQUEST_FAILED"]);

/** Nothing listens at the participant's address, so nothing was sent. */
export function isUnconnected(error: unknown): boolean {
  return error instanceof TransportError && errorCodeOf(error.cause) === "ECONNREFUSED";
}

/** True if the sending that failed so may have taken effect, or may still. */
export function isUncertain(error: unknown): boolean {
  if (error instanceof UncertainOutcome) return true;
  if (error instanceof TransportError) return error.failure !== "unsendable" && !isUnconnected(error);
  // There was an answer, but not of the form that the API promises.
  if (error instanceof SchemaViolation) return true;
  if (!(error instanceof HttpError)) return false;
  const told = findLedgerError(error);
  if (told === undefined) return error.status >= 500;
  if (told.definiteAnswer === true || UNSENT.has(told.code)) return false;
  return error.status >= 500 || SENT.has(told.code);
}
