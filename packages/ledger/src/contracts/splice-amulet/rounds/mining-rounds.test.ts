import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectUnauthorized,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { decimal } from "../../../values/decimal.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../declarations/round.ts";

const alice = testParty("alice");

/** One round of each state, all with the same number. */
function payloads(network: SandboxNetwork, number: bigint) {
  const open = { ...network.openRound(0n).payload, round: { number } };
  const issuance = {
    issuancePerValidatorRewardCoupon: decimal("0.2"),
    issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
    issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
    issuancePerSvRewardCoupon: decimal("1.0"),
    optIssuancePerValidatorFaucetCoupon: decimal("570.0"),
  };
  const { dso, round, amuletPrice, issuanceConfig, tickDuration, opensAt, targetClosesAt } = open;
  return {
    open,
    summarizing: { dso, round, amuletPrice, issuanceConfig, tickDuration },
    issuing: { dso, round, ...issuance, opensAt, targetClosesAt },
    closed: { dso, round, ...issuance },
  };
}

function createEach(number: bigint, actAs: readonly (typeof alice)[] = []) {
  const network = new SandboxNetwork();
  const { open, summarizing, issuing, closed } = payloads(network, number);
  const as = { actAs: actAs.length > 0 ? actAs : [network.dso] };
  return [
    () => network.sandbox.create(OpenMiningRound, open, as),
    () => network.sandbox.create(SummarizingMiningRound, summarizing, as),
    () => network.sandbox.create(IssuingMiningRound, issuing, as),
    () => network.sandbox.create(ClosedMiningRound, closed, as),
  ];
}

describe("a round in each of its states", () => {
  test("is numbered from zero", () => {
    for (const create of createEach(0n)) expect(create()).toBeTypeOf("string");
    for (const create of createEach(-1n)) {
      expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
    }
  });

  test("can be created by the DSO alone", () => {
    for (const create of createEach(0n, [alice])) expectUnauthorized(create);
  });
});

describe("OpenMiningRound_Fetch", () => {
  test("shows a disclosed round to every party, as a node of the transaction", () => {
    const network = new SandboxNetwork();
    const { sandbox } = network;
    const round = network.openRound(2n);
    const shown = sandbox.exercise(
      OpenMiningRound,
      round.contractId,
      "OpenMiningRound_Fetch",
      { p: alice },
      { actAs: [alice], disclose: [round.contractId] },
    );
    expect(shown).toEqual(round.payload);
    expect(shapeOf(sandbox)).toEqual(["OpenMiningRound_Fetch OpenMiningRound"]);
    expect(sandbox.isActive(round.contractId)).toBe(true);
  });

  test("needs the disclosure, and the party it names", () => {
    const network = new SandboxNetwork();
    const { contractId } = network.usableRound();
    const fetch = (as: { actAs: (typeof alice)[]; disclose?: (typeof contractId)[] }) =>
      network.sandbox.exercise(OpenMiningRound, contractId, "OpenMiningRound_Fetch", { p: alice }, as);
    expectNotFound(() => fetch({ actAs: [alice] }));
    expectUnauthorized(() => fetch({ actAs: [testParty("bob")], disclose: [contractId] }));
  });
});
