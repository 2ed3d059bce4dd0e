import { describe, expect, test } from "vitest";
import { DsoFixture } from "../../../testing/dso-fixture.ts";
import { expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { listArchived, listCreated } from "../../engine/transaction.ts";
import { MINUTE } from "../../values/duration.ts";
import { addDuration } from "../../values/time.ts";
import { DsoRules } from "./declarations/dso-rules.ts";
import { AmuletPriceVote, SvNodeState, SvRewardState, SvStatusReport } from "./declarations/sv-state.ts";

const newcomer = testParty("newcomer");

function createdEntities({ sandbox }: DsoFixture): readonly string[] {
  if (sandbox.lastTransaction === null) return [];
  return listCreated(sandbox.lastTransaction).map(({ contract }) => contract.templateId.split(":")[2] ?? "");
}

describe("adding an SV", () => {
  test("lists it in DsoRules and gives it its contracts, with a vote it may change at once", () => {
    const network = new DsoFixture({ svCount: 2 });
    const { sandbox, dso } = network;
    const before = network.only(DsoRules);
    const newDsoRules = network.addSv(newcomer, "Newcomer", 7n);

    expect(
      sandbox.lastTransaction && listArchived(sandbox.lastTransaction).map((node) => node.contractId),
    ).toEqual([before.contractId]);
    expect(createdEntities(network)).toEqual([
      "SvRewardState",
      "AmuletPriceVote",
      "SvStatusReport",
      "SvNodeState",
      "DsoRules",
    ]);
    // Keys of a map are in order: newcomer, sv1, sv2.
    const info = {
      name: "Newcomer",
      joinedAsOfRound: { number: 7n },
      svRewardWeight: 10_000n,
      participantId: `PAR::${newcomer}`,
    };
    expect(sandbox.payloadOf(DsoRules, newDsoRules)).toEqual({
      ...before.payload,
      svs: [[newcomer, info], ...before.payload.svs],
    });
    const rewardState = sandbox.active(SvRewardState).find(({ payload }) => payload.svName === "Newcomer");
    expect(rewardState?.payload).toEqual({
      dso,
      svName: "Newcomer",
      state: {
        numRoundsMissed: 0n,
        numRoundsCollected: 0n,
        lastRoundCollected: { number: 6n },
        numCouponsIssued: 0n,
      },
    });
    expect(network.votes().find(({ payload }) => payload.sv === newcomer)?.payload).toEqual({
      dso,
      sv: newcomer,
      amuletPrice: null,
      lastUpdatedAt: addDuration(sandbox.now, -MINUTE),
    });
    const ofNewcomer = { dso, sv: newcomer, svName: "Newcomer" };
    const status = sandbox.active(SvStatusReport).find(({ payload }) => payload.sv === newcomer);
    expect(status?.payload).toEqual({ ...ofNewcomer, number: 0n, status: null });
    const node = sandbox.active(SvNodeState).find(({ payload }) => payload.sv === newcomer);
    expect(node?.payload).toEqual({ ...ofNewcomer, state: { synchronizerNodes: [] } });
  });

  test("fails for a party that is an SV", () => {
    const network = new DsoFixture({ svCount: 2 });
    expectUnmet("SV party has not yet operated a node", () => network.addSv(network.sv(1), "Another"));
  });

  test("fails for a party that was one", () => {
    const network = new DsoFixture({ svCount: 2 });
    network.offboardSv(network.sv(1));
    expectUnmet("SV party has not yet operated a node", () => network.addSv(network.sv(1), "SV-2"));
  });

  test("fails for a name in use, on a network that is not for development", () => {
    const network = new DsoFixture({ svCount: 2, isDevNet: false });
    expectUnmet("SV is not currently onboarded", () => network.addSv(newcomer, "SV-2"));
  });

  test("replaces the party of a name in use on a network for development, and keeps the name's reward state", () => {
    const network = new DsoFixture({ svCount: 2 });
    const replaced = network.sv(1);
    network.addSv(newcomer, "SV-2");
    const { svs, offboardedSvs } = network.only(DsoRules).payload;
    expect(svs.map(([party, { name }]) => [party, name])).toEqual([
      [newcomer, "SV-2"],
      [network.sv(0), "SV-1"],
    ]);
    expect(offboardedSvs).toEqual([[replaced, { name: "SV-2", participantId: `PAR::${replaced}` }]]);
    expect(createdEntities(network)).toEqual([
      "AmuletPriceVote",
      "SvStatusReport",
      "SvNodeState",
      "DsoRules",
    ]);
  });

  test("gives no second reward state to a name that comes back", () => {
    const network = new DsoFixture({ svCount: 2, isDevNet: false });
    network.offboardSv(network.sv(1));
    network.addSv(newcomer, "SV-2");
    const states = network.sandbox.active(SvRewardState).filter(({ payload }) => payload.svName === "SV-2");
    expect(states).toHaveLength(1);
  });

  test("needs the DSO: no SV adds one alone", () => {
    const network = new DsoFixture({ svCount: 2 });
    const argument = {
      newSvParty: newcomer,
      newSvName: "Newcomer",
      newSvRewardWeight: 1n,
      newSvParticipantId: "PAR",
      joinedAsOfRound: { number: 0n },
    };
    expectUnauthorized(() =>
      network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_AddSv", argument, network.asSv()),
    );
  });
});

describe("offboarding an SV", () => {
  test("moves it to the offboarded and leaves the rest of DsoRules", () => {
    const network = new DsoFixture({ svCount: 3 });
    const before = network.only(DsoRules).payload;
    const gone = network.sv(1);
    const newDsoRules = network.offboardSv(gone);
    expect(network.sandbox.payloadOf(DsoRules, newDsoRules)).toEqual({
      ...before,
      svs: before.svs.filter(([party]) => party !== gone),
      offboardedSvs: [[gone, { name: "SV-2", participantId: `PAR::${gone}` }]],
    });
    // Its vote stays: otherwise it could hold up its removal by voting at the right moment.
    expect(network.votes().map(({ payload }) => payload.sv)).toContain(gone);
    expect(network.sandbox.active(AmuletPriceVote)).toHaveLength(3);
  });

  test("starts a new epoch with the first of the others if the delegate goes", () => {
    const network = new DsoFixture({ svCount: 3 });
    network.offboardSv(network.sv(0));
    const { epoch, dsoDelegate } = network.only(DsoRules).payload;
    expect({ epoch, dsoDelegate }).toEqual({ epoch: 1n, dsoDelegate: network.sv(1) });
  });

  test("fails for the last SV", () => {
    const network = new DsoFixture({ svCount: 1 });
    expectUnmet("There is more than one sv", () => network.offboardSv(network.sv(0)));
  });

  test("fails for a party that is no SV", () => {
    const network = new DsoFixture({ svCount: 2 });
    const { code, cause } = rejectionOf(() => network.offboardSv(newcomer));
    expect(code).toBe("DAML_FAILURE");
    expect(cause).toMatch(/: Not a sv$/);
  });

  test("needs the DSO: no SV offboards another alone", () => {
    const network = new DsoFixture({ svCount: 3 });
    const argument = { sv: network.sv(2) };
    expectUnauthorized(() =>
      network.sandbox.exercise(DsoRules, network.dsoRules, "DsoRules_OffboardSv", argument, network.asSv()),
    );
  });
});
