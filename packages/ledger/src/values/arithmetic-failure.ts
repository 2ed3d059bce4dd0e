/**
 * Raised by arithmetic that has no result (overflow, division by zero). The engine turns it into the
 * ledger's arithmetic failure; it never leaves an interpretation.
 */
export class ArithmeticFailure extends Error {
  override readonly name = "ArithmeticFailure";
}
