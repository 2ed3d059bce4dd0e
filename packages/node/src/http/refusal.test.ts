import { ledgerError } from "@callsign/ledger";
import { expect, test } from "vitest";
import { LedgerFailure, Refusal } from "./refusal.ts";

test("refusals are made without a stack, and other errors keep theirs", () => {
  const failure = new LedgerFailure(ledgerError("PARTICIPANT_BACKPRESSURE", "too many"));
  expect(failure.stack).not.toMatch(/^\s+at /m);
  expect(new Refusal({ status: 429, headers: {}, body: "later" }).stack).not.toMatch(/^\s+at /m);
  expect(new Error("a defect").stack).toMatch(/^\s+at /m);
});
