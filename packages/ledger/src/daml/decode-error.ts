/**
 * Why a JSON form is not a value of its type, and where: `payData.paymentAmount.amount`, `inputs[3].tag`,
 * `meta.values["some key"]`. It is thrown inside this folder and by `decode`/`fromJson`; the callers at the
 * package's edge catch it.
 */
export type DecodeProblem = "invalid" | "missing-field" | "unexpected-field" | "malformed-text";

export interface DecodeErrorDetails {
  readonly problem?: DecodeProblem;
  readonly path?: string;
  readonly cause?: unknown;
}

export class DecodeError extends Error {
  override readonly name = "DecodeError";
  readonly path: string;
  readonly reason: string;
  readonly problem: DecodeProblem;

  constructor(reason: string, details: DecodeErrorDetails = {}) {
    const { problem = "invalid", path = "" } = details;
    super(path === "" ? reason : `${reason} at '${path}'`, details);
    this.reason = reason;
    this.problem = problem;
    this.path = path;
  }
}

/** The same failure, seen from one level further out. Anything else passes unchanged. */
export function inside(segment: string | number, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const head = typeof segment === "number" ? `[${segment}]` : segment;
  const glue = error.path === "" || error.path.startsWith("[") ? "" : ".";
  const { reason, problem, cause } = error;
  return new DecodeError(reason, { problem, path: `${head}${glue}${error.path}`, cause });
}
