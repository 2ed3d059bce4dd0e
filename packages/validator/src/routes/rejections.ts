/** The one place where the validator's domain errors become Splice's answers: each kind with its status. */
import { type LedgerErrorBody, type Rejection, spliceError } from "@callsign/api";
import { grpcCodes } from "@callsign/ledger";
import { ValidatorError, type ValidatorProblem } from "../errors/validator-error.ts";

/** Null for an error that is no domain error. */
export function rejectionOf(error: unknown): Rejection | null {
  return error instanceof ValidatorError ? spliceError(statusOf(error.problem), error.message) : null;
}

function statusOf(problem: ValidatorProblem): number {
  switch (problem.kind) {
    case "invalid-request":
    case "renewal-too-early":
    case "not-renewable":
    case "not-enough-coin":
    case "traffic-too-expensive":
      return 400;
    case "entry-not-found":
    case "contract-not-found":
      return 404;
    case "name-taken":
    case "name-payment-pending":
    case "renewal-pending":
      return 409;
    case "queue-full":
      return 429;
    case "too-few-scans":
    case "scans-disagree":
      return 502;
    case "copy-incomplete":
    case "copy-rebuilding":
    case "outcome-unknown":
    case "participant-unreachable":
      return 503;
    case "participant-failed":
      return problem.isUnavailable ? 503 : 500;
    case "ledger-rejection":
      return ledgerStatusOf(problem.error);
    case "scan-rejection":
      return problem.status;
  }
}

/** These codes blame the command, not the state of the ledger; Splice answers them as conflicts. */
const CONFLICTS: ReadonlySet<string> = new Set([
  "DAML_INTERPRETATION_ERROR",
  "UNHANDLED_EXCEPTION",
  "INTERPRETATION_USER_ERROR",
  "TEMPLATE_PRECONDITION_VIOLATED",
]);

/** Splice's mapping of gRPC codes. */
const GRPC_STATUSES: Readonly<Record<number, number>> = {
  [grpcCodes.NOT_FOUND.number]: 404,
  [grpcCodes.ALREADY_EXISTS.number]: 409,
  [grpcCodes.ABORTED.number]: 429,
  [grpcCodes.RESOURCE_EXHAUSTED.number]: 429,
  [grpcCodes.UNAVAILABLE.number]: 503,
  [grpcCodes.INVALID_ARGUMENT.number]: 400,
  [grpcCodes.UNIMPLEMENTED.number]: 400,
  [grpcCodes.FAILED_PRECONDITION.number]: 400,
};

function ledgerStatusOf({ code, grpcCodeValue }: LedgerErrorBody): number {
  return CONFLICTS.has(code) ? 409 : (GRPC_STATUSES[grpcCodeValue ?? -1] ?? 500);
}
