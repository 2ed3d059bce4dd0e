/** The statuses of Splice for the SV app's domain errors. */
import { type Rejection, spliceError, unauthorized } from "@callsign/api";
import { NotAnOperator, SvAppError, type SvAppFault } from "./sv-app-error.ts";

const STATUS: Readonly<Record<SvAppFault, number>> = {
  "invalid request": 400,
  "secret refused": 401,
  "not found": 404,
  "not yet": 409,
  "limit reached": 429,
  "ledger refused": 500,
  "not for development": 501,
  "try again": 503,
};

export function svAppRejection(error: unknown): Rejection | null {
  if (error instanceof NotAnOperator) return unauthorized(error.user);
  return error instanceof SvAppError ? spliceError(STATUS[error.fault], error.message) : null;
}
