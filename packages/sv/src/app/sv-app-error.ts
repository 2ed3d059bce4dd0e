/** A request to the SV app that cannot be done, by its cause. `rejections.ts` gives each cause its status. */
export type SvAppFault =
  | "invalid request"
  | "secret refused"
  | "not found"
  /** The ledger does not show it yet: the caller may try again. */
  | "not yet"
  | "limit reached"
  | "not for development"
  /** The network has not answered, the SV is not ready, or other SVs were faster: the caller may try again. */
  | "try again"
  | "ledger refused";

export class SvAppError extends Error {
  override readonly name = "SvAppError";
  readonly fault: SvAppFault;

  constructor(fault: SvAppFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

export function invalidRequest(message: string): SvAppError {
  return new SvAppError("invalid request", message);
}

/** The user's token is valid, but the user does not operate the SV. */
export class NotAnOperator extends Error {
  override readonly name = "NotAnOperator";
  readonly user: string;

  constructor(user: string) {
    super(`${user} does not operate the SV`);
    this.user = user;
  }
}
