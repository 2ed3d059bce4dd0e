import { describe, expect, test } from "vitest";
import { expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { testParty } from "../../../testing/sandbox.ts";
import { alice, bob, laFamiglia } from "../../../testing/subscription-fixture.ts";
import { coinsOf } from "../../../testing/transfers.ts";
import { coins, WalletNetwork } from "../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import { MINUTE } from "../../values/duration.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import { AcceptedAppPayment } from "../splice-wallet-payments/declarations/app-payments.ts";
import type { AmuletOperation } from "./declarations/amulet-operation.ts";
import { WalletAppInstall } from "./declarations/install.ts";
import { AcceptedTransferOffer, TransferOffer } from "./declarations/transfer-offer.ts";

const bobValidator = testParty("bob_validator");
const pay = (value: ContractId): AmuletOperation => ({ tag: "CO_AppPayment", value });
const merge: AmuletOperation = { tag: "CO_MergeTransferInputs", value: {} };
const insufficient = "splice.lfdecentralizedtrust.org/insufficient-funds";

describe("a batch of app payments", () => {
  test("locks each from what the one before it left", () => {
    const network = new WalletNetwork();
    const { sandbox } = network;
    const first = network.requestPayment([[bob, coins("1.0")]]);
    const second = network.requestPayment([
      [bob, coins("2.0")],
      [alice, coins("2.0")],
    ]);
    const { outcomes } = network.executeBatch(network.installWallet(), {
      inputs: [network.tap(alice, "42.0")],
      operations: [pay(first), pay(second)],
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["COO_AcceptedAppPayment", "COO_AcceptedAppPayment"]);
    const payments = outcomes.map(({ value }) => sandbox.payloadOf(AcceptedAppPayment, value as ContractId));
    expect(payments.map(({ reference }) => reference)).toEqual([first, second]);
    const locked = payments.map(
      ({ lockedAmulet }) => network.lockOf(lockedAmulet).amulet.amount.initialAmount,
    );
    expect(locked).toEqual([decimal("1.0"), decimal("4.0")]);
    expect(coinsOf(network, alice)).toEqual(["37.0"]);
  });

  test("fails as a whole for the one that cannot be paid; the other goes through alone", () => {
    const network = new WalletNetwork();
    const { sandbox } = network;
    const install = network.installWallet();
    const inputs = [network.tap(alice, "42.0")];
    const large = network.requestPayment([[bob, coins("10000.0")]]);
    const small = network.requestPayment([
      [bob, coins("3.0")],
      [alice, coins("3.0")],
    ]);
    for (const operations of [
      [pay(large), pay(small)],
      [pay(small), pay(large)],
    ]) {
      const { context } = rejectionOf(() => network.executeBatch(install, { inputs, operations }));
      expect(context["error_id"]).toBe(insufficient);
      expect(sandbox.active(LockedAmulet)).toEqual([]);
    }
    const { outcomes } = network.executeBatch(install, { inputs, operations: [pay(small)] });
    const [payment] = outcomes.map(({ value }) => sandbox.payloadOf(AcceptedAppPayment, value as ContractId));
    expect(payment).toMatchObject({ sender: alice, provider: laFamiglia, reference: small });
    expect(sandbox.active(LockedAmulet)).toHaveLength(1);
  });

  test("merges coins of 42 and 43 into one", () => {
    const network = new WalletNetwork();
    network.tap(alice, "1.0");
    const inputs = [network.tap(alice, "42.0"), network.tap(alice, "43.0")];
    const { outcomes } = network.executeBatch(network.installWallet(), { inputs, operations: [merge] });
    const merged = network.sandbox.payloadOf(Amulet, outcomes[0]?.value as ContractId);
    expect(merged.amount.initialAmount).toBe(decimal("85.0"));
    expect(coinsOf(network, alice)).toEqual(["1.0", "85.0"]);
  });
});

test("transfer offers: accepted and paid, refused, withdrawn, lapsed, aborted, and paid once there is enough", () => {
  const network = new WalletNetwork();
  const { sandbox } = network;
  const wallets = { alice: network.installWallet(), bob: network.installWallet(bob, bobValidator) };
  const asAlice = network.asWallet();
  const asBob = { ...network.as(bobValidator), readAs: [bob] };
  const offer = (amount: string): ContractId => {
    const argument = {
      receiver: bob,
      amount: coins(amount),
      description: "",
      expiresAt: network.later(5n * MINUTE),
      trackingId: amount,
    };
    const choice = "WalletAppInstall_CreateTransferOffer";
    return sandbox.exercise(WalletAppInstall, wallets.alice, choice, argument, asAlice).transferOffer;
  };
  const accept = (cid: ContractId): ContractId =>
    sandbox.exercise(WalletAppInstall, wallets.bob, "WalletAppInstall_TransferOffer_Accept", { cid }, asBob)
      .acceptedTransferOffer;
  const complete = (cid: ContractId, inputs: readonly ContractId[]) =>
    network.executeBatch(wallets.alice, {
      inputs,
      operations: [{ tag: "CO_CompleteAcceptedTransfer", value: cid }],
    });

  const [paid] = complete(accept(offer("2.0")), [network.tap(alice, "15.0")]).outcomes;
  expect(paid).toMatchObject({
    tag: "COO_CompleteAcceptedTransfer",
    value: { _2: { trackingId: "2.0", sender: alice, receiver: bob } },
  });
  sandbox.exercise(
    WalletAppInstall,
    wallets.bob,
    "WalletAppInstall_TransferOffer_Reject",
    { cid: offer("3.0") },
    asBob,
  );
  const withdrawn = { cid: offer("4.0"), reason: "test withdraw" };
  sandbox.exercise(
    WalletAppInstall,
    wallets.alice,
    "WalletAppInstall_TransferOffer_Withdraw",
    withdrawn,
    asAlice,
  );
  const lapsing = offer("7.0");
  sandbox.advance(6n * MINUTE);
  expectUnmet("Offer has not expired", () => accept(lapsing));
  const aborted = { cid: accept(offer("8.0")), reason: "test abort" };
  sandbox.exercise(
    WalletAppInstall,
    wallets.alice,
    "WalletAppInstall_AcceptedTransferOffer_Abort",
    aborted,
    asAlice,
  );
  const unwanted = { cid: accept(offer("8.5")), reason: "test withdraw accepted" };
  sandbox.exercise(
    WalletAppInstall,
    wallets.bob,
    "WalletAppInstall_AcceptedTransferOffer_Withdraw",
    unwanted,
    asBob,
  );

  const large = accept(offer("100.0"));
  const [change = expect.fail("no change")] = sandbox
    .active(Amulet)
    .filter(({ payload }) => payload.owner === alice);
  const tooLittle = rejectionOf(() => complete(large, [change.contractId]));
  expect(tooLittle.context).toMatchObject({ error_id: insufficient, requiredAmount: "87.0" });
  complete(large, [network.tap(alice, "100.0")]);
  expect(coinsOf(network, alice)).toEqual(["13.0"]);
  expect(coinsOf(network, bob)).toEqual(["2.0", "100.0"]);
  expect(sandbox.active(AcceptedTransferOffer)).toEqual([]);
  expect(sandbox.active(TransferOffer).map(({ contractId }) => contractId)).toEqual([lapsing]);
});
