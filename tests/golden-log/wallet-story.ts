/** Wallets beside names: offers, payments to apps, preapprovals. Each is ended in every possible way. */
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import {
  ExternalPartySetupProposal,
  TransferPreapproval,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import { WalletAppInstall } from "../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import { TransferPreapprovalProposal } from "../../packages/ledger/src/contracts/splice-wallet/declarations/transfer-preapproval-proposal.ts";
import {
  AcceptedAppPayment,
  AppPaymentRequest,
} from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/app-payments.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { SvActor } from "../../packages/ledger/testing/sv-actor.ts";
import type { EconomyStage } from "./economy-stage.ts";

const coin = (amount: string) => ({ amount: decimal(amount), unit: "AmuletUnit" }) as const;

export function tellWallets(stage: EconomyStage): void {
  makeOffers(stage);
  payApps(stage);
  preapprove(stage);
}

function makeOffers(stage: EconomyStage): void {
  const { ann, cho, network } = stage;
  const offer = (trackingId: string) =>
    stage.forward(ann, "WalletAppInstall_CreateTransferOffer", {
      receiver: cho.party,
      amount: coin("12.5"),
      description: "for the golden log",
      expiresAt: stage.inFuture(HOUR),
      trackingId,
    })[0] as ContractId;
  const taken = (trackingId: string) => {
    const cid = offer(trackingId);
    return stage.forward(cho, "WalletAppInstall_TransferOffer_Accept", { cid })[0] as ContractId;
  };
  stage.batch(ann, [{ tag: "CO_CompleteAcceptedTransfer", value: taken("completed") }]);
  stage.forward(cho, "WalletAppInstall_TransferOffer_Reject", { cid: offer("rejected") });
  const reason = "second thoughts";
  stage.forward(ann, "WalletAppInstall_TransferOffer_Withdraw", { cid: offer("withdrawn"), reason });
  stage.forward(ann, "WalletAppInstall_AcceptedTransferOffer_Abort", { cid: taken("aborted"), reason });
  stage.forward(cho, "WalletAppInstall_AcceptedTransferOffer_Withdraw", { cid: taken("taken back"), reason });
  const late = { offered: offer("late"), taken: taken("too late") };
  network.advance(HOUR);
  stage.forward(ann, "WalletAppInstall_TransferOffer_Expire", { cid: late.offered });
  stage.forward(ann, "WalletAppInstall_AcceptedTransferOffer_Expire", { cid: late.taken });
  stage.dso.dso.advanceRounds();
}

/** Ann's shop and its user Ben are at home with the same validator. */
function payApps(stage: EconomyStage): void {
  const { ann, ben, network } = stage;
  const both = [ann.party, ben.party];
  const ask = (description: string) => {
    const request = createCommand(AppPaymentRequest, {
      sender: ben.party,
      receiverAmounts: [{ receiver: ann.party, amount: { amount: decimal("0.05"), unit: "USDUnit" } }],
      provider: ann.party,
      dso: network.dso,
      expiresAt: stage.inFuture(HOUR),
      description,
    });
    return stage.submit(ann, both, [request])[0] as ContractId;
  };
  const pay = (description: string) => {
    stage.batch(ben, [{ tag: "CO_AppPayment", value: ask(description) }]);
    return network.active(AcceptedAppPayment).at(-1)?.contractId as ContractId;
  };
  const context = () => {
    const { amuletRules, context: paying } = stage.context(ann);
    return { amuletRules, openMiningRound: paying.openMiningRound, featuredAppRight: null };
  };
  const collect = exerciseCommand(AcceptedAppPayment, pay("a coffee"), "AcceptedAppPayment_Collect", {
    context: context(),
  });
  stage.submit(ann, both, [collect]);
  const declined = { context: context() };
  stage.use(ann, [AcceptedAppPayment, pay("a tea")], "AcceptedAppPayment_Reject", declined);
  stage.forward(ben, "WalletAppInstall_AppPaymentRequest_Reject", { cid: ask("a cake") });
  stage.use(ann, [AppPaymentRequest, ask("sold out")], "AppPaymentRequest_Withdraw", {});
  const late = ask("forgotten");
  network.advance(HOUR);
  stage.forward(ben, "WalletAppInstall_AppPaymentRequest_Expire", { cid: late });
  stage.dso.dso.advanceRounds();
}

function preapprove(stage: EconomyStage): void {
  const { ann, ben, cho, network } = stage;
  const [sv] = stage.svs as [SvActor];
  const newest = () => network.active(TransferPreapproval, network.dso).at(-1)?.contractId as ContractId;
  const { context } = stage.context(ann);
  const amuletRules = network.only(AmuletRules).contractId;
  const paid = { context: { amuletRules, context }, inputs: ann.coins(), expectedDso: network.dso };
  // Ann provides for Ben, as validators do for their users.
  accept(
    ann.exercise(
      "AmuletRules_CreateTransferPreapproval",
      { ...paid, receiver: ben.party, provider: ann.party, expiresAt: stage.inFuture(30n * DAY) },
      [ann.party, ben.party],
    ),
  );
  const value = {
    transferPreapprovalCid: newest(),
    providerFeaturedAppRightCid: null,
    amount: decimal("3.0"),
    description: "a gift",
  };
  const send = [{ tag: "CO_TransferPreapprovalSend", value }] as const;
  stage.batch(cho, send, cho.coins(), [value.transferPreapprovalCid]);
  stage.use(ann, [TransferPreapproval, newest()], "TransferPreapproval_Renew", {
    context: stage.context(ann),
    inputs: ann.coins(),
    newExpiresAt: stage.inFuture(40n * DAY),
  });
  stage.use(ben, [TransferPreapproval, newest()], "TransferPreapproval_Cancel", { p: ben.party });
  propose(stage);
  network.moveClock(41n * DAY);
  network.advance(HOUR);
  stage.dso.dso.advanceRounds();
  accept(sv.act("DsoRules_ExpireTransferPreapproval", { transferPreapprovalCid: newest() }));
  stage.batch(ann, [{ tag: "CO_Tap", value: { tapAmount: decimal("50.0") } }], []);
}

/** By proposals: a user asks its validator, and that invites a party that signs outside. */
function propose(stage: EconomyStage): void {
  const { north, ben, dia, network } = stage;
  const { party } = north;
  const install = { dsoParty: network.dso, validatorParty: party, endUserName: "north", endUserParty: party };
  stage.submit(north, [party], [createCommand(WalletAppInstall, install)]);
  stage.batch(north, [{ tag: "CO_Tap", value: { tapAmount: decimal("500.0") } }], []);
  const proposal = { receiver: ben.party, provider: party, expectedDso: network.dso };
  const asked = createCommand(TransferPreapprovalProposal, proposal);
  const [preapprovalProposalCid] = stage.submit(ben, [ben.party], [asked]) as [ContractId];
  const accepting = { preapprovalProposalCid, expiresAt: stage.inFuture(20n * DAY) };
  stage.batch(north, [{ tag: "CO_AcceptTransferPreapprovalProposal", value: accepting }]);
  const invite = () => {
    const value = { externalParty: dia.party, preapprovalExpiresAt: stage.inFuture(10n * DAY) };
    stage.batch(north, [{ tag: "CO_CreateExternalPartySetupProposal", value }]);
    return network.active(ExternalPartySetupProposal, network.dso).at(-1)?.contractId as ContractId;
  };
  stage.use(dia, [ExternalPartySetupProposal, invite()], "ExternalPartySetupProposal_Accept", {});
  const unwanted = invite();
  stage.use(dia, [ExternalPartySetupProposal, unwanted], "ExternalPartySetupProposal_Reject", {
    reason: "no",
  });
}
