import { describe, expect, test } from "vitest";
import { testParty } from "../../testing/sandbox.ts";
import { MICROSECOND } from "../values/duration.ts";
import { addDuration, time } from "../values/time.ts";
import { pickSvRewardRound, shareSvWeight } from "./receive-sv-rewards.ts";

const now = time("2026-01-01T00:00:00Z");
const round = (number: bigint, opensAt = now) => ({ round: { number }, opensAt });

describe("the round that an SV receives rewards for", () => {
  test.each([
    [-1n, 3n],
    [2n, 3n],
    [3n, 4n],
    [4n, undefined],
    [9n, undefined],
  ])("after round %i, of rounds 3 and 4 and one that opens later, is %s", (last, picked) => {
    const rounds = [round(5n, addDuration(now, MICROSECOND)), round(4n), round(3n)];
    expect(pickSvRewardRound(rounds, last, now)?.round.number).toBe(picked);
  });

  test("may be the one that opens at this very moment, and no later one", () => {
    const opensAt = addDuration(now, MICROSECOND);
    expect(pickSvRewardRound([round(5n, opensAt)], 4n, now)).toBeUndefined();
    expect(pickSvRewardRound([round(5n, opensAt)], 4n, opensAt)?.round.number).toBe(5n);
  });
});

describe("an SV's weight", () => {
  const [sv, alice, bob] = [testParty("sv"), testParty("alice"), testParty("bob")];
  const share = (beneficiary: typeof sv, weight: bigint) => ({ beneficiary, weight });

  test.each([
    ["all its own without beneficiaries", 10n, [], [share(sv, 10n)]],
    ["its own where the others leave something", 10n, [share(alice, 3n)], [share(alice, 3n), share(sv, 7n)]],
    ["all given away if they leave nothing", 10n, [share(alice, 10n)], [share(alice, 10n)]],
    [
      "cut where it does not suffice",
      10n,
      [share(alice, 8n), share(bob, 5n)],
      [share(alice, 8n), share(bob, 2n)],
    ],
    ["gone for those who come too late", 10n, [share(alice, 11n), share(bob, 5n)], [share(alice, 10n)]],
    [
      "added for who is named twice",
      10n,
      [share(alice, 2n), share(alice, 3n)],
      [share(alice, 5n), share(sv, 5n)],
    ],
    [
      "the SV's even if it names itself",
      10n,
      [share(sv, 4n), share(alice, 1n)],
      [share(sv, 9n), share(alice, 1n)],
    ],
    ["no share of zero", 10n, [share(alice, 0n)], [share(sv, 10n)]],
    ["nobody's if there is none", 0n, [share(alice, 1n)], []],
  ])("is %s", (_, weight, beneficiaries, shares) => {
    expect(shareSvWeight(sv, weight, beneficiaries)).toEqual(shares);
    expect(shares.reduce((total, { weight: part }) => total + part, 0n)).toBe(weight);
  });
});
