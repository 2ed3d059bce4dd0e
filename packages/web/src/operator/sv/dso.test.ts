import { voteCooldown } from "@callsign/ledger";
import { expect, test } from "vitest";
import { findNodeUrls, listSvs, nextVoteAfter, readLicense, readPriceVote } from "./dso.ts";

const sv = (name: string) => [
  `${name}::12`,
  { name, joinedAsOfRound: { number: "3" }, svRewardWeight: "10000", participantId: "PAR::x::12" },
];

test("SVs are listed by name, numbers in their order", () => {
  expect(listSvs({ svs: [sv("sv-10"), sv("sv-2")] })).toEqual([
    { party: "sv-2::12", name: "sv-2", joinedRound: "3", weight: "10000" },
    { party: "sv-10::12", name: "sv-10", joinedRound: "3", weight: "10000" },
  ]);
  expect(listSvs(null)).toEqual([]);
});

test("an SV's node is found by its party, with the places that it has published", () => {
  const node = { scan: { publicUrl: "http://a" }, sequencer: { url: "http://b" }, mediator: null };
  const states = [
    { sv: "a::12", state: { synchronizerNodes: [["global::12", node]] } },
    { sv: "b::12", state: null },
  ];
  expect(findNodeUrls(states, "a::12")).toEqual({ scan: "http://a", sequencer: "http://b" });
  for (const sv of ["b::12", "c::12"]) expect(findNodeUrls(states, sv)).toEqual({ scan: "", sequencer: "" });
});

test("an SV without a vote on the price has none", () => {
  expect(readPriceVote({ sv: "a::12", amuletPrice: null, lastUpdatedAt: "2027-01-01T00:00:00Z" })).toEqual({
    ...{ sv: "a::12", price: null, updatedAt: "2027-01-01T00:00:00Z" },
  });
});

test("a license without metadata reads as empty", () => {
  expect(readLicense({ validator: "v::12", sponsor: "s::12", metadata: null, faucetState: null })).toEqual({
    ...{
      validator: "v::12",
      sponsor: "s::12",
      version: "",
      contactPoint: "",
      lastRound: "",
      lastActiveAt: null,
    },
  });
});

test("an SV votes again after the pause that the rules name, or the ledger's where they name none", () => {
  const votedAt = "2027-01-01T00:00:00Z";
  const rules = { config: { voteCooldownTime: { microseconds: "120000000" } } };
  expect(nextVoteAfter(votedAt, rules)).toBe("2027-01-01T00:02:00.000Z");
  const pause = Date.parse(nextVoteAfter(votedAt, { config: null })) - Date.parse(votedAt);
  expect(BigInt(pause) * 1000n).toBe(voteCooldown({ voteCooldownTime: null }));
});
