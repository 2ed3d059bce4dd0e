/** Submissions that a test expects to be rejected. */
import { expect } from "vitest";
import type { LedgerError } from "../src/errors/ledger-error.ts";
import { Rejection } from "./sandbox.ts";

/** The beginning of an abort's cause. */
export const GENERAL_ERROR =
  "Interpretation error: Error: User failure: " +
  "UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError (error category 9): ";

/** The error id of a failed `ensure`. */
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

/** A checked fetch of a contract that is not of the group it should be. */
export function expectOtherGroup(entity: string, submit: () => unknown): void {
  const { cause, context } = rejectionOf(submit);
  expect(cause).toMatch(
    new RegExp(
      `Contract group identifier mismatch: expected (For\\w+) \\{.+\\}, got \\1 \\{.+\\} for ${entity} `,
    ),
  );
  expect(context["error_id"]).toBe("UNHANDLED_EXCEPTION/DA.Exception.GeneralError:GeneralError");
}

/** The name is that of the deadline in the contract's check. */
export function expectTooEarly(name: string, submit: () => unknown): void {
  const { cause, context } = rejectionOf(submit);
  expect(cause).toContain(`Ledger time is strictly before deadline '${name}' at ${context["deadline"]}`);
  expect(context["error_id"]).toBe("stdlib.daml.com/deadline-not-exceeded");
}

export function expectTooLate(name: string, submit: () => unknown): void {
  const { cause, context } = rejectionOf(submit);
  expect(cause).toContain(`Ledger time is at or past deadline '${name}' at ${context["deadline"]}`);
  expect(context["error_id"]).toBe("stdlib.daml.com/deadline-exceeded");
}

export function expectUnauthorized(submit: () => unknown): void {
  expect(rejectionOf(submit).code).toBe("DAML_AUTHORIZATION_ERROR");
}

/** A contract that is archived, or that the submitter does not see. */
export function expectNotFound(submit: () => unknown): void {
  expect(rejectionOf(submit).code).toBe("CONTRACT_NOT_FOUND");
}

/** The same for a check that is called by itself, outside of a submission. */
export function expectUnmetBy(label: string, check: () => void): void {
  expect(check).toThrow(`The requirement '${label}' was not met.`);
}
