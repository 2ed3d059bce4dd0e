import { expect, test } from "vitest";
import { InterpretationFailure } from "../../engine/failure.ts";
import { addDuration, time } from "../../values/time.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "./deadline.ts";

const deadline = time("2026-01-01T00:00:00.120Z");
const [before, after] = [addDuration(deadline, -1n), addDuration(deadline, 1n)];

test.each([
  ["deadline-exceeded", requireWithinDeadline, "at or past", [deadline, after], [before]],
  ["deadline-not-exceeded", requireDeadlineExceeded, "strictly before", [before], [deadline, after]],
] as const)("%s is raised as Daml's standard library does", (id, check, where, failing, passing) => {
  for (const now of failing) {
    try {
      check("lock.expiresAt", now, deadline);
      expect.fail("it was accepted");
    } catch (error) {
      if (!(error instanceof InterpretationFailure)) throw error;
      expect(error.error).toMatchObject({
        code: "DAML_FAILURE",
        category: 9,
        cause:
          `Interpretation error: Error: User failure: stdlib.daml.com/${id} (error category 9): ` +
          `Ledger time is ${where} deadline 'lock.expiresAt' at 2026-01-01T00:00:00.120Z`,
        context: { error_id: `stdlib.daml.com/${id}`, deadline: "2026-01-01T00:00:00.120Z" },
      });
    }
  }
  for (const now of passing) expect(() => check("lock.expiresAt", now, deadline)).not.toThrow();
});
