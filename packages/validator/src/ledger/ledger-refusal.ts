/** How a failure of the participant reaches the validator's caller (Splice's mapping of gRPC codes to statuses). */
import { HttpError, type LedgerErrorBody, spliceError, TransportError } from "@callsign/api";
import { grpcCodes } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import { ledgerErrorOf, UncertainOutcome } from "./submission-outcome.ts";

const INSUFFICIENT_FUNDS = "splice.lfdecentralizedtrust.org/insufficient-funds";

/** These say that the command, not the state of the ledger, is at fault; Splice answers them as conflicts. */
const CONFLICTS: ReadonlySet<string> = new Set([
  "DAML_INTERPRETATION_ERROR",
  "UNHANDLED_EXCEPTION",
  "INTERPRETATION_USER_ERROR",
  "TEMPLATE_PRECONDITION_VIOLATED",
]);

const statuses: Readonly<Record<number, number>> = {
  [grpcCodes.NOT_FOUND.number]: 404,
  [grpcCodes.ALREADY_EXISTS.number]: 409,
  [grpcCodes.ABORTED.number]: 429,
  [grpcCodes.RESOURCE_EXHAUSTED.number]: 429,
  [grpcCodes.UNAVAILABLE.number]: 503,
  [grpcCodes.INVALID_ARGUMENT.number]: 400,
  [grpcCodes.UNIMPLEMENTED.number]: 400,
  [grpcCodes.FAILED_PRECONDITION.number]: 400,
};

/** A payment that the wallet's coin does not suffice for. */
export class NotEnoughCoin extends Refusal {}

/** The same command id was accepted before. */
export class AlreadyHappened extends Refusal {}

/** No definite answer came: the caller is told how to look. */
export class MayStillHappen extends Refusal {
  constructor(error: unknown) {
    const code = ledgerErrorOf(error)?.code ?? "no answer";
    const text =
      `The network gave no definite answer in time (${code}): this may still happen, or has happened. ` +
      "Look in a minute, before you ask again: /v0/wallet/balance, /v0/wallet/subscription-requests, " +
      "/v0/wallet/subscriptions and /v0/entry/all show it then. Asking for the same name again is safe.";
    super(spliceError(503, text));
  }
}

/** A `Refusal` for what the participant said; anything else as it is. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof UncertainOutcome) return new MayStillHappen(error);
  if (error instanceof TransportError) {
    return new Refusal(spliceError(503, `The participant cannot be reached (${error.failure}): try again.`));
  }
  if (!(error instanceof HttpError)) return error;
  const body = ledgerErrorOf(error);
  if (body === undefined)
    return new Refusal(spliceError(error.status === 503 ? 503 : 500, "The participant failed."));
  const missing = findMissingCoin(body);
  if (missing !== undefined) {
    const text = `Not enough coin: ${missing} more is needed. Tap or receive coin, then try again.`;
    return new NotEnoughCoin(spliceError(400, text));
  }
  const status = CONFLICTS.has(body.code) ? 409 : (statuses[body.grpcCodeValue ?? -1] ?? 500);
  const rejection = spliceError(status, `${body.code}: ${body.cause}`);
  return body.code === "DUPLICATE_COMMAND" ? new AlreadyHappened(rejection) : new Refusal(rejection);
}

/** How much coin a payment lacked, if that is what it failed for. */
export function findMissingCoin({ context }: LedgerErrorBody): string | undefined {
  return context["error_id"] === INSUFFICIENT_FUNDS ? (context["requiredAmount"] ?? "some") : undefined;
}

/**
 * Whether other inputs may help: a contract was used up by somebody else in the meantime, a disclosed one is of
 * yesterday, the participant has not heard what time it is, or the network was busy. A command that is under way
 * needs no other inputs.
 */
export function isContention({ code, errorCategory }: LedgerErrorBody): boolean {
  if (code === "SUBMISSION_ALREADY_IN_FLIGHT") return false;
  return (
    code.startsWith("LOCAL_VERDICT_") ||
    code === "CONTRACT_NOT_FOUND" ||
    code === "CONTRACT_NOT_ACTIVE" ||
    code === "INCONSISTENT" ||
    code === "LEDGER_TIME_OUTSIDE_BOUNDS" ||
    errorCategory === 1 ||
    errorCategory === 2
  );
}
