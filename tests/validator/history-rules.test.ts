// The items of a wallet's history, one kind of payment after the other, on the engine alone.

import type { TransactionItem } from "@callsign/api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AcceptedAppPayment,
  Amulet,
  AmuletTransferInstruction,
  ExternalPartyConfigState,
  LockedAmulet,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TransferOffer,
  WalletAppInstall,
} from "../../packages/ledger/src/index.ts";

import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { Rejection } from "../../packages/ledger/testing/sandbox.ts";
import { alice, bob, laFamiglia, validator } from "../../packages/ledger/testing/subscription-fixture.ts";
import { TokenNetwork } from "../../packages/ledger/testing/token-fixture.ts";
import { carol, coins } from "../../packages/ledger/testing/wallet-fixture.ts";
import { changeOf } from "../support/history.ts";
import { RecordedHistory } from "../support/recorded-history.ts";

const PARTIES = [alice, bob, carol, laFamiglia, validator];
const NAMES = new Map<string, string>(PARTIES.map((party) => [party, party.split("::")[0] ?? ""]));

function setting() {
  const network = new TokenNetwork();
  const history = new RecordedHistory(network, PARTIES);
  NAMES.set(network.dso, "dso");
  /** The items of a party since the last look: the choice, then the change of each one's coin. */
  const look = (party: PartyId) => history.takeItems(party).map(shorten);
  return { network, history, look, sandbox: network.sandbox };
}

const short = ({ party, amount }: { readonly party: string; readonly amount: string }) =>
  `${NAMES.get(party)} ${amount.replace(/\.?0+$/, "")}`;

function shorten(item: TransactionItem): string {
  const { choice } = item.transaction_subtype;
  if (item.transaction_type === "transfer")
    return `${choice}: ${[item.sender, ...item.receivers].map(short).join(", ")}`;
  if (item.transaction_type === "balance_change") return `${choice}: ${item.receivers.map(short).join(", ")}`;
  return item.transaction_type === "notification" ? item.details : choice;
}

test("payments to apps: locked, collected, rejected and expired", () => {
  const { network, look, sandbox } = setting();
  const pay = () => {
    const request = network.requestPayment([[bob, coins("3.0")]]);
    return network.acceptPayment(request, [network.tap(alice, "10.0")]).acceptedPayment;
  };
  const paid = pay();
  expect(look(alice)).toEqual(["AmuletRules_DevNet_Tap: alice 10", "AppPaymentRequest_Accept: alice -3"]);
  expect(look(bob)).toEqual([]);
  network.collectAppPayment(paid, [alice, bob, laFamiglia]);
  expect(look(alice)).toEqual(["AcceptedAppPayment_Collect: alice 0, bob 3"]);
  expect(look(bob)).toEqual(["AcceptedAppPayment_Collect: alice 0, bob 3"]);
  expect(look(laFamiglia)).toEqual([]);

  const rejected = pay();
  look(alice);
  const argument = { context: network.appContext() };
  sandbox.exercise(AcceptedAppPayment, rejected, "AcceptedAppPayment_Reject", argument, network.as(bob));
  expect(look(alice)).toEqual(["AcceptedAppPayment_Reject: alice 3"]);
});

describe("names", () => {
  test("bought, renewed, and no longer paid", () => {
    const { network, look, history, sandbox } = setting();
    const lookAt = (...paid: readonly string[]) => {
      const names = history.itemsOf(alice).map((item) => "name" in item && item.name);
      expect(names).toEqual([null, "alice.unverified.cns", "alice.unverified.cns"]);
      expect(look(alice)).toEqual(["AmuletRules_DevNet_Tap: alice 200", ...paid]);
    };
    const name = network.register();
    lookAt(
      "SubscriptionRequest_AcceptAndMakePayment: alice -200",
      "AnsRules_CollectInitialEntryPayment: alice 0, dso 0",
    );
    sandbox.advance(70n * DAY);
    const renewed = network.renew(name);
    lookAt(
      "SubscriptionIdleState_MakePayment: alice -200",
      "AnsRules_CollectEntryRenewalPayment: alice 0, dso 0",
    );
    sandbox.advance(200n * DAY);
    const choice = "SubscriptionIdleState_ExpireSubscription";
    const as = { actAs: [network.dso] };
    sandbox.exercise(SubscriptionIdleState, renewed.idleStateCid, choice, { actor: network.dso }, as);
    expect(look(alice)).toEqual([
      `The subscription to alice.unverified.cns was ended by ${network.dso}: its last payment was not made in time.`,
    ]);
  });

  test.each([
    ["lost_race", {}, false],
    ["invalid_name", { name: "Alice" }, false],
    ["invalid_name", { name: "alice" }, false],
    ["invalid_url", { url: "alice" }, false],
    ["invalid_description", { description: "x".repeat(141) }, false],
    ["too_late", {}, true],
    ["too_late", { name: "Alice" }, true],
  ] as const)("a rejected first payment: %s of %j", (reason, content, isLate) => {
    const { network, history } = setting();
    const { entryCid, requestCid } = network.requestEntry(content);
    const payment = network.acceptRequest(requestCid);
    if (isLate) for (let i = 0; i < 4; i++) network.advanceRounds();
    history.takeItems(alice);
    network.rejectAsDso(entryCid, payment);
    expect(history.takeItems(alice)).toMatchObject([
      {
        transaction_type: "balance_change",
        transaction_subtype: { choice: "SubscriptionInitialPayment_Reject" },
        receivers: [{ party: alice, amount: "200.0000000000" }],
        name: "name" in content ? content.name : "alice.unverified.cns",
        refund_reason: reason,
      },
    ]);
  });

  test("a renewal that came too late to be collected is given back", () => {
    const { network, history, sandbox } = setting();
    const { idleStateCid } = network.register();
    sandbox.advance(70n * DAY);
    const payment = network.payRenewal(idleStateCid);
    for (let i = 0; i < 4; i++) network.advanceRounds();
    history.takeItems(alice);
    const argument = { transferContext: network.appContext() };
    const as = { actAs: [network.dso] };
    sandbox.exercise(SubscriptionPayment, payment, "SubscriptionPayment_Reject", argument, as);
    expect(history.takeItems(alice)).toMatchObject([
      {
        transaction_type: "balance_change",
        transaction_subtype: { choice: "SubscriptionPayment_Reject" },
        receivers: [{ party: alice, amount: "200.0000000000" }],
        name: "alice.unverified.cns",
        refund_reason: "too_late",
      },
    ]);
  });

  test("payments that nobody collected, and a subscription to something else", () => {
    const { network, history, sandbox } = setting();
    const { requestCid } = network.requestEntry();
    const first = network.acceptRequest(requestCid);
    history.takeItems(alice);
    sandbox.advance(HOUR);
    const argument = { actor: alice, transferContext: network.appContext() };
    const initial = "SubscriptionInitialPayment_Expire";
    sandbox.exercise(SubscriptionInitialPayment, first, initial, argument, network.as(alice));
    expect(history.takeItems(alice)).toMatchObject([
      { receivers: [{ amount: "200.0000000000" }], refund_reason: "not_collected" },
    ]);
    const { subscriptionState } = network.subscribe();
    sandbox.advance(28n * DAY);
    const { subscriptionPayment } = network.makePayment(subscriptionState, {
      inputs: [network.tap(alice, "12.0")],
    });
    history.takeItems(alice);
    sandbox.advance(HOUR);
    const late = { actor: alice, transferContext: network.appContext() };
    sandbox.exercise(
      SubscriptionPayment,
      subscriptionPayment,
      "SubscriptionPayment_Expire",
      late,
      network.as(alice),
    );
    expect(history.takeItems(alice)).toMatchObject([
      { receivers: [{ amount: "12.0000000000" }], name: null, refund_reason: null },
    ]);
  });
});

describe("transfers", () => {
  test("by offer, with the outcome of each offer", () => {
    const { network, history, look, sandbox } = setting();
    const install = network.installWallet();
    const offer = (trackingId: string) => {
      const argument = {
        ...{ receiver: bob, amount: coins("2.0"), description: "", trackingId },
        expiresAt: network.later(5n * MINUTE),
      };
      const choice = "WalletAppInstall_CreateTransferOffer";
      return sandbox.exercise(WalletAppInstall, install, choice, argument, network.asWallet()).transferOffer;
    };
    const accept = (cid: ContractId) =>
      sandbox.exercise(TransferOffer, cid, "TransferOffer_Accept", {}, { actAs: [bob] })
        .acceptedTransferOffer;
    const value = accept(offer("paid"));
    network.executeBatch(install, {
      inputs: [network.tap(alice, "15.0")],
      operations: [{ tag: "CO_CompleteAcceptedTransfer", value }],
    });
    const paid = "AcceptedTransferOffer_Complete: alice -2, bob 2";
    expect(look(alice)).toEqual(["AmuletRules_DevNet_Tap: alice 15", paid]);
    expect(look(bob)).toEqual([paid]);
    expect(look(validator)).toEqual([]);
    sandbox.exercise(TransferOffer, offer("rejected"), "TransferOffer_Reject", {}, { actAs: [bob] });
    const withdrawal = { reason: "a mistake" };
    sandbox.exercise(TransferOffer, offer("withdrawn"), "TransferOffer_Withdraw", withdrawal, {
      actAs: [alice],
    });
    const expiring = offer("expired");
    sandbox.advance(HOUR);
    sandbox.exercise(TransferOffer, expiring, "TransferOffer_Expire", { actor: alice }, { actAs: [alice] });
    const outcomes = history.tracked.map(({ party, trackingId, status }) => [
      ...[NAMES.get(party), trackingId, status.status],
      status.status === "failed" ? status.kind : null,
    ]);
    expect(outcomes).toEqual([
      ["alice", "paid", "created", null],
      ["alice", "paid", "accepted", null],
      ["alice", "paid", "completed", null],
      ["alice", "rejected", "created", null],
      ["alice", "rejected", "failed", "rejected"],
      ["alice", "withdrawn", "created", null],
      ["alice", "withdrawn", "failed", "withdrawn"],
      ["alice", "expired", "created", null],
      ["alice", "expired", "failed", "expired"],
    ]);
    expect(history.tracked.find(({ status }) => status.status === "failed" && status.reason)?.status).toEqual(
      {
        ...{ status: "failed", kind: "withdrawn", reason: "a mistake" },
      },
    );
    const [bobs] = sandbox.active(Amulet).filter(({ payload }) => payload.owner === bob);
    expect(history.tracked[2]?.status).toMatchObject({ contractId: bobs?.contractId });
  });

  test("by the token standard: offered, accepted, rejected, withdrawn, at once and to oneself", () => {
    const { network, history, look } = setting();
    const offer = () => network.offerTokens([network.tap(alice, "30.0")]);
    const accepted = offer();
    expect(history.itemsOf(bob)).toMatchObject([
      {
        transaction_subtype: { choice: "TransferFactory_Transfer", interface_id: expect.any(String) },
        sender: { party: alice, amount: "0.0000000000" },
        receivers: [{ party: bob, amount: "0.0000000000" }],
        transfer_instruction_receiver: bob,
        transfer_instruction_amount: "10.0000000000",
        transfer_instruction_cid: accepted,
      },
    ]);
    expect(look(alice)).toEqual(["AmuletRules_DevNet_Tap: alice 30", "TransferFactory_Transfer: alice -10"]);
    look(bob);
    network.endTransfer(accepted, "TransferInstruction_Accept", network.asHolder(bob));
    const made = ["TransferInstruction_Accept: alice 0, bob 10"];
    expect([look(alice), look(bob)]).toEqual([made, made]);
    for (const [choice, as] of [
      ["TransferInstruction_Reject", bob],
      ["TransferInstruction_Withdraw", alice],
    ] as const) {
      const cid = offer();
      look(alice);
      look(bob);
      network.endTransfer(cid, choice, network.asHolder(as));
      expect(look(alice)).toEqual([`${choice}: alice 10`]);
      expect(look(bob)).toEqual([`${choice}: bob 0`]);
    }
    const preapproval = network.grantPreapproval(network.later(DAY));
    const direct = network.tokenTransfer([network.tap(alice, "30.0")]);
    look(alice);
    network.transferTokens(direct, { handed: { preapproval } });
    expect(look(alice)).toEqual(["AmuletRules_Transfer: alice -10, bob 10"]);
    expect(look(bob)).toEqual(["TransferPreapproval_Send: alice -10, bob 10"]);
    network.transferTokens(network.tokenTransfer([network.tap(alice, "30.0")], { receiver: alice }));
    expect(look(alice)).toEqual(["AmuletRules_DevNet_Tap: alice 30", "AmuletRules_Transfer: alice 0"]);
  });

  test("a receiver sees what the sender of another participant paid", () => {
    const network = new TokenNetwork();
    const history = new RecordedHistory(network, [bob]);
    const preapproval = network.grantPreapproval(network.later(DAY));
    const inputs = [network.tap(alice, "30.0"), network.tap(alice, "4.0")];
    network.transferTokens(network.tokenTransfer(inputs), { handed: { preapproval } });
    expect(history.itemsOf(bob).map(shorten)).toEqual(["TransferPreapproval_Send: alice -10, bob 10"]);
  });

  test("allocations: put aside, and settled", () => {
    const { network, look } = setting();
    const cid = network.allocate(network.allocation(carol), [network.tap(alice, "30.0")]);
    expect(look(alice)).toEqual(["AmuletRules_DevNet_Tap: alice 30", "AmuletRules_Transfer: alice -10"]);
    const everybody = network.asHolder(alice, bob, carol);
    network.endAllocation(cid, "Allocation_ExecuteTransfer", everybody, network.extraArgs());
    expect(look(alice)).toEqual(["LockedAmulet_Unlock: alice 10", "AmuletRules_Transfer: alice -10, bob 10"]);
    expect(look(bob)).toEqual(["AmuletRules_Transfer: alice -10, bob 10"]);
  });
});

test("coin that is burned or merged, and dust", () => {
  const { network, look, sandbox, history } = setting();
  network.buyTraffic({ inputs: [network.tap(validator, "700.0")] });
  expect(look(validator)).toEqual([
    "AmuletRules_DevNet_Tap: validator 700",
    "AmuletRules_BuyMemberTraffic: validator -666.8",
  ]);
  const inputs = [network.tap(alice, "1.0"), network.tap(alice, "2.0")];
  look(alice);
  const merge = { tag: "CO_MergeTransferInputs", value: {} } as const;
  network.executeBatch(network.installWallet(), { inputs, operations: [merge] });
  expect(look(alice)).toEqual(["WalletAppInstall_ExecuteBatch: alice 0"]);
  const [state] = sandbox.active(ExternalPartyConfigState);
  if (state === undefined) throw new Error("no configuration state");
  const later = { ...state.payload, holdingFeesOpenRoundNumber: { number: 100_000n } };
  const states = [later, later].map((each) =>
    sandbox.create(ExternalPartyConfigState, each, { actAs: [network.dso] }),
  );
  const [externalPartyConfigState0Cid, externalPartyConfigState1Cid] = states as [ContractId, ContractId];
  const dust = sandbox.active(Amulet).find(({ payload }) => payload.owner === alice);
  const argument = { externalPartyConfigState0Cid, externalPartyConfigState1Cid };
  sandbox.exercise(Amulet, dust?.contractId as ContractId, "Amulet_ExpireV2", argument, {
    actAs: [network.dso],
  });
  expect(look(alice)).toEqual(["Amulet_Expire: alice -3"]);
  expect(history.failures).toEqual([]);
});

test("coin of another DSO is not in the history", () => {
  const { network, look, sandbox } = setting();
  const amount = {
    initialAmount: decimal("5.0"),
    createdAt: { number: 0n },
    ratePerRound: { rate: decimal("0.0") },
  };
  const coin = { dso: carol, owner: alice, amount };
  sandbox.create(Amulet, coin, { actAs: [carol, alice] });
  const lock = { holders: [carol], expiresAt: network.later(DAY), optContext: null };
  const locked = sandbox.create(LockedAmulet, { amulet: coin, lock }, { actAs: [carol, alice] });
  sandbox.exercise(LockedAmulet, locked, "LockedAmulet_UnlockV2", {}, { actAs: [carol, alice] });
  expect(look(alice)).toEqual([]);
});

/** Lives of three wallets: each number picks a deed and whom and how much it concerns. */
test("the history of random lives adds up to the balance after every step", () => {
  const deeds: readonly ((world: World, pick: number) => unknown)[] = [
    ({ network, who }, pick) => network.tap(who(pick), `${1 + (pick % 50)}.${1 + (pick % 9)}`),
    ({ network, coin, other }, pick) =>
      network.offerTokens(coin(pick), { receiver: other(pick), sender: alice }),
    ({ network, locked }, pick) =>
      network.endTransfer(
        locked(pick),
        (["TransferInstruction_Reject", "TransferInstruction_Accept"] as const)[pick % 2] ??
          "TransferInstruction_Reject",
        network.asHolder(bob),
      ),
    ({ network, coin }, pick) => {
      const preapproval = network.grantPreapproval(network.later(DAY));
      return network.transferTokens(network.tokenTransfer(coin(pick)), { handed: { preapproval } });
    },
    ({ network, coin }, pick) => {
      const request = network.requestPayment([[bob, coins(`${1 + (pick % 5)}.0`)]]);
      const { acceptedPayment } = network.acceptPayment(request, coin(pick));
      if (pick % 3 === 0) return network.collectAppPayment(acceptedPayment, [alice, bob, laFamiglia]);
      const argument = { context: network.appContext() };
      const choice = "AcceptedAppPayment_Reject";
      return network.sandbox.exercise(AcceptedAppPayment, acceptedPayment, choice, argument, network.as(bob));
    },
    ({ network }, pick) => {
      const { entryCid, requestCid } = network.requestEntry({ name: `n${pick}.unverified.cns` });
      const payment = network.acceptRequest(requestCid);
      return pick % 2 === 0
        ? network.collectAsDso(entryCid, payment)
        : network.rejectAsDso(entryCid, payment);
    },
    ({ network }, pick) => network.buyTraffic({ inputs: [network.tap(validator, `${700 + (pick % 9)}.5`)] }),
    ({ network, coin }, pick) => network.allocate(network.allocation(carol), coin(pick)),
    ({ network }) => network.advanceRounds(),
    ({ network, coin }, pick) =>
      network.executeBatch(network.installWallet(), {
        inputs: coin(pick),
        operations: [
          { tag: "CO_Tap", value: { tapAmount: decimal(`${1 + (pick % 7)}.0`) } },
          { tag: "CO_MergeTransferInputs", value: {} },
        ],
      }),
  ];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(deeds.length - 1), fc.nat(999)), { maxLength: 12 }), (life) => {
      const { network, history } = setting();
      const world = worldOf(network);
      for (const [deed, pick] of life) {
        try {
          deeds[deed]?.(world, pick);
        } catch (error) {
          if (!(error instanceof Rejection) && !(error instanceof NothingThere)) throw error;
        }
        for (const party of PARTIES) {
          const sum = history.itemsOf(party).reduce((total, item) => total + changeOf(item, party), 0n);
          expect(sum).toBe(network.balanceOf(party));
        }
      }
      expect(history.failures).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

class NothingThere extends Error {}

type World = ReturnType<typeof worldOf>;

function worldOf(network: TokenNetwork) {
  const people = [alice, bob, carol];
  return {
    network,
    who: (pick: number) => people[pick % 3] ?? alice,
    other: (pick: number) => people[1 + (pick % 2)] ?? bob,
    /** Some of Alice's coins. */
    coin: (pick: number): readonly ContractId[] => {
      const own = network.sandbox.active(Amulet).filter(({ payload }) => payload.owner === alice);
      if (own.length === 0) throw new NothingThere();
      return own.slice(0, 1 + (pick % 3)).map(({ contractId }) => contractId);
    },
    locked: (pick: number): ContractId => {
      const open = network.sandbox.active(AmuletTransferInstruction);
      const found = open[pick % 4] ?? open[0];
      if (found === undefined) throw new NothingThere();
      return found.contractId;
    },
  };
}
