import { describe, expect, test } from "vitest";
import { expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { alice, bob, validator } from "../../../testing/subscription-fixture.ts";
import { argumentsOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { DAY } from "../../values/duration.ts";
import { FeaturedAppActivityMarker } from "../splice-amulet/declarations/amulet.ts";
import {
  ExternalPartySetupProposal,
  TransferPreapproval,
} from "../splice-amulet/declarations/transfer-preapproval.ts";
import type { AmuletOperation } from "./declarations/amulet-operation.ts";
import { TransferPreapprovalProposal } from "./declarations/transfer-preapproval-proposal.ts";

const merge: AmuletOperation = { tag: "CO_MergeTransferInputs", value: {} };

function proposeTo(network: WalletNetwork): ContractId {
  const proposal = { receiver: bob, provider: validator, expectedDso: network.dso };
  return network.sandbox.create(TransferPreapprovalProposal, proposal, { actAs: [bob] });
}

const host = (network: WalletNetwork): AmuletOperation => ({
  tag: "CO_CreateExternalPartySetupProposal",
  value: { externalParty: bob, preapprovalExpiresAt: network.later(DAY) },
});
const accept = (network: WalletNetwork, preapprovalProposalCid: ContractId): AmuletOperation => ({
  tag: "CO_AcceptTransferPreapprovalProposal",
  value: { preapprovalProposalCid, expiresAt: network.later(DAY) },
});

test("a validator offers to host a party, and its change goes on", () => {
  const network = new WalletNetwork();
  const { outcomes } = network.runOwn([host(network), merge], [network.tap(validator, "42.0")]);
  const [{ contractId, payload } = expect.fail("no proposal")] =
    network.sandbox.active(ExternalPartySetupProposal);
  expect(outcomes[0]).toEqual({ tag: "COO_CreateExternalPartySetupProposal", value: contractId });
  expect(payload).toMatchObject({ validator, user: bob, preapprovalExpiresAt: network.later(DAY) });
  expect(coinsOf(network, validator)).toEqual(["41.452"]);
});

test("a validator provides for a receiver who asked, and its change goes on", () => {
  const network = new WalletNetwork();
  const cid = proposeTo(network);
  const install = network.installWallet(validator, validator);
  const { outcomes } = network.executeBatch(install, {
    inputs: [network.tap(validator, "10.0")],
    operations: [accept(network, cid), merge],
    as: network.as(validator),
  });
  const [{ contractId, payload } = expect.fail("no preapproval")] =
    network.sandbox.active(TransferPreapproval);
  expect(outcomes[0]).toEqual({ tag: "COO_AcceptTransferPreapprovalProposal", value: contractId });
  expect(payload).toMatchObject({ receiver: bob, provider: validator, expiresAt: network.later(DAY) });
  expect(coinsOf(network, validator)).toEqual(["9.452"]);
});

test("a user's wallet does neither, even with the validator's coin", () => {
  const network = new WalletNetwork();
  const install = network.installWallet(alice, validator);
  const inputs = [network.tap(validator, "10.0")];
  const run = (operation: AmuletOperation) => () =>
    network.executeBatch(install, { inputs, operations: [operation] });
  expectUnmet("Only a validator can create a proposal to host an external party", run(host(network)));
  expectUnmet(
    "Only a validator can accept a proposal to create a transfer preapproval",
    run(accept(network, proposeTo(network))),
  );
});

describe("CO_RenewTransferPreapproval", () => {
  const renew = (network: WalletNetwork, previousApprovalCid: ContractId): AmuletOperation => ({
    tag: "CO_RenewTransferPreapproval",
    value: { previousApprovalCid, newExpiresAt: network.later(3n * DAY) },
  });

  test("adds time at the provider's expense, and its change goes on", () => {
    const network = new WalletNetwork();
    const preapprovalCid = network.grantPreapproval(network.later(DAY));
    const inputs = [network.tap(validator, "10.0")];
    const { outcomes } = network.runOwn([renew(network, preapprovalCid), merge], inputs);
    const [{ contractId, payload } = expect.fail("none")] = network.sandbox.active(TransferPreapproval);
    expect(outcomes[0]).toEqual({ tag: "COO_RenewTransferPreapproval", value: contractId });
    expect(payload.expiresAt).toBe(network.later(3n * DAY));
    // Two days: 10 − 2 × 0.548.
    expect(coinsOf(network, validator)).toEqual(["8.904"]);
  });

  test("renews only a preapproval that the wallet's user or validator provides", () => {
    const network = new WalletNetwork();
    const preapprovalCid = network.grantPreapproval(network.later(DAY), { provider: bob });
    const install = network.installWallet(alice, validator);
    const operations = [renew(network, preapprovalCid)];
    const as = { ...network.asWallet(), readAs: [alice, bob] };
    expectUnauthorized(() => network.executeBatch(install, { operations, as }));
  });
});

describe("CO_TransferPreapprovalSend", () => {
  /** Alice sends to bob, whose validator provides for him. */
  function sending(amount: string, description: string | null = null) {
    const network = new WalletNetwork();
    const transferPreapprovalCid = network.grantPreapproval(network.later(DAY));
    const install = network.installWallet(alice, validator);
    const send = (
      given: { right?: ContractId; context?: ContractId; behind?: readonly AmuletOperation[] } = {},
    ) => {
      const { right = null, context = null, behind = [merge] } = given;
      return network.executeBatch(install, {
        inputs: [network.tap(alice, "50.0")],
        operations: [
          {
            tag: "CO_TransferPreapprovalSend",
            value: {
              transferPreapprovalCid,
              providerFeaturedAppRightCid: right,
              amount: decimal(amount),
              description,
            },
          },
          ...behind,
        ],
        context: network.paymentContext(context === null ? {} : { featuredAppRight: context }),
      });
    };
    return { network, sandbox: network.sandbox, send };
  }

  test("sends, tells the change, and hands it on", () => {
    const { network, sandbox, send } = sending("10.0", "a description");
    const { outcomes } = send();
    expect(outcomes.map(({ tag }) => tag)).toEqual([
      "COO_TransferPreapprovalSend",
      "COO_MergeTransferInputs",
    ]);
    expect(outcomes[0]?.value).toBeTypeOf("string");
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    expect(coinsOf(network, alice)).toEqual(["40.0"]);
    expect(argumentsOf(sandbox, "TransferPreapproval_Send")).toMatchObject([
      { sender: alice, amount: decimal("10.0"), description: "a description" },
    ]);
    expect(exercisesOf(sandbox)[1]).toEqual(["TransferPreapproval_Send", [alice]]);
  });

  test("reports no change when there is none", () => {
    const { outcomes } = sending("50.0").send();
    expect(outcomes).toEqual([
      { tag: "COO_TransferPreapprovalSend", value: null },
      { tag: "COO_MergeTransferInputs", value: null },
    ]);
  });

  test("says what is missing", () => {
    const { send } = sending("50.25");
    expect(rejectionOf(() => send()).context).toMatchObject({ requiredAmount: "0.25" });
  });

  test("uses the right of the receiver's provider and not that of the sender's wallet", () => {
    const { network, sandbox, send } = sending("10.0");
    const [provider, sender] = [network.feature(validator), network.feature(alice)];
    send({ context: sender, behind: [] });
    expect(sandbox.active(FeaturedAppActivityMarker)).toEqual([]);
    send({ right: provider, behind: [] });
    expect(sandbox.active(FeaturedAppActivityMarker).map(({ payload }) => payload.provider)).toEqual([
      validator,
    ]);
  });
});
