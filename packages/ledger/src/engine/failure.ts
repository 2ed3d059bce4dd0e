/**
 * Failures of contract code: the whole transaction fails with a ledger error. The exception is private to the
 * engine and the contracts; `interpret` turns it into an outcome.
 */
import { type DamlFailureId, damlFailures } from "../errors/daml-failure.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";

export class InterpretationFailure extends Error {
  override readonly name = "InterpretationFailure";
  readonly error: LedgerError;

  constructor(error: LedgerError, options?: { readonly cause: unknown }) {
    super(error.cause, options);
    this.error = error;
  }
}

export function contractError(
  errorId: DamlFailureId,
  message: string,
  metadata: Readonly<Record<string, string>> = {},
): LedgerError {
  const { category } = damlFailures[errorId];
  return ledgerError(
    "DAML_FAILURE",
    `Interpretation error: Error: User failure: ${errorId} (error category ${category}): ${message}`,
    { category, context: { error_id: errorId, ...metadata } },
  );
}

/** A failure that a contract names itself, with the metadata its clients read. */
export function fail(
  errorId: DamlFailureId,
  message: string,
  metadata?: Readonly<Record<string, string>>,
): never {
  throw new InterpretationFailure(contractError(errorId, message, metadata));
}

/** Daml's `abort`, `fail` and `error`. */
export function abort(message: string): never {
  return fail("UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError", message);
}

/** An assertion with a label; its failure reads as clients of Splice know it. */
export function requireThat(label: string, condition: boolean): asserts condition {
  if (condition) return;
  fail(
    "UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed",
    `The requirement '${label}' was not met.`,
  );
}
