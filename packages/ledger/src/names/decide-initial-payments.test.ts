import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decideInitialPayments,
  type InitialPaymentFacts,
  type PendingInitialPayment,
} from "./decide-initial-payments.ts";

const now = 1_000_000n;

function payment(
  id: string,
  changes: { round?: bigint; url?: string; description?: string; isLocked?: boolean } = {},
): PendingInitialPayment {
  const { round = 8n, url = "", description = "", isLocked = true } = changes;
  return {
    paymentCid: `payment-${id}`,
    round,
    isLocked,
    context: { cid: `context-${id}`, url, description },
  };
}

function facts(payments: readonly PendingInitialPayment[], changes: Partial<InitialPaymentFacts> = {}) {
  return {
    name: "alice.unverified.cns",
    acronym: "cns",
    now,
    payments,
    openRounds: [
      { number: 7n, cid: "round-7" },
      { number: 8n, cid: "round-8" },
      { number: 9n, cid: "round-9" },
    ],
    entry: null,
    amuletRulesCid: "amulet-rules",
    ansRulesCid: "ans-rules",
    ...changes,
  };
}

/** For each payment what happens and why, such as "collect" or "reject: round closed". */
function outcomes(given: InitialPaymentFacts): string[] {
  return decideInitialPayments(given).map((decision) =>
    decision.kind === "collect" ? "collect" : `${decision.kind}: ${decision.reason}`,
  );
}

test("a payment alone is collected in its own round", () => {
  expect(decideInitialPayments(facts([payment("a")]))).toEqual([
    {
      kind: "collect",
      paymentCid: "payment-a",
      contextCid: "context-a",
      amuletRulesCid: "amulet-rules",
      openMiningRoundCid: "round-8",
      ansRulesCid: "ans-rules",
    },
  ]);
});

test("a payment whose round has closed goes back by way of the newest round", () => {
  expect(decideInitialPayments(facts([payment("a", { round: 6n })]))).toEqual([
    {
      kind: "reject",
      reason: "round closed",
      message: "The coin was locked in round 6, which has closed.",
      paymentCid: "payment-a",
      contextCid: "context-a",
      amuletRulesCid: "amulet-rules",
      openMiningRoundCid: "round-9",
      ansRulesCid: "ans-rules",
    },
  ]);
});

test("any other rejection names the payment's own round, so that a new round changes nothing", () => {
  const [decision] = decideInitialPayments(facts([payment("a", { round: 7n, url: "nowhere" })]));
  expect(decision).toMatchObject({ kind: "reject", openMiningRoundCid: "round-7" });
});

test("each fault has its reason, and of several the first in the order of the checks counts", () => {
  const badUrl = { url: "nowhere" };
  const badText = { description: "d".repeat(141) };
  const dotted = { name: "a.b.unverified.cns" };
  const live = { entry: { expiresAt: now } };
  const all = { ...badUrl, ...badText };
  expect(outcomes(facts([payment("a", { ...all, round: 6n })], { ...dotted, ...live }))).toEqual([
    "reject: round closed",
  ]);
  expect(outcomes(facts([payment("a", all)], { ...dotted, ...live }))).toEqual(["reject: invalid name"]);
  expect(outcomes(facts([payment("a", all)], live))).toEqual(["reject: invalid url"]);
  expect(outcomes(facts([payment("a", badText)], live))).toEqual(["reject: invalid description"]);
  expect(outcomes(facts([payment("a"), payment("b")], live))).toEqual([
    "reject: name taken",
    "reject: name taken",
  ]);
});

test.each([
  ["45 characters", "a".repeat(45), "collect"],
  ["46 characters", "a".repeat(46), "reject: invalid name"],
  ["a capital letter", "Alice", "reject: invalid name"],
])("a label with %s: %s → %s", (_what, label, outcome) => {
  expect(outcomes(facts([payment("a")], { name: `${label}.unverified.cns` }))).toEqual([outcome]);
});

test("the name counts under the network's acronym", () => {
  expect(outcomes(facts([payment("a")], { acronym: "ANS" }))).toEqual(["reject: invalid name"]);
  expect(outcomes(facts([payment("a")], { acronym: "ANS", name: "alice.unverified.ans" }))).toEqual([
    "collect",
  ]);
});

test.each([
  [now + 1n, "reject: name taken"],
  [now, "reject: name taken"],
  [now - 1n, "collect"],
])("at 1000000 an entry that expires at %s: %s", (expiresAt, outcome) => {
  expect(outcomes(facts([payment("a")], { entry: { expiresAt } }))).toEqual([outcome]);
});

test("of several good payments the earliest gets the name", () => {
  const given = facts([payment("b", { round: 9n }), payment("a", { round: 7n }), payment("c")]);
  expect(outcomes(given)).toEqual(["collect", "reject: earlier payment", "reject: earlier payment"]);
  expect(decideInitialPayments(given)[2]).toMatchObject({
    message: 'Name "alice.unverified.cns" goes to an earlier payment, payment-b.',
  });
});

test("an earlier payment that can't be collected itself does not stand in the way", () => {
  const noContext: PendingInitialPayment = {
    paymentCid: "payment-n",
    round: 8n,
    isLocked: true,
    context: null,
  };
  const given = [
    payment("a", { round: 6n }),
    payment("b", { url: "nowhere" }),
    noContext,
    payment("u", { isLocked: false }),
    payment("c"),
    payment("d"),
  ];
  expect(outcomes(facts(given))).toEqual([
    "reject: round closed",
    "reject: invalid url",
    "leave: no context",
    "leave: coin gone",
    "collect",
    "reject: earlier payment",
  ]);
});

test("without a context, or with no round to name, a payment is left alone", () => {
  const noContext = { ...payment("a", { round: 6n }), context: null };
  expect(decideInitialPayments(facts([noContext]))).toEqual([
    { kind: "leave", paymentCid: "payment-a", reason: "no context" },
  ]);
  expect(outcomes(facts([payment("a")], { openRounds: [] }))).toEqual(["leave: no open round"]);
  expect(outcomes(facts([]))).toEqual([]);
});

const anyPayment: fc.Arbitrary<PendingInitialPayment> = fc.record({
  paymentCid: fc.uuid(),
  round: fc.bigInt({ min: 5n, max: 10n }),
  isLocked: fc.boolean(),
  context: fc.option(
    fc.record({
      cid: fc.uuid(),
      url: fc.constantFrom("", "https://example.com", "nowhere"),
      description: fc.constantFrom("", "d".repeat(141)),
    }),
  ),
});
const anyEntry = fc.option(fc.record({ expiresAt: fc.bigInt({ min: now - 1n, max: now + 1n }) }));

test("at most one payment is collected, and none while an entry of the name is visible", () => {
  fc.assert(
    fc.property(fc.array(anyPayment), anyEntry, (payments, entry) => {
      const collected = outcomes(facts(payments, { entry })).filter(
        (outcome) => outcome === "collect",
      ).length;
      expect(collected).toBeLessThanOrEqual(entry !== null && entry.expiresAt >= now ? 0 : 1);
    }),
  );
});

test("a later payment never changes the decision on an earlier one", () => {
  fc.assert(
    fc.property(fc.array(anyPayment), fc.array(anyPayment), (earlier, later) => {
      const both = decideInitialPayments(facts([...earlier, ...later]));
      expect(both.slice(0, earlier.length)).toEqual(decideInitialPayments(facts(earlier)));
    }),
  );
});

test("the order in which the rounds are listed does not matter", () => {
  fc.assert(
    fc.property(fc.array(anyPayment), (payments) => {
      const given = facts(payments);
      const reversed = { ...given, openRounds: given.openRounds.toReversed() };
      expect(decideInitialPayments(reversed)).toEqual(decideInitialPayments(given));
    }),
  );
});

test("a payment whose coin its owner has taken out is left alone, whatever else is wrong with it", () => {
  expect(outcomes(facts([payment("a", { isLocked: false, round: 6n, url: "nowhere" })]))).toEqual([
    "leave: coin gone",
  ]);
});
