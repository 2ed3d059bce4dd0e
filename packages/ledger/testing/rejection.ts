/** Submissions that a test expects to be rejected. */
import { expect } from "vitest";
import type { LedgerError } from "../src/errors/ledger-error.ts";
import { Rejection } from "./sandbox.ts";

/** What an `ensure` that does not hold is reported as. */
export const PRECONDITION_FAILED = "UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed";

export function rejectionOf(submit: () => unknown): LedgerError {
  let result: unknown;
  try {
    result = submit();
  } catch (error) {
    if (error instanceof Rejection) return error.error;
    throw error;
  }
  throw new Error(`the submission was accepted: ${String(result)}`);
}

/** The label is that of the contract's check, to the letter. */
export function expectUnmet(label: string, submit: () => unknown): void {
  const { code, cause } = rejectionOf(submit);
  expect({ code, cause: cause.replace(/^.*(?=The requirement)/, "") }).toEqual({
    code: "DAML_FAILURE",
    cause: `The requirement '${label}' was not met.`,
  });
}

export function expectUnauthorized(submit: () => unknown): void {
  expect(rejectionOf(submit).code).toBe("DAML_AUTHORIZATION_ERROR");
}

/** A contract that is archived, or that the submitter does not see. */
export function expectNotFound(submit: () => unknown): void {
  expect(rejectionOf(submit).code).toBe("CONTRACT_NOT_FOUND");
}
