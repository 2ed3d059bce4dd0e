import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { expectOtherGroup, expectTooEarly, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MICROSECOND, MINUTE } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { addDuration } from "../../values/time.ts";
import { AmuletPriceVote } from "./declarations/sv-state.ts";

test("four SVs vote 1 to 4, one of them changes to 5 once it may, and the next round opens at 3.5", () => {
  const network = new DsoFixture({ amuletPrice: decimal("1.0") });
  network.svs.forEach((sv, i) => {
    network.vote(sv, `${i + 1}.0`);
  });
  const sv1 = network.sv(0);
  network.sandbox.advance(MINUTE - MICROSECOND);
  expectTooEarly(`voteCooldownTime for ${sv1}`, () => network.vote(sv1, "5.0"));
  network.sandbox.advance(MICROSECOND);
  network.vote(sv1, "5.0");
  const { openRound } = network.advanceRounds({ sv: sv1 });
  const newest = network.openRounds().at(-1);
  expect(newest?.contractId).toBe(openRound);
  expect(newest?.payload.amuletPrice).toBe(decimal("3.5"));
  // The rounds before keep the price they opened with.
  expect(network.openRounds()[0]?.payload.amuletPrice).toBe(decimal("1.0"));
});

describe("surplus price votes", () => {
  interface Rubbish {
    readonly nonSvVoteCids?: readonly ContractId[];
    readonly duplicateVoteCids?: readonly (readonly ContractId[])[];
  }
  const collect = (network: DsoFixture, { nonSvVoteCids = [], duplicateVoteCids = [] }: Rubbish) =>
    network.bySv("DsoRules_GarbageCollectAmuletPriceVotes", { nonSvVoteCids, duplicateVoteCids });

  const voteOf = (network: DsoFixture, sv: PartyId): ContractId => {
    const found = network.votes().find(({ payload }) => payload.sv === sv);
    if (found === undefined) throw new Error(`${sv} has no vote`);
    return found.contractId;
  };

  /** Another vote of the SV, that many minutes younger than its own. */
  function duplicate(network: DsoFixture, sv: PartyId, minutes: bigint, dso = network.dso): ContractId {
    const { payload } = network.votes().find((vote) => vote.payload.sv === sv) ?? { payload: undefined };
    if (payload === undefined) throw new Error(`${sv} has no vote`);
    const lastUpdatedAt = addDuration(payload.lastUpdatedAt, minutes * MINUTE);
    return network.sandbox.create(AmuletPriceVote, { ...payload, dso, lastUpdatedAt }, { actAs: [dso] });
  }

  test("of an SV that left are removed, so that rounds can open", () => {
    const network = new DsoFixture();
    const gone = network.sv(3);
    network.offboardSv(gone);
    expectUnmet("Every sv voted exactly once", () => network.advanceRounds());
    collect(network, { nonSvVoteCids: [voteOf(network, gone)] });
    expect(network.votes()).toHaveLength(3);
    network.advanceRounds();
  });

  test("are refused as such if they are votes of an SV", () => {
    const network = new DsoFixture();
    const nonSvVoteCids = [voteOf(network, network.sv(2))];
    expectUnmet("SV is no sv", () => collect(network, { nonSvVoteCids }));
  });

  test("are the older ones of an SV that has several", () => {
    const network = new DsoFixture();
    const sv = network.sv(1);
    const own = voteOf(network, sv);
    const [older, newer] = [duplicate(network, sv, -1n), duplicate(network, sv, 2n)];
    expectUnmet("Every sv voted exactly once", () => network.advanceRounds());
    collect(network, { duplicateVoteCids: [[older, newer, own]] });
    const { isActive } = network.sandbox;
    expect([own, older, newer].map((cid) => isActive.call(network.sandbox, cid))).toEqual([
      false,
      false,
      true,
    ]);
    network.advanceRounds();
  });

  test("of equal age leave the one that is named first", () => {
    const network = new DsoFixture();
    const sv = network.sv(1);
    const [own, twin] = [voteOf(network, sv), duplicate(network, sv, 0n)];
    collect(network, { duplicateVoteCids: [[twin, own]] });
    expect(voteOf(network, sv)).toBe(twin);
  });

  test("are named once each, at least two, of one SV, of this DSO", () => {
    const network = new DsoFixture();
    const [sv, other] = [network.sv(1), network.sv(2)];
    const own = voteOf(network, sv);
    const twin = duplicate(network, sv, 1n);
    const collectAll = (...cids: readonly ContractId[]) => collect(network, { duplicateVoteCids: [cids] });
    expectUnmet("Unique references to duplicates", () => collectAll(own, twin, own));
    expect(rejectionOf(() => collectAll()).cause).toMatch(/: empty list of duplicate votes$/);
    expect(rejectionOf(() => collectAll(own)).cause).toMatch(/: singleton list of duplicate votes$/);
    expectUnmet("SV of duplicate matches", () => collectAll(own, voteOf(network, other)));
    const forged = duplicate(network, sv, 5n, network.sv(0));
    expectOtherGroup("AmuletPriceVote", () => collectAll(own, forged));
  });

  test("that are duplicates must be votes of an SV", () => {
    const network = new DsoFixture();
    const gone = network.sv(3);
    const pair = [voteOf(network, gone), duplicate(network, gone, 1n)];
    network.offboardSv(gone);
    expectUnmet("SV is a sv", () => collect(network, { duplicateVoteCids: [pair] }));
    collect(network, { nonSvVoteCids: pair });
    expect(network.votes().map(({ payload }) => payload.sv)).not.toContain(gone);
  });

  test("are removed by SVs only", () => {
    const network = new DsoFixture();
    const outsider = testParty("outsider");
    const argument = { nonSvVoteCids: [], duplicateVoteCids: [] };
    expectUnmet("SV party is an actual SV", () =>
      network.bySv("DsoRules_GarbageCollectAmuletPriceVotes", argument, outsider),
    );
  });
});
