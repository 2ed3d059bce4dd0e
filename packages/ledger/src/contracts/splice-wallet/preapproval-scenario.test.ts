import { expect, test } from "vitest";
import { expectNotFound } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { alice, bob, validator } from "../../../testing/subscription-fixture.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import type { PartyId } from "../../values/party-id.ts";
import { Amulet } from "../splice-amulet/declarations/amulet.ts";
import {
  ExternalPartySetupProposal,
  TransferPreapproval,
} from "../splice-amulet/declarations/transfer-preapproval.ts";
import { TransferPreapprovalProposal } from "./declarations/transfer-preapproval-proposal.ts";

const bobValidator = testParty("bob_validator");

function coinIdsOf(network: WalletNetwork, owner: PartyId): readonly ContractId[] {
  const coins = network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === owner);
  return coins.map(({ contractId }) => contractId);
}

/** The validator hosts alice for a day and renews that for another. */
function hostAndRenew(network: WalletNetwork): ContractId {
  const { sandbox } = network;
  const hosting = { externalParty: alice, preapprovalExpiresAt: network.later(DAY) };
  const proposed = network.runOwn(
    [{ tag: "CO_CreateExternalPartySetupProposal", value: hosting }],
    [network.tap(validator, "42.0")],
  );
  expect(coinsOf(network, validator)).toEqual(["41.452"]);
  const { transferPreapprovalCid: previousApprovalCid } = sandbox.exercise(
    ExternalPartySetupProposal,
    proposed.outcomes[0]?.value as ContractId,
    "ExternalPartySetupProposal_Accept",
    {},
    { actAs: [alice] },
  );
  const renewal = { previousApprovalCid, newExpiresAt: network.later(2n * DAY) };
  const renewed = network.runOwn(
    [{ tag: "CO_RenewTransferPreapproval", value: renewal }],
    coinIdsOf(network, validator),
  );
  const read = () =>
    sandbox.exercise(
      TransferPreapproval,
      previousApprovalCid,
      "TransferPreapproval_Fetch",
      { p: alice },
      { actAs: [alice] },
    );
  expectNotFound(read);
  return renewed.outcomes[0]?.value as ContractId;
}

test("a validator hosts a party and renews for it; another user sends to it twice", () => {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const transferPreapprovalCid = hostAndRenew(network);
  expect(sandbox.payloadOf(TransferPreapproval, transferPreapprovalCid)).toEqual({
    dso,
    receiver: alice,
    provider: validator,
    validFrom: sandbox.now,
    lastRenewedAt: sandbox.now,
    expiresAt: network.later(2n * DAY),
  });
  expect(coinsOf(network, validator)).toEqual(["40.904"]);
  const coupon = { dso, user: validator, amount: decimal("0.548"), round: { number: 1n } };
  expect(network.burnCoupons()).toEqual([coupon, coupon]);

  const install = network.installWallet(bob, bobValidator);
  const disclose = [...network.disclosures(), transferPreapprovalCid];
  const as = { actAs: [bobValidator], readAs: [bob], disclose };
  const send = (amount: string) => {
    const value = {
      transferPreapprovalCid,
      providerFeaturedAppRightCid: null,
      amount: decimal(amount),
      description: "sent",
    };
    const operations = [{ tag: "CO_TransferPreapprovalSend", value } as const];
    const inputs = coinIdsOf(network, bob);
    return network.executeBatch(install, { inputs, operations, as }).outcomes[0];
  };
  network.tap(bob, "42.0");
  for (const [amount, left] of [
    ["10.0", "32.0"],
    ["20.0", "12.0"],
  ] as const) {
    const sent = send(amount);
    expect(sent?.tag).toBe("COO_TransferPreapprovalSend");
    expect(sandbox.payloadOf(Amulet, sent?.value as ContractId).amount.initialAmount).toBe(decimal(left));
  }
  expect(coinsOf(network, alice)).toEqual(["10.0", "20.0"]);
});

test("another validator provides for its user who asked for it", () => {
  const network = new WalletNetwork();
  const proposal = { receiver: bob, provider: bobValidator, expectedDso: network.dso };
  const preapprovalProposalCid = network.sandbox.create(TransferPreapprovalProposal, proposal, {
    actAs: [bob],
  });
  const { outcomes } = network.runOwn(
    [
      {
        tag: "CO_AcceptTransferPreapprovalProposal",
        value: { preapprovalProposalCid, expiresAt: network.later(DAY) },
      },
    ],
    [network.tap(bobValidator, "10.0")],
    bobValidator,
  );
  const made = network.sandbox.payloadOf(TransferPreapproval, outcomes[0]?.value as ContractId);
  expect(made).toMatchObject({ receiver: bob, provider: bobValidator });
  expect(coinsOf(network, bobValidator)).toEqual(["9.452"]);
});
