import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  expectUnauthorized,
  expectUnmet,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../testing/rejection.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import { decimal, formatDecimal } from "../../values/decimal.ts";
import { MICROSECOND, MINUTE } from "../../values/duration.ts";
import { relTime } from "../rel-time.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { AmuletPriceVote } from "./declarations/sv-state.ts";

function voteOf(network: DsoFixture, index: number) {
  const vote = network.votes().find(({ payload }) => payload.sv === network.sv(index));
  if (vote === undefined) throw new Error(`SV ${index} has no vote`);
  return vote;
}

function newestPrice(network: DsoFixture): string {
  return formatDecimal(network.openRounds().at(-1)?.payload.amuletPrice ?? decimal("0.0"));
}

describe("changing a price vote", () => {
  test("replaces it, and dates it", () => {
    const network = new DsoFixture();
    const before = voteOf(network, 2);
    const cid = network.vote(network.sv(2), "0.007");
    expect(network.sandbox.isActive(before.contractId)).toBe(false);
    expect(network.sandbox.payloadOf(AmuletPriceVote, cid)).toEqual({
      dso: network.dso,
      sv: network.sv(2),
      amuletPrice: decimal("0.007"),
      lastUpdatedAt: network.sandbox.now,
    });
    expect(network.votes()).toHaveLength(4);
  });

  test("waits a minute after the change before", () => {
    const network = new DsoFixture();
    const sv = network.sv(0);
    network.vote(sv, "0.007");
    network.sandbox.advance(MINUTE - MICROSECOND);
    expectTooEarly(`voteCooldownTime for ${sv}`, () => network.vote(sv, "0.008"));
    network.sandbox.advance(MICROSECOND);
    network.vote(sv, "0.008");
    expect(voteOf(network, 0).payload.amuletPrice).toBe(decimal("0.008"));
  });

  test("waits for the cooldown of DsoRules, if one is configured", () => {
    const network = new DsoFixture();
    const { dso, sandbox } = network;
    const { payload } = network.only(DsoRules);
    const patient = sandbox.create(
      DsoRules,
      { ...payload, config: { ...payload.config, voteCooldownTime: relTime(2n * MINUTE) } },
      { actAs: [dso] },
    );
    const sv = network.sv(0);
    const change = () => {
      const argument = { sv, voteCid: voteOf(network, 0).contractId, amuletPrice: decimal("0.007") };
      sandbox.exercise(DsoRules, patient, "DsoRules_UpdateAmuletPriceVote", argument, network.asSv());
    };
    // The vote was dated back by a minute when its SV joined.
    sandbox.advance(MINUTE - MICROSECOND);
    expectTooEarly(`voteCooldownTime for ${sv}`, change);
    sandbox.advance(MICROSECOND);
    change();
  });

  test("fails for another SV's vote", () => {
    const network = new DsoFixture();
    const argument = { voteCid: voteOf(network, 1).contractId, amuletPrice: decimal("1.0") };
    expectOtherGroup("AmuletPriceVote", () =>
      network.bySv("DsoRules_UpdateAmuletPriceVote", argument, network.sv(0)),
    );
  });

  test("fails for a vote that the SV signed in place of the DSO", () => {
    const network = new DsoFixture();
    const sv = network.sv(0);
    const { payload } = voteOf(network, 0);
    const voteCid = network.sandbox.create(AmuletPriceVote, { ...payload, dso: sv }, { actAs: [sv] });
    const argument = { voteCid, amuletPrice: decimal("1.0") };
    expectOtherGroup("AmuletPriceVote", () => network.bySv("DsoRules_UpdateAmuletPriceVote", argument, sv));
  });

  test("fails in another SV's name", () => {
    const network = new DsoFixture();
    const { contractId: voteCid } = voteOf(network, 1);
    const argument = { sv: network.sv(1), voteCid, amuletPrice: decimal("1.0") };
    expectUnauthorized(() =>
      network.sandbox.exercise(
        DsoRules,
        network.dsoRules,
        "DsoRules_UpdateAmuletPriceVote",
        argument,
        network.asSv(network.sv(0)),
      ),
    );
  });

  test("fails for a vote that was replaced", () => {
    const network = new DsoFixture();
    const voteCid = voteOf(network, 0).contractId;
    network.vote(network.sv(0), "0.006");
    network.sandbox.advance(MINUTE);
    const argument = { voteCid, amuletPrice: decimal("0.007") };
    expectNotFound(() => network.bySv("DsoRules_UpdateAmuletPriceVote", argument));
  });

  test.each(["0.0", "-0.005"])("fails for a price of %s", (price) => {
    const network = new DsoFixture();
    expect(rejectionOf(() => network.vote(network.sv(0), price)).context["error_id"]).toBe(
      PRECONDITION_FAILED,
    );
  });

  test("takes the smallest price there is", () => {
    const network = new DsoFixture();
    network.vote(network.sv(0), "0.0000000001");
    expect(voteOf(network, 0).payload.amuletPrice).toBe(1n);
  });
});

describe("advancing the rounds", () => {
  test("opens a round at the median of the votes: of those who voted", () => {
    const network = new DsoFixture();
    // Only the first SV has voted so far.
    network.advanceRounds();
    expect(newestPrice(network)).toBe("0.0050000000");
    network.vote(network.sv(1), "0.009");
    network.advanceRounds();
    expect(newestPrice(network)).toBe("0.0070000000");
    network.vote(network.sv(2), "100.0");
    network.advanceRounds();
    expect(newestPrice(network)).toBe("0.0090000000");
    network.vote(network.sv(3), "0.01");
    network.advanceRounds();
    expect(newestPrice(network)).toBe("0.0095000000");
    network.vote(network.sv(0), "0.02");
    network.advanceRounds();
    expect(newestPrice(network)).toBe("0.0150000000");
  });

  test("answers the summarised round and the new one, and leaves the votes", () => {
    const network = new DsoFixture({ svCount: 1 });
    const [oldest] = network.openRounds();
    const votes = network.votes();
    const { summarizingRound, openRound } = network.advanceRounds();
    const transaction = network.sandbox.lastTransaction;
    expect(transaction && listArchived(transaction).map((node) => node.contractId)).toEqual([
      oldest?.contractId,
    ]);
    expect(transaction && listCreated(transaction).map((node) => node.contract.contractId)).toEqual([
      summarizingRound,
      openRound,
    ]);
    expect(network.openRounds().map(({ payload }) => payload.round.number)).toEqual([1n, 2n, 3n]);
    expect(network.votes()).toEqual(votes);
  });

  test("fails unless every SV's vote is there exactly once", () => {
    const network = new DsoFixture();
    const [one, two, three, four] = [0, 1, 2, 3].map((index) => voteOf(network, index).contractId);
    if (!one || !two || !three || !four) throw new Error("four votes");
    const label = "Every sv voted exactly once";
    expectUnmet(label, () => network.advanceRounds({ votes: [] }));
    expectUnmet(label, () => network.advanceRounds({ votes: [one, two, three] }));
    expectUnmet(label, () => network.advanceRounds({ votes: [one, two, three, three] }));
    expectUnmet(label, () => network.advanceRounds({ votes: [one, two, three, four, four] }));
    network.advanceRounds({ votes: [four, two, three, one] });
    expect(network.openRounds()[0]?.payload.round.number).toBe(1n);
  });

  test("does not count the vote of an SV that was offboarded", () => {
    const network = new DsoFixture();
    network.offboardSv(network.sv(3));
    expectUnmet("Every sv voted exactly once", () => network.advanceRounds());
    const left = [0, 1, 2].map((index) => voteOf(network, index).contractId);
    network.advanceRounds({ votes: left });
  });

  test("does not count a vote that an SV signed in place of the DSO", () => {
    const network = new DsoFixture({ svCount: 2 });
    const [forger, victim] = [network.sv(0), network.sv(1)];
    const forged = network.sandbox.create(
      AmuletPriceVote,
      { dso: forger, sv: victim, amuletPrice: decimal("100.0"), lastUpdatedAt: network.sandbox.now },
      { actAs: [forger] },
    );
    expectOtherGroup("AmuletPriceVote", () =>
      network.advanceRounds({ votes: [voteOf(network, 0).contractId, forged] }),
    );
  });

  test("has no price before the first vote", () => {
    const network = new DsoFixture({ svCount: 2 });
    network.offboardSv(network.sv(0));
    const votes = [voteOf(network, 1).contractId];
    const advance = () => network.advanceRounds({ votes, sv: network.sv(1) });
    expect(rejectionOf(advance).cause).toMatch(/: median: not defined for the empty list$/);
  });
});
