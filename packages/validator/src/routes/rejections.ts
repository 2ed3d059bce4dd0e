/** The one place where the validator's domain errors become Splice's answers: each kind with its status. */
import {
  type CreatedPreapproval,
  jsonRejection,
  type LedgerErrorBody,
  noWallet,
  type Rejection,
  spliceError,
  unauthorized,
  unknownPath,
} from "@callsign/api";
import { grpcCodes } from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";

/** Null for an error that is no domain error. */
export function rejectionOf(error: unknown): Rejection | null {
  if (!(error instanceof ValidatorError)) return null;
  const { problem, message } = error;
  switch (problem.kind) {
    case "not-started":
      return unknownPath(problem.url);
    case "not-authorized":
      return unauthorized(problem.user);
    case "no-wallet":
      return noWallet(problem.user, problem.operation);
    case "invalid-request":
    case "renewal-too-early":
    case "not-renewable":
    case "not-enough-coin":
    case "no-preapproval":
    case "traffic-too-expensive":
      return spliceError(400, message);
    case "entry-not-held":
    case "primary-name-not-held":
    case "entry-not-found":
    case "contract-not-found":
    case "allocation-request-not-found":
    case "preapproval-not-found":
    case "party-not-hosted":
    case "request-not-found":
      return spliceError(404, message);
    case "name-taken":
    case "name-payment-pending":
    case "entry-subscribed":
    case "take-up-refused":
    case "take-up-unknown":
    case "primary-name-unknown":
    case "renewal-pending":
    case "party-of-another":
    case "user-removed":
    case "id-in-use":
      return spliceError(409, message);
    case "preapproval-exists": {
      const body: CreatedPreapproval = { transfer_preapproval_contract_id: problem.contractId };
      return jsonRejection(409, body);
    }
    case "queue-full":
    case "request-in-flight":
    case "preapproval-unpaid":
    case "traffic-reserved":
      return spliceError(429, message);
    case "too-few-scans":
    case "scans-disagree":
      return spliceError(502, message);
    case "copy-incomplete":
    case "copy-rebuilding":
    case "outcome-unknown":
    case "take-up-pending":
    case "participant-unreachable":
    case "no-participant-token":
      return spliceError(503, message);
    case "participant-failed":
      return spliceError(problem.isUnavailable ? 503 : 500, message);
    case "ledger-rejection":
      return spliceError(statusOf(problem.error), message);
    case "scan-rejection":
      return spliceError(problem.status, message);
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

function statusOf({ code, grpcCodeValue }: LedgerErrorBody): number {
  return CONFLICTS.has(code) ? 409 : (GRPC_STATUSES[grpcCodeValue ?? -1] ?? 500);
}
