/** What the JSON Ledger API answers where no operation is reached, and so no ledger error body is made. */
import { jsonRejection, type Rejection, textRejection } from "../rejection.ts";

export function unknownLedgerPath(method: string, uri: string): Rejection {
  const errors = [`HttpMethod(${method}), uri: ${uri}`];
  return jsonRejection(404, { errors, status: 404, ledgerApiError: null });
}

export function wrongLedgerMethod(allowed: readonly string[]): Rejection {
  return textRejection(405, "Method Not Allowed", { allow: allowed.join(", ") });
}
