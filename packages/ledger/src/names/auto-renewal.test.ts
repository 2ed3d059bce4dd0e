import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY } from "../values/duration.ts";
import { type AutoRenewalFacts, decideAutoRenewal } from "./auto-renewal.ts";

const facts: AutoRenewalFacts = {
  now: 0n,
  nextPaymentDueAt: 90n * DAY,
  paymentDuration: 30n * DAY,
  autoRenew: true,
  entryExpired: false,
};

test.each([
  { when: "at registration", now: 0n, decision: { kind: "wait", from: 60n * DAY } },
  { when: "just before day 60", now: 60n * DAY - 1n, decision: { kind: "wait", from: 60n * DAY } },
  { when: "on day 60", now: 60n * DAY, decision: { kind: "pay" } },
  { when: "just before the due date", now: 90n * DAY - 1n, decision: { kind: "pay" } },
  { when: "at the due date", now: 90n * DAY, decision: { kind: "never", reason: "due date passed" } },
  { when: "after it", now: 91n * DAY, decision: { kind: "never", reason: "due date passed" } },
])("automatic renewal $when: $decision.kind", ({ now, decision }) => {
  expect(decideAutoRenewal({ ...facts, now })).toEqual(decision);
});

test("nothing is paid with auto-renewal off, nor for an entry that has expired", () => {
  const inWindow = { ...facts, now: 70n * DAY };
  expect(decideAutoRenewal({ ...inWindow, autoRenew: false })).toEqual({
    kind: "never",
    reason: "auto-renewal off",
  });
  expect(decideAutoRenewal({ ...inWindow, entryExpired: true })).toEqual({
    kind: "never",
    reason: "entry expired",
  });
});

test("a window as long as the lifetime or longer is open at once", () => {
  expect(decideAutoRenewal({ ...facts, paymentDuration: 90n * DAY })).toEqual({ kind: "pay" });
  expect(decideAutoRenewal({ ...facts, paymentDuration: 200n * DAY })).toEqual({ kind: "pay" });
});

test("the decision is to pay at the announced time, and to wait a microsecond earlier", () => {
  const time = fc.bigInt({ min: 0n, max: 200n });
  fc.assert(
    fc.property(time, time, fc.bigInt({ min: 1n, max: 200n }), (now, nextPaymentDueAt, paymentDuration) => {
      const decision = decideAutoRenewal({ ...facts, now, nextPaymentDueAt, paymentDuration });
      if (decision.kind !== "wait") return;
      const at = (time: bigint) =>
        decideAutoRenewal({ ...facts, now: time, nextPaymentDueAt, paymentDuration }).kind;
      expect(decision.from).toBeGreaterThan(now);
      expect(at(decision.from)).toBe("pay");
      expect(at(decision.from - 1n)).toBe("wait");
    }),
  );
});
