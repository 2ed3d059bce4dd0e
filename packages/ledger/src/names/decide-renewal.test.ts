import fc from "fast-check";
import { expect, test } from "vitest";
import { decideRenewal, type RenewalFacts } from "./decide-renewal.ts";

const due = 90_000_000n;
const content = {
  owner: "alice::1220aa",
  name: "alice.unverified.cns",
  url: "https://a",
  description: "Alice",
};
const entry = { ...content, cid: "entry", expiresAt: due };
const facts: RenewalFacts = {
  now: due - 1n,
  payment: { cid: "payment", round: 8n, thisPaymentDueAt: due, isLocked: true },
  context: { ...content, cid: "context" },
  entry,
  openRounds: [
    { number: 7n, cid: "round-7" },
    { number: 9n, cid: "round-9" },
    { number: 8n, cid: "round-8" },
  ],
  amuletRulesCid: "amulet-rules",
  ansRulesCid: "ans-rules",
};
const inClosedRound = { ...facts.payment, round: 6n };

/** The decision and its reason, such as "collect" or "return: round closed". */
function outcome(changes: Partial<RenewalFacts>): string {
  const decision = decideRenewal({ ...facts, ...changes });
  return decision.kind === "collect" ? "collect" : `${decision.kind}: ${decision.reason}`;
}

test("a payment in time is collected in its own round", () => {
  expect(decideRenewal(facts)).toEqual({
    kind: "collect",
    paymentCid: "payment",
    contextCid: "context",
    entryCid: "entry",
    amuletRulesCid: "amulet-rules",
    openMiningRoundCid: "round-8",
    ansRulesCid: "ans-rules",
  });
});

test("a payment whose round has closed is returned in the newest round", () => {
  expect(decideRenewal({ ...facts, payment: inClosedRound })).toEqual({
    kind: "return",
    reason: "round closed",
    paymentCid: "payment",
    amuletRulesCid: "amulet-rules",
    openMiningRoundCid: "round-9",
  });
});

test("any other returned payment names its own round", () => {
  expect(decideRenewal({ ...facts, now: due })).toMatchObject({
    kind: "return",
    openMiningRoundCid: "round-8",
  });
});

test.each([
  [due - 1n, "collect"],
  [due, "return: entry expired"],
  [due + 1n, "return: entry expired"],
])("a payment due at 90000000 is decided at %s: %s", (now, expected) => {
  expect(outcome({ now })).toBe(expected);
});

test.each([
  ["there is none", null],
  ["somebody else has it", { ...entry, owner: "bob::1220bb" }],
  ["it has another name", { ...entry, name: "bob.unverified.cns" }],
  ["it has another url", { ...entry, url: "https://b" }],
  ["it has another description", { ...entry, description: "Bob" }],
  ["it expires later than the payment is due", { ...entry, expiresAt: due + 1n }],
  ["it expires before the payment is due", { ...entry, expiresAt: due - 1n }],
])("a payment whose entry does not match (%s) is left until its round has closed", (_what, other) => {
  expect(outcome({ entry: other })).toBe("leave: entry missing or different");
});

test("a late payment is returned as expired, also when its entry has been removed or replaced", () => {
  expect(outcome({ now: due, entry: null })).toBe("return: entry expired");
  expect(outcome({ now: due, entry: { ...entry, expiresAt: 2n * due } })).toBe("return: entry expired");
});

test("a payment without a context is left alone while it could still be collected, and no longer", () => {
  expect(outcome({ context: null })).toBe("leave: no context");
  expect(outcome({ context: null, entry: null })).toBe("leave: no context");
  expect(outcome({ context: null, now: due })).toBe("return: entry expired");
  expect(outcome({ context: null, payment: inClosedRound })).toBe("return: round closed");
});

test("with no round to name a payment is left alone", () => {
  expect(outcome({ openRounds: [], now: due })).toBe("leave: no open round");
});

test("a payment to be returned for its time or round never becomes collectable again", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: due - 3n, max: due + 3n }),
      fc.bigInt({ min: 0n, max: 5n }),
      fc.bigInt({ min: 5n, max: 9n }),
      fc.bigInt({ min: 0n, max: 3n }),
      (now, pause, round, newRounds) => {
        const payment = { ...facts.payment, round };
        const laterRounds = [7n, 8n, 9n].map((number) => number + newRounds);
        const openRounds = laterRounds.map((number) => ({ number, cid: `round-${number}` }));
        if (decideRenewal({ ...facts, payment, now }).kind !== "return") return;
        expect(decideRenewal({ ...facts, payment, now: now + pause, openRounds }).kind).toBe("return");
      },
    ),
  );
});

test("a payment whose coin its owner has taken out is left alone, in time or late", () => {
  const payment = { ...facts.payment, isLocked: false };
  expect(outcome({ payment })).toBe("leave: coin gone");
  expect(outcome({ payment, now: due })).toBe("leave: coin gone");
  expect(outcome({ payment: { ...inClosedRound, isLocked: false } })).toBe("leave: coin gone");
});
