/** Failures of the participant as domain errors. */
import { HttpError, type LedgerErrorBody, TransportError } from "@callsign/api";
import { grpcCodes } from "@callsign/ledger";
import { TokenUnavailable } from "@callsign/node";
import { ValidatorError } from "../errors/validator-error.ts";
import { ledgerErrorOf, UncertainOutcome } from "./submission-outcome.ts";

const INSUFFICIENT_FUNDS = "splice.lfdecentralizedtrust.org/insufficient-funds";

/** A `ValidatorError` for a failure of the participant; any other error as it is. */
export function toValidatorError(error: unknown): unknown {
  if (error instanceof UncertainOutcome) return outcomeUnknown(error);
  if (error instanceof TransportError)
    return new ValidatorError({ kind: "participant-unreachable", failure: error.failure });
  if (error instanceof TokenUnavailable) return new ValidatorError({ kind: "no-participant-token" });
  if (!(error instanceof HttpError)) return error;
  const body = ledgerErrorOf(error);
  if (body === undefined)
    return new ValidatorError({ kind: "participant-failed", isUnavailable: error.status === 503 });
  const missing = findMissingCoin(body);
  if (missing !== undefined) return new ValidatorError({ kind: "not-enough-coin", missing });
  return new ValidatorError({ kind: "ledger-rejection", error: body });
}

/** The caller is told how to find out. */
export function outcomeUnknown(error: unknown): ValidatorError {
  return new ValidatorError({ kind: "outcome-unknown", code: ledgerErrorOf(error)?.code ?? "no answer" });
}

/** The ledger accepted the same command id before. */
export function isDuplicateCommand(error: unknown): boolean {
  return rejectionCodeOf(error) === "DUPLICATE_COMMAND";
}

/** The ledger has no such contract any more. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof ValidatorError) || error.problem.kind !== "ledger-rejection") return false;
  return error.problem.error.grpcCodeValue === grpcCodes.NOT_FOUND.number;
}

/** The network, or the participant, does not know the package or the template of the command. */
export function isUnknownPackage(error: unknown): boolean {
  const code = rejectionCodeOf(error) ?? "";
  return ["PACKAGE_NOT_FOUND", "UNRESOLVED_PACKAGE_NAME", "TEMPLATES_OR_INTERFACES_NOT_FOUND"].includes(code);
}

function rejectionCodeOf(error: unknown): string | undefined {
  if (!(error instanceof ValidatorError) || error.problem.kind !== "ledger-rejection") return undefined;
  return error.problem.error.code;
}

/** The coin that a payment lacked, if that is the reason it failed. */
export function findMissingCoin({ context }: LedgerErrorBody): string | undefined {
  return context["error_id"] === INSUFFICIENT_FUNDS ? (context["requiredAmount"] ?? "some") : undefined;
}

/**
 * True if other inputs may help: another transaction used up a contract, a disclosed contract is out of date, the
 * participant lags behind the network's time, or the network was busy. A command in flight needs no other inputs.
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
