import { describe, expect, test } from "vitest";
import { FEE_IN_COIN, NameNetwork } from "../../../testing/name-fixture.ts";
import { expectNotFound, expectUnauthorized, expectUnmet, rejectionOf } from "../../../testing/rejection.ts";
import { alice, bob, validator } from "../../../testing/subscription-fixture.ts";
import { argumentsOf, changesOf, exercisesOf } from "../../../testing/transaction-changes.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { decimal } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { time } from "../../values/time.ts";
import { Amulet, LockedAmulet } from "../splice-amulet/declarations/amulet.ts";
import {
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import type { AmuletOperation } from "./declarations/amulet-operation.ts";
import { WalletAppInstall } from "./declarations/install.ts";

const accept = (value: ContractId): AmuletOperation => ({
  tag: "CO_SubscriptionAcceptAndMakeInitialPayment",
  value,
});
const pay = (value: ContractId): AmuletOperation => ({ tag: "CO_SubscriptionMakePayment", value });
const merge: AmuletOperation = { tag: "CO_MergeTransferInputs", value: {} };
const tap = (amount: string): AmuletOperation => ({ tag: "CO_Tap", value: { tapAmount: decimal(amount) } });

function installed() {
  const network = new NameNetwork();
  return { network, install: network.installWallet() };
}

/** The amounts of alice's coins, the smallest first. */
function coins({ sandbox }: NameNetwork): readonly bigint[] {
  const owned = sandbox.active(Amulet).filter(({ payload }) => payload.owner === alice);
  return owned
    .map(({ payload }): bigint => payload.amount.initialAmount)
    .toSorted((a, b) => (a < b ? -1 : 1));
}

test.each([
  ["the user alone", [alice]],
  ["the validator alone", [validator]],
])("an install is not made by %s", (_who, actAs) => {
  const { sandbox, dso } = new NameNetwork();
  const payload = { dsoParty: dso, validatorParty: validator, endUserName: "alice", endUserParty: alice };
  expectUnauthorized(() => sandbox.create(WalletAppInstall, payload, { actAs }));
});

describe("WalletAppInstall_ExecuteBatch", () => {
  test("accepts a subscription and makes its first payment, as the validator alone", () => {
    const { network, install } = installed();
    const { sandbox, dso } = network;
    const { requestCid } = network.requestEntry();
    const result = network.executeBatch(install, {
      inputs: [network.tap(alice, "250.0")],
      operations: [accept(requestCid)],
    });
    const [{ contractId: paymentCid, payload } = expect.fail("no payment")] =
      sandbox.active(SubscriptionInitialPayment);
    expect(result).toEqual({
      endUserName: "alice-wallet",
      outcomes: [{ tag: "COO_SubscriptionInitialPayment", value: paymentCid }],
      optEndUserParty: alice,
    });
    expect(payload).toMatchObject({ targetAmount: decimal(FEE_IN_COIN), reference: requestCid });
    expect(changesOf(sandbox)).toEqual({
      archived: ["SubscriptionRequest", "Amulet"],
      created: ["LockedAmulet", "Amulet", "SubscriptionInitialPayment"],
    });
    expect(exercisesOf(sandbox)).toEqual([
      ["WalletAppInstall_ExecuteBatch", [validator]],
      ["SubscriptionRequest_AcceptAndMakePayment", [alice, validator]],
      ["OpenMiningRound_Fetch", [alice]],
      ["AmuletRules_Transfer", [dso, alice, validator]],
      ["Archive", [dso, alice]],
    ]);
  });

  test("pays for the next interval", () => {
    const { network, install } = installed();
    const { sandbox } = network;
    const { idleStateCid } = network.register();
    sandbox.now = time("2026-03-02T00:00:00Z");
    const result = network.executeBatch(install, {
      inputs: [network.tap(alice, FEE_IN_COIN)],
      operations: [pay(idleStateCid)],
    });
    const [payment] = sandbox.active(SubscriptionPayment);
    expect(result.outcomes).toEqual([{ tag: "COO_SubscriptionPayment", value: payment?.contractId }]);
    expect(payment?.payload.thisPaymentDueAt).toBe(time("2026-04-01T00:00:00Z"));
  });

  test("taps coin on a DevNet, in coin", () => {
    const { network, install } = installed();
    const { outcomes } = network.executeBatch(install, { operations: [tap("7.5")] });
    const [coin] = network.sandbox.active(Amulet);
    expect(outcomes).toEqual([{ tag: "COO_Tap", value: coin?.contractId }]);
    expect(coins(network)).toEqual([decimal("7.5")]);
  });

  test("does not tap outside of development networks", () => {
    const network = new NameNetwork({ isDevNet: false });
    const install = network.installWallet();
    expectUnmet("isDevNet flag is true", () => network.executeBatch(install, { operations: [tap("7.5")] }));
  });

  test("merges all inputs into one coin", () => {
    const { network, install } = installed();
    const { sandbox, dso } = network;
    network.tap(alice, "1.0");
    const inputs = [network.tap(alice, "42.0"), network.tap(alice, "43.0")];
    const { outcomes } = network.executeBatch(install, { inputs, operations: [merge] });
    expect(changesOf(sandbox)).toEqual({ archived: ["Amulet", "Amulet"], created: ["Amulet"] });
    expect(coins(network)).toEqual([decimal("1.0"), decimal("85.0")]);
    const merged = sandbox
      .active(Amulet)
      .find(({ payload }) => payload.amount.initialAmount > decimal("1.0"));
    expect(outcomes).toEqual([{ tag: "COO_MergeTransferInputs", value: merged?.contractId }]);
    expect(exercisesOf(sandbox)).toEqual([
      ["WalletAppInstall_ExecuteBatch", [validator]],
      ["AmuletRules_Transfer", [alice]],
      ["Archive", [dso, alice]],
      ["Archive", [dso, alice]],
    ]);
  });

  test("makes no coin when it merges no inputs", () => {
    const { network, install } = installed();
    const { outcomes } = network.executeBatch(install, { operations: [merge] });
    expect(outcomes).toEqual([{ tag: "COO_MergeTransferInputs", value: null }]);
  });

  test("threads the change of each operation into the next, and reports outcomes in order", () => {
    const { network, install } = installed();
    const { sandbox } = network;
    const first = network.requestEntry({ name: "first.unverified.cns" });
    const second = network.requestEntry({ name: "second.unverified.cns" });
    const { outcomes } = network.executeBatch(install, {
      inputs: [network.tap(alice, "300.0"), network.tap(alice, "142.0")],
      operations: [accept(first.requestCid), accept(second.requestCid)],
    });
    const references = outcomes.map(({ value }) => {
      const payment = sandbox.active(SubscriptionInitialPayment).find((p) => p.contractId === value);
      return payment?.payload.reference;
    });
    expect(references).toEqual([first.requestCid, second.requestCid]);
    expect(coins(network)).toEqual([decimal("42.0")]);
    expect(sandbox.active(LockedAmulet)).toHaveLength(2);
  });

  test("puts a tapped coin in front of the inputs it was given", () => {
    const { network, install } = installed();
    const { requestCid } = network.requestEntry();
    const inputs = [network.tap(alice, "50.0")];
    const operations = [tap("150.0"), accept(requestCid)];
    const { outcomes } = network.executeBatch(install, { inputs, operations });
    const tags = outcomes.map(({ tag }) => tag);
    expect(tags).toEqual(["COO_Tap", "COO_SubscriptionInitialPayment"]);
    expect(coins(network)).toEqual([]);
    const [transfer] = argumentsOf(network.sandbox, "AmuletRules_Transfer");
    const inOrder = [outcomes[0]?.value, ...inputs].map((value) => ({ tag: "InputAmulet", value }));
    expect(transfer).toMatchObject({ transfer: { inputs: inOrder } });
  });

  test("hands on what a merge or a renewal leaves", () => {
    const { network, install } = installed();
    const { sandbox } = network;
    const { idleStateCid } = network.register();
    const { requestCid } = network.requestEntry({ name: "second.unverified.cns" });
    sandbox.now = time("2026-03-02T00:00:00Z");
    const { outcomes } = network.executeBatch(install, {
      inputs: [network.tap(alice, "250.0"), network.tap(alice, "192.0")],
      operations: [merge, pay(idleStateCid), accept(requestCid), merge],
    });
    const [left] = sandbox.active(Amulet);
    expect(outcomes.map(({ tag }) => tag)).toEqual([
      "COO_MergeTransferInputs",
      "COO_SubscriptionPayment",
      "COO_SubscriptionInitialPayment",
      "COO_MergeTransferInputs",
    ]);
    expect(outcomes[3]?.value).toBe(left?.contractId);
    expect(coins(network)).toEqual([decimal("42.0")]);
  });

  test("leaves nothing for the operation behind one that used everything up", () => {
    const { network, install } = installed();
    const first = network.requestEntry();
    const second = network.requestEntry();
    const inputs = [network.tap(alice, FEE_IN_COIN)];
    const operations = [accept(first.requestCid), accept(second.requestCid)];
    expect(rejectionOf(() => network.executeBatch(install, { inputs, operations })).context).toMatchObject({
      error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
      requiredAmount: "200.0",
    });
    // All or nothing: the first of the two is undone as well.
    expect(network.sandbox.isActive(first.requestCid)).toBe(true);
    expect(coins(network)).toEqual([decimal(FEE_IN_COIN)]);
    expect(network.sandbox.active(LockedAmulet)).toEqual([]);
  });

  test("does nothing for no operations", () => {
    const { network, install } = installed();
    const { outcomes } = network.executeBatch(install, {
      inputs: [network.tap(alice, "1.0")],
      operations: [],
    });
    expect(outcomes).toEqual([]);
    expect(changesOf(network.sandbox)).toEqual({ archived: [], created: [] });
  });

  test("aborts on an operation of a later version", () => {
    const { network, install } = installed();
    const later: AmuletOperation = { tag: "ExtAmuletOperation", value: { dummyUnitField: {} } };
    const { code, cause } = rejectionOf(() => network.executeBatch(install, { operations: [later] }));
    expect(code).toBe("DAML_FAILURE");
    expect(cause).toMatch("ExtAmuletOperation: bare extension constructors are not allowed at runtime");
  });

  test("is refused to the user", () => {
    const { network, install } = installed();
    expectUnauthorized(() => network.executeBatch(install, { operations: [merge], as: network.as(alice) }));
  });

  test("does not reach another user's contracts", () => {
    const { network, install } = installed();
    const { requestCid } = network.requestEntry({}, bob);
    const as = { ...network.asWallet(), readAs: [alice, bob] };
    const batch = { inputs: [network.tap(alice, FEE_IN_COIN)], operations: [accept(requestCid)], as };
    expectUnauthorized(() => network.executeBatch(install, batch));
  });
});

describe("a batch that cannot be paid", () => {
  const missing = (submit: () => unknown) =>
    expect(rejectionOf(submit)).toMatchObject({
      code: "DAML_FAILURE",
      context: { error_id: "splice.lfdecentralizedtrust.org/insufficient-funds", requiredAmount: "100.0" },
    });

  test("says what is missing, and works once there is enough, at first and at renewal", () => {
    const { network, install } = installed();
    const { sandbox } = network;
    const { entryCid: contextCid, requestCid } = network.requestEntry();
    const poor = [network.tap(alice, "100.0")];
    missing(() => network.executeBatch(install, { inputs: poor, operations: [accept(requestCid)] }));
    const rich = [...poor, network.tap(alice, "100.0")];
    const first = network.executeBatch(install, { inputs: rich, operations: [accept(requestCid)] });
    const [payment] = first.outcomes;
    const collected = network.collectAsDso(contextCid, payment?.value as ContractId);

    sandbox.now = time("2026-03-02T00:00:00Z");
    const operations = [pay(collected.subscriptionStateCid)];
    const again = [network.tap(alice, "100.0")];
    missing(() => network.executeBatch(install, { inputs: again, operations }));
    const { outcomes } = network.executeBatch(install, {
      inputs: [...again, network.tap(alice, "100.0")],
      operations,
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["COO_SubscriptionPayment"]);
    expect(coins(network)).toEqual([]);
  });
});

describe.each([
  ["WalletAppInstall_SubscriptionRequest_Reject", ["SubscriptionRequest"]],
  ["WalletAppInstall_SubscriptionIdleState_CancelSubscription", ["SubscriptionIdleState", "Subscription"]],
] as const)("%s", (choice, archived) => {
  const target = (network: NameNetwork, user: PartyId) =>
    choice === "WalletAppInstall_SubscriptionRequest_Reject"
      ? network.requestEntry({}, user).requestCid
      : network.register({}, user).idleStateCid;

  test("ends it with the user's authority, as the validator alone, once", () => {
    const { network, install } = installed();
    const { sandbox } = network;
    const cid = target(network, alice);
    const run = () => sandbox.exercise(WalletAppInstall, install, choice, { cid }, network.asWallet());
    const { terminatedSubscription } = run();
    expect(changesOf(sandbox)).toEqual({ archived, created: ["TerminatedSubscription"] });
    expect(sandbox.payloadOf(TerminatedSubscription, terminatedSubscription).subscriptionData.sender).toBe(
      alice,
    );
    expectNotFound(run);
  });

  test("is refused to the user, and for another user's contract", () => {
    const { network, install } = installed();
    const { sandbox } = network;
    const cid = target(network, alice);
    expectUnauthorized(() =>
      sandbox.exercise(WalletAppInstall, install, choice, { cid }, { actAs: [alice] }),
    );
    const bobs = target(network, bob);
    const as = { actAs: [validator], readAs: [bob] };
    expectUnauthorized(() => sandbox.exercise(WalletAppInstall, install, choice, { cid: bobs }, as));
  });
});
