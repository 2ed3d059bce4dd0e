/** The ledger's rejection of a submission, as an error and as the status of a completion. */
import type { StreamError } from "@callsign/api";
import {
  type ErrorCode,
  errorCatalogue,
  type LedgerError,
  ledgerError,
  wireStatusOf,
} from "@callsign/ledger";

/** The error as the ledger decided it. A code that this program does not know becomes an internal error. */
export function readRejection(error: StreamError | null, cause: string | null): LedgerError {
  if (error === null || !Object.hasOwn(errorCatalogue, error.code)) {
    return ledgerError(
      "SERVICE_INTERNAL_ERROR",
      `The submission was rejected: ${error?.code ?? "without a code"}`,
    );
  }
  return {
    code: error.code as ErrorCode,
    cause: cause ?? `The ledger rejected the submission: ${error.code}`,
    context: error.context,
    resources: error.resources as LedgerError["resources"],
    category: error.category as LedgerError["category"],
  };
}

/** A gRPC status; 0 for an accepted submission. */
export function formatStatus(error: StreamError | null, cause: string | null) {
  if (error === null) return { code: 0, message: "", details: [] };
  const rejection = readRejection(error, cause);
  const { grpcNumber, redacted } = wireStatusOf(rejection);
  const message = redacted
    ? "An error occurred. Please contact the operator"
    : `${rejection.code}(${rejection.category},0): ${rejection.cause}`;
  return { code: grpcNumber, message, details: [] };
}
