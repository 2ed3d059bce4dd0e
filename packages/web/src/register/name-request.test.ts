import type { NameRequest } from "@callsign/api";
import { expect, test } from "vitest";
import { findRequestOf, isOpen, stepsOf } from "./name-request.ts";

const REQUESTED = "2026-01-01T00:00:00Z";
const PAID = "2026-01-01T00:01:00Z";
const ENDED = "2026-01-01T00:02:00Z";

function make(given: Partial<NameRequest>): NameRequest {
  return {
    id: "00",
    purpose: "purchase",
    name: "alice.unverified.cns",
    url: "",
    description: "",
    requestedAt: REQUESTED,
    state: "waiting_for_payment",
    reason: null,
    explanation: "",
    endedAt: null,
    payment: null,
    refund: null,
    ...given,
  };
}

const payment = { amount: "200.0000000000", at: PAID, updateId: "u" };

test.each([
  ["waiting_for_payment", {}, ["done", "now", "later", "later"]],
  ["paid", { payment }, ["done", "done", "now", "later"]],
  ["requested", { purpose: "take_up" }, ["done", "done", "now", "later"]],
  ["registered", { payment, endedAt: ENDED }, ["done", "done", "done", "done"]],
  ["given_back", { payment, endedAt: ENDED }, ["done", "done", "failed", "later"]],
  ["expired", { payment, endedAt: ENDED }, ["done", "done", "failed", "later"]],
  ["refused", { endedAt: ENDED }, ["done", "done", "failed", "later"]],
  ["rejected", { endedAt: ENDED }, ["done", "failed", "later", "later"]],
  ["withdrawn", { endedAt: ENDED }, ["done", "failed", "later", "later"]],
] as const)("a request that is %s", (state, given, states) => {
  expect(stepsOf(make({ ...given, state })).map((step) => step.state)).toEqual(states);
});

test("a wait says since when it lasts", () => {
  expect(stepsOf(make({}))[1]?.since).toBe(REQUESTED);
  expect(stepsOf(make({ state: "paid", payment }))[2]?.since).toBe(PAID);
});

test("an open request of a name comes before a newer one that has ended", () => {
  const ended = make({ id: "2", state: "rejected" });
  const open = make({ id: "1" });
  const other = make({ id: "3", name: "bob.unverified.cns" });
  expect(findRequestOf(open.name, [other, ended, open])?.id).toBe("1");
  expect(findRequestOf(open.name, [other, ended])?.id).toBe("2");
  expect(findRequestOf(open.name, [other])).toBeNull();
  expect(isOpen(ended)).toBe(false);
});
