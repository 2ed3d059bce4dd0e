/** Refusals carry the answer of their API. Any other error that nobody maps is a defect. */
import type { ErrorOccasion, Rejection } from "@callsign/api";
import type { LedgerError } from "@callsign/ledger";

/** A refusal is an answer: its stack is of no use, and takes longer to make than a lookup takes. */
class WithoutStack extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Any API: exactly this is answered. */
export class Refusal extends WithoutStack {
  override readonly name = "Refusal";
  readonly rejection: Rejection;
  /** The real reason, which goes to the log alone where the answer must not say it. */
  readonly reason: string | undefined;

  constructor(rejection: Rejection, reason?: string) {
    super(`${rejection.status} ${rejection.body}`);
    this.rejection = rejection;
    this.reason = reason;
  }

  withHeaders(added: Rejection["headers"]): Refusal {
    return new Refusal({ ...this.rejection, headers: { ...this.rejection.headers, ...added } }, this.reason);
  }
}

/** The JSON Ledger API: the error in its body, with what is known of the occasion. */
export class LedgerFailure extends WithoutStack {
  override readonly name = "LedgerFailure";
  readonly error: LedgerError;
  readonly occasion: Partial<ErrorOccasion>;
  /** A text beside the cause that goes to the log alone. */
  readonly reason: string | undefined;

  constructor(error: LedgerError, occasion: Partial<ErrorOccasion> = {}, reason?: string) {
    super(`${error.code}: ${error.cause}`);
    this.error = error;
    this.occasion = occasion;
    this.reason = reason;
  }
}

/** No answer at all: the connection is cut. */
export class HangUp extends Error {
  override readonly name = "HangUp";
}
