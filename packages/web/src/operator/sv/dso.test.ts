import { expect, test } from "vitest";
import { listSvs, readLicense, readPriceVote } from "./dso.ts";

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
