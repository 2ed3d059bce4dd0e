import { describe, expect, test } from "vitest";
import { expectNotFound, expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { bob, inputAmulet, validator } from "../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { WalletNetwork } from "../../../testing/wallet-fixture.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { TransferPreapproval } from "../splice-amulet/declarations/transfer-preapproval.ts";
import { TransferPreapprovalProposal } from "./declarations/transfer-preapproval-proposal.ts";

const theDso = testParty("DSO");

function proposed(expectedDso: PartyId | null = theDso) {
  const network = new WalletNetwork();
  const { sandbox } = network;
  const proposal = { receiver: bob, provider: validator, expectedDso };
  const proposalCid = sandbox.create(TransferPreapprovalProposal, proposal, { actAs: [bob] });
  const accept = (given: { duration?: bigint; actAs?: readonly PartyId[] } = {}) => {
    const { duration = DAY, actAs = [validator] } = given;
    const inputs = [inputAmulet(network.tap(validator, "10.0"))];
    const argument = { context: network.paymentContext(), inputs, expiresAt: network.later(duration) };
    const choice = "TransferPreapprovalProposal_Accept";
    const as = { ...network.as(...actAs), readAs: [bob] };
    return sandbox.exercise(TransferPreapprovalProposal, proposalCid, choice, argument, as);
  };
  return { network, sandbox, accept };
}

describe("TransferPreapprovalProposal_Accept", () => {
  test("makes a preapproval for the receiver, at the provider's expense", () => {
    const { network, sandbox, accept } = proposed();
    const result = accept();
    expect(result.amuletPaid).toBe(decimal("0.548"));
    expect(sandbox.payloadOf(TransferPreapproval, result.transferPreapprovalCid)).toEqual({
      dso: theDso,
      receiver: bob,
      provider: validator,
      validFrom: sandbox.now,
      lastRenewedAt: sandbox.now,
      expiresAt: network.later(DAY),
    });
    expect(coinsOf(network, validator)).toEqual(["9.452"]);
    expect(changesOf(sandbox)).toEqual({
      archived: ["TransferPreapprovalProposal", "Amulet"],
      created: ["Amulet", "ValidatorRewardCoupon", "TransferPreapproval"],
    });
    expect(exercisesOf(sandbox).slice(0, 2)).toEqual([
      ["TransferPreapprovalProposal_Accept", [validator]],
      ["AmuletRules_CreateTransferPreapproval", [validator, bob]],
    ]);
    expectNotFound(accept);
  });

  test("ends in the future", () => {
    const { accept } = proposed();
    expectUnmet("expiresAt is not in the past", () => accept({ duration: 0n }));
    accept({ duration: DAY });
  });

  test("is refused for another DSO than the receiver meant", () => {
    expect(rejectionOf(proposed(null).accept).cause).toContain("Expected DSO party not set by caller.");
    expect(rejectionOf(proposed(validator).accept).cause).toContain(
      `DSO party expected by caller '${validator}'`,
    );
  });

  test("is exercised by the provider, and the proposal is signed by the receiver", () => {
    const { sandbox, accept } = proposed();
    expectUnauthorized(() => accept({ actAs: [bob] }));
    const proposal = { receiver: bob, provider: validator, expectedDso: theDso };
    expectUnauthorized(() => sandbox.create(TransferPreapprovalProposal, proposal, { actAs: [validator] }));
  });
});
