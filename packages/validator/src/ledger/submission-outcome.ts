/**
 * What is known of a submission by what came back. Only a definite answer says that it has not happened and will not;
 * anything else leaves it open, since an entry that was handed to the network may be ordered later.
 */
import {
  findLedgerError,
  HttpError,
  type LedgerErrorBody,
  SchemaViolation,
  TransportError,
} from "@callsign/api";

/** The submission may have taken effect, or may still. */
export class UncertainOutcome extends Error {
  override readonly name = "UncertainOutcome";

  /** The last thing that came back. */
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

/** The same command id is on its way already. */
export function isInFlight(error: unknown): boolean {
  return ledgerErrorOf(error)?.code === "SUBMISSION_ALREADY_IN_FLIGHT";
}

/** Said before anything was handed to the network. */
const UNSENT: ReadonlySet<string> = new Set([
  "PARTICIPANT_BACKPRESSURE",
  "NOT_CONNECTED_TO_ANY_SYNCHRONIZER",
]);
/** Said by a participant that had handed it to some sequencer, perhaps. */
const SENT: ReadonlySet<string> = new Set(["SEQUENCER_BACKPRESSURE", "SEQUENCER_REQUEST_FAILED"]);

/** Whether this sending may have taken effect, or may still, although this came back. */
export function isUncertain(error: unknown): boolean {
  if (error instanceof UncertainOutcome) return true;
  if (error instanceof TransportError) return error.failure !== "unsendable";
  // It was answered, in words that are not in the contract.
  if (error instanceof SchemaViolation) return true;
  if (!(error instanceof HttpError)) return false;
  const told = findLedgerError(error);
  if (told === undefined) return error.status >= 500;
  if (told.definiteAnswer === true || UNSENT.has(told.code)) return false;
  return error.status >= 500 || SENT.has(told.code);
}
