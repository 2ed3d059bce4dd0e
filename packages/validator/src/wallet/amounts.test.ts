import type { ContractId, PartyId } from "@callsign/ledger";
import { decimal, formatDecimal, holdingFee, time } from "@callsign/ledger";
import { describe, expect, test } from "vitest";
import { checkEntry } from "../entries/create-entry.ts";
import { formatEntry } from "../entries/list-entries.ts";
import { rejectionOf } from "../routes/rejections.ts";
import { coinFor } from "./tap.ts";

/** The answer to a use case that throws. */
function rejectionFor(use: () => unknown): unknown {
  try {
    return use();
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection === null) throw error;
    return { status: rejection.status, ...JSON.parse(rejection.body) };
  }
}

test.each([
  ["5", "0.005", "1000.0000000000"],
  ["1", "0.3", "3.3333333334"],
  ["0.0000000001", "0.005", "0.0000000200"],
  ["0.0000000001", "1000.0", "0.0000000001"],
  ["9999999999999999999999999999", "1.0", "9999999999999999999999999999.0000000000"],
])("a tap of %s dollars at %s each is %s coin: rounded up in the tenth place", (usd, price, coin) => {
  expect(formatDecimal(coinFor(decimal(usd), decimal(price)))).toBe(coin);
});

test("a tap of more coin than an amount can hold is refused with 400", () => {
  const tap = () => coinFor(decimal("9999999999999999999999999999"), decimal("0.005"));
  expect(rejectionFor(tap)).toEqual({ status: 400, error: expect.stringMatching(/ask for less/) });
});

test.each([
  [28n, "0.0000000000"],
  [27n, "0.0000000000"],
  [29n, "0.0038051800"],
  [38n, "0.0380518000"],
  [1_000_000n, "200.0000000000"],
])("the holding fee of a coin of round 28 in round %i", (round, fee) => {
  const amount = {
    initialAmount: decimal("200.0"),
    createdAt: { number: 28n },
    ratePerRound: { rate: decimal("0.00380518") },
  };
  expect(formatDecimal(holdingFee(amount as Parameters<typeof holdingFee>[0], round))).toBe(fee);
});

test("an entry of the list has its times in two units, all as texts, and a wrapped contract id", () => {
  const contractId = `00${"3".repeat(64)}ca101220${"3".repeat(64)}` as ContractId;
  const party = `alice::1220${"ab".repeat(32)}` as PartyId;
  const entry = {
    contractId,
    payload: {
      user: party,
      dso: party,
      name: "alice.unverified.cns",
      url: "https://alice.example",
      description: "",
      expiresAt: time("2025-03-12T01:56:28.974046Z"),
    },
  };
  const terms = {
    paymentAmount: { amount: decimal("1"), unit: "USDUnit" as const },
    paymentInterval: { microseconds: 7_776_000_000_000n },
    paymentDuration: { microseconds: 2_592_000_000_000n },
  };
  const shown = formatEntry(entry, terms as Parameters<typeof formatEntry>[1], null, true);
  expect(shown).toEqual({
    contractId: `ContractId(${contractId})`,
    name: "alice.unverified.cns",
    amount: "1.0000000000",
    unit: "USDUNIT",
    expiresAt: "1741744588974",
    paymentInterval: "7776000000000",
    paymentDuration: "2592000000000",
    url: "https://alice.example",
    description: "",
    state: "cancelled",
    autoRenewal: false,
    nextPaymentFrom: null,
    nextPaymentDueAt: null,
    primary: true,
  });
});

describe("a request for a name", () => {
  const request = { name: "alice", url: "", description: "" };

  test.each([
    ["alice", "alice.unverified.cns"],
    ["alice.unverified.cns", "alice.unverified.cns"],
    ["a".repeat(45), `${"a".repeat(45)}.unverified.cns`],
  ])("%s is completed", (name, full) => {
    expect(checkEntry({ ...request, name }, "cns").name).toBe(full);
  });

  test.each([
    ["an empty name", { name: "" }],
    ["capital letters", { name: "Alice" }],
    ["a dot", { name: "al.ice" }],
    ["another network's suffix", { name: "alice.unverified.ans" }],
    ["46 characters", { name: "a".repeat(46) }],
    ["U+0000 in the name", { name: "a\u0000" }],
    ["a relative url", { url: "/alice" }],
    ["a script", { url: "javascript:alert(1)" }],
    ["256 characters of url", { url: `https://example.com/${"a".repeat(236)}` }],
    ["141 characters of description", { description: "a".repeat(141) }],
    ["U+0000 in the description", { description: "a\u0000b" }],
    ["half a character in the description", { description: "a\ud800b" }],
  ])("with %s is refused with 400, in a sentence", (_, change) => {
    const rejection = rejectionFor(() => checkEntry({ ...request, ...change }, "cns"));
    expect(rejection).toEqual({ status: 400, error: expect.stringMatching(/.+\.$/) });
  });
});
