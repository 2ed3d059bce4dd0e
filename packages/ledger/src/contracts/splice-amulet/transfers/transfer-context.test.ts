import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../../testing/archive-contract.ts";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooEarly,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { MINUTE } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { Amulet, FeaturedAppRight, ValidatorRight } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { IssuingMiningRound, OpenMiningRound } from "../declarations/round.ts";
import type { TransferContext } from "../declarations/transfer.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const app = testParty("app");
const stranger = testParty("OTHER-DSO");

/** Alice pays bob 10 of 100, in the context given. */
function payIn(network: SandboxNetwork, context: Partial<TransferContext>, provider: PartyId = alice) {
  const coin = network.tap(alice, "100.0");
  return transferCoins(network, {
    sender: alice,
    provider,
    inputs: [coin],
    outputs: [outputTo(bob, "10.0")],
    context,
  });
}

function expectMismatch(submit: () => unknown): void {
  const { code, cause } = rejectionOf(submit);
  expect(code).toBe("DAML_FAILURE");
  expect(cause).toContain("Contract mismatch");
}

describe("the round of a transfer", () => {
  test.each([
    { at: -1n, usable: false },
    { at: 0n, usable: true },
    { at: 1n, usable: true },
  ])("is usable from when it opens: $at µs from then, $usable", ({ at, usable }) => {
    const network = new SandboxNetwork();
    const round2 = network.openRound(2n);
    network.sandbox.now = addDuration(round2.payload.opensAt, at);
    const pay = () => payIn(network, { openMiningRound: round2.contractId });
    if (usable) expect(pay().round).toEqual({ number: 2n });
    else expectTooEarly("openRound.opensAt", pay);
  });

  test("may be past its target close, as long as it is active", () => {
    const network = new SandboxNetwork();
    network.sandbox.advance(60n * MINUTE);
    expect(payIn(network, { openMiningRound: network.openRound(0n).contractId }).round.number).toBe(0n);
  });

  test("is gone once rounds advanced", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "100.0");
    const round0 = network.openRound(0n);
    network.advanceRounds();
    expectNotFound(() =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_Transfer",
        {
          transfer: {
            sender: alice,
            provider: alice,
            inputs: [{ tag: "InputAmulet", value: coin }],
            outputs: [],
            beneficiaries: null,
          },
          context: network.transferContext({ openMiningRound: round0.contractId }),
          expectedDso: network.dso,
        },
        { actAs: [alice], disclose: [...network.disclosures(), round0.contractId] },
      ),
    );
  });

  test("must be the DSO's, even if another DSO takes part in the transfer", () => {
    const network = new SandboxNetwork();
    const foreign = network.sandbox.create(
      OpenMiningRound,
      { ...network.openRound(0n).payload, dso: stranger },
      { actAs: [stranger] },
    );
    const coin = network.tap(alice, "100.0", network.openRound(0n));
    const transfer = { sender: alice, inputs: [coin], outputs: [], context: { openMiningRound: foreign } };
    expect(rejectionOf(() => transferCoins(network, transfer)).code).toBe("DAML_AUTHORIZATION_ERROR");
    expectOtherGroup("OpenMiningRound", () => transferCoins(network, { ...transfer, provider: stranger }));
  });

  test("may be earlier than the coin's own: the coin still counts in full", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "100.0", network.openRound(2n));
    const result = transferCoins(network, {
      sender: alice,
      inputs: [coin],
      outputs: [outputTo(bob, "10.0")],
      context: { openMiningRound: network.openRound(1n).contractId },
    });
    expect(result.summary.inputAmuletAmount).toBe(decimal("100.0"));
    expect(result.summary.holdingFees).toBe(0n);
    expect(coinsOf(network, alice)).toEqual(["90.0"]);
    const change = network.sandbox.active(Amulet).find(({ payload }) => payload.owner === alice);
    expect(change?.payload.amount.createdAt.number).toBe(1n);
  });

  test("fixes the rate of new coins by its own price, the inverse rounded first", () => {
    // 1 ÷ 0.3 = 3.3333333333, and 3 × 3.3333333333 = 9.9999999999, not 10.
    const config = defaultAmuletConfig("sync::1");
    const transferConfig = { ...config.transferConfig, holdingFee: { rate: decimal("3.0") } };
    const network = new SandboxNetwork({
      config: { ...config, transferConfig },
      amuletPrice: decimal("0.3"),
    });
    const { summary } = payIn(network, {});
    expect(summary.amuletPrice).toBe(decimal("0.3"));
    for (const { payload } of network.sandbox.active(Amulet)) {
      expect(payload.amount.ratePerRound.rate).toBe(decimal("9.9999999999"));
    }
  });

  test("carries the fee of its own configuration; coins keep the rate they were made with", () => {
    const network = new SandboxNetwork();
    const before = network.tap(alice, "100.0");
    const { initialValue: baseConfig } = network.sandbox.payloadOf(
      AmuletRules,
      network.amuletRules,
    ).configSchedule;
    const transferConfig = { ...baseConfig.transferConfig, holdingFee: { rate: decimal("0.00005") } };
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_SetConfig",
      { newConfig: { ...baseConfig, transferConfig }, baseConfig },
      { actAs: [network.dso] },
    );
    // Round 3 is the first one made after the change; it is usable two advances later.
    network.advanceRounds();
    const rateInOldRound = payIn(network, {}).summary.balanceChanges.find(([party]) => party === bob);
    expect(rateInOldRound?.[1].changeToHoldingFeesRate).toBe(decimal("0.00380518"));
    network.advanceRounds();
    expect(network.usableRound().payload.round.number).toBe(3n);
    const result = transferCoins(network, {
      sender: alice,
      inputs: [before],
      outputs: [outputTo(bob, "10.0")],
    });
    // 200 × 0.00005 = 0.01; alice's change has it instead of 0.00380518.
    expect(result.summary.balanceChanges.map(([, change]) => change.changeToHoldingFeesRate)).toEqual([
      decimal("0.00619482"),
      decimal("0.01"),
    ]);
    expect(result.summary.holdingFees).toBe(0n);
  });
});

describe("the featured right of a transfer", () => {
  const rightFor = (network: SandboxNetwork, provider: PartyId, dso = network.dso): ContractId =>
    network.sandbox.create(FeaturedAppRight, { dso, provider }, { actAs: [dso] });

  test("may be the provider's own", () => {
    const network = new SandboxNetwork();
    expect(payIn(network, { featuredAppRight: rightFor(network, app) }, app).round.number).toBe(1n);
  });

  test("cannot be another provider's", () => {
    const network = new SandboxNetwork();
    const featuredAppRight = rightFor(network, alice);
    expectMismatch(() => payIn(network, { featuredAppRight }, app));
  });

  test("cannot be of another DSO", () => {
    const network = new SandboxNetwork();
    const featuredAppRight = rightFor(network, app, stranger);
    expectMismatch(() => payIn(network, { featuredAppRight }, app));
  });

  test("must still be there", () => {
    const network = new SandboxNetwork();
    const featuredAppRight = rightFor(network, app);
    archiveContract(network.sandbox, FeaturedAppRight, featuredAppRight, { actAs: [network.dso] });
    expectNotFound(() => payIn(network, { featuredAppRight }, app));
  });
});

describe("the issuing rounds of a transfer", () => {
  const issuing = (network: SandboxNetwork, given: Partial<IssuingMiningRound> = {}): ContractId => {
    const { now } = network.sandbox;
    const dso = given.dso ?? network.dso;
    const payload: IssuingMiningRound = {
      dso,
      round: { number: 0n },
      issuancePerValidatorRewardCoupon: decimal("0.2"),
      issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
      issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
      issuancePerSvRewardCoupon: decimal("1.0"),
      opensAt: now,
      targetClosesAt: addDuration(now, 20n * MINUTE),
      optIssuancePerValidatorFaucetCoupon: null,
      ...given,
    };
    return network.sandbox.create(IssuingMiningRound, payload, { actAs: [dso] });
  };
  const under = (number: bigint, contractId: ContractId) => ({
    issuingMiningRounds: [[{ number }, contractId]] as const,
  });

  test("stand under their own number", () => {
    const network = new SandboxNetwork();
    const round0 = issuing(network);
    expect(payIn(network, under(0n, round0)).round.number).toBe(1n);
    expectOtherGroup("IssuingMiningRound", () => payIn(network, under(1n, round0)));
  });

  test("must be the DSO's, even if another DSO takes part in the transfer", () => {
    const network = new SandboxNetwork();
    const foreign = issuing(network, { dso: stranger });
    expect(rejectionOf(() => payIn(network, under(0n, foreign))).code).toBe("DAML_AUTHORIZATION_ERROR");
    expectOtherGroup("IssuingMiningRound", () => payIn(network, under(0n, foreign), stranger));
  });

  test("must be open: not one microsecond before", () => {
    const network = new SandboxNetwork();
    const round0 = issuing(network, { opensAt: addDuration(network.sandbox.now, MINUTE) });
    network.sandbox.advance(MINUTE - 1n);
    expectTooEarly("issuingRound[0].opensAt", () => payIn(network, under(0n, round0)));
    network.sandbox.advance(1n);
    expect(payIn(network, under(0n, round0)).round.number).toBe(1n);
  });
});

describe("the validator rights of a transfer", () => {
  const right = (
    network: SandboxNetwork,
    given: { dso?: PartyId; user?: PartyId; validator?: PartyId } = {},
  ) => {
    const { dso = network.dso, user = bob, validator = alice } = given;
    return network.sandbox.create(ValidatorRight, { dso, user, validator }, { actAs: [user, validator] });
  };

  test("are accepted if they are the sender's, each under its user", () => {
    const network = new SandboxNetwork();
    expect(payIn(network, { validatorRights: [[bob, right(network)]] }).round.number).toBe(1n);
  });

  test.each([
    { what: "another DSO", given: { dso: stranger } },
    { what: "another user", given: { user: alice } },
    { what: "another validator", given: { validator: bob } },
  ])("are refused for $what", ({ given }) => {
    const network = new SandboxNetwork();
    const validatorRights = [[bob, right(network, given)]] as const;
    const show = ({ dso, user, validator }: Record<"dso" | "user" | "validator", PartyId>) =>
      `ValidatorRight {dso = '${dso}', user = '${user}', validator = '${validator}'}`;
    const expected = { dso: network.dso, user: bob, validator: alice };
    expect(rejectionOf(() => payIn(network, { validatorRights })).cause).toBe(
      `${GENERAL_ERROR}Contract mismatch: expected ${show(expected)}, ` +
        `got ${show({ ...expected, ...given })} referenced by <contract-id>`,
    );
  });
});
