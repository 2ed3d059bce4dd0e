/** The JSON Ledger API's answers to requests that reach no operation: they have no ledger error body. */
import { jsonRejection, type Rejection, textRejection } from "../rejection.ts";

export function unknownLedgerPath(method: string, uri: string): Rejection {
  const errors = [`HttpMethod(${method}), uri: ${uri}`];
  return jsonRejection(404, { errors, status: 404, ledgerApiError: null });
}

export function wrongLedgerMethod(allowed: readonly string[]): Rejection {
  return textRejection(405, "Method Not Allowed", { allow: allowed.join(", ") });
}
