/**
 * The choices that stand for an item of the history, one row each. Choices without a row are looked through: their items
 * stand below them. The subtypes and event ids are those of Splice's wallet.
 */
import {
  AcceptedAppPayment,
  AcceptedTransferOffer,
  Amulet,
  AmuletRules,
  AnsRules,
  type AnyTemplateDeclaration,
  AppPaymentRequest,
  type ChoiceName,
  LockedAmulet,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
  TransferPreapproval,
  WalletAppInstall,
} from "@callsign/ledger";
import { argumentOf, eventKey, isOf, resultOf, templateKey } from "./event-values.ts";
import { balanceDraft, type ItemDraft, type ItemRule, type PartyView, subtypeOf } from "./item-draft.ts";
import { findKnown } from "./known-contracts.ts";
import { findPaidName } from "./paid-name.ts";
import { decideRejectionReason } from "./refund-reason.ts";
import { tokenRules } from "./token-rules.ts";
import { findTransfer, spent } from "./transfer-terms.ts";
import type { ExercisedNode } from "./update-tree.ts";

const rules = new Map<string, ItemRule>(tokenRules);

function add<T extends AnyTemplateDeclaration>(template: T, choice: ChoiceName<T>, rule: ItemRule): void {
  rules.set(`${templateKey(template)}:${choice}`, rule);
}

export function findItemRule({ event }: ExercisedNode): ItemRule | undefined {
  return rules.get(`${eventKey(event)}:${event.choice}`);
}

/** One transfer, with the unlocking before it. `by`: the node that the event id names. */
function transfers(by: "its transfer" | "itself", choice?: string): ItemRule {
  return (node, view) => {
    const found = findTransfer(node, view);
    if (found === undefined) return undefined;
    const nodeId = by === "itself" ? node.nodeId : found.node.nodeId;
    const name = findPaidName(node, view.known)?.name ?? null;
    const { description } = found;
    const subtype = subtypeOf(node, choice);
    return [{ kind: "transfer", nodeId, scope: node, subtype, ...found.terms, name, description }];
  };
}

add(AmuletRules, "AmuletRules_Transfer", transfers("itself"));
add(AcceptedTransferOffer, "AcceptedTransferOffer_Complete", transfers("its transfer"));
add(AppPaymentRequest, "AppPaymentRequest_Accept", transfers("its transfer"));
add(AcceptedAppPayment, "AcceptedAppPayment_Collect", transfers("its transfer"));
add(SubscriptionRequest, "SubscriptionRequest_AcceptAndMakePayment", transfers("its transfer"));
add(SubscriptionInitialPayment, "SubscriptionInitialPayment_Collect", transfers("its transfer"));
add(SubscriptionIdleState, "SubscriptionIdleState_MakePayment", transfers("its transfer"));
add(SubscriptionPayment, "SubscriptionPayment_Collect", transfers("its transfer"));
add(AnsRules, "AnsRules_CollectInitialEntryPayment", transfers("itself"));
add(AnsRules, "AnsRules_CollectEntryRenewalPayment", transfers("itself"));
add(TransferPreapproval, "TransferPreapproval_SendV2", transfers("itself", "TransferPreapproval_Send"));
add(TransferPreapproval, "TransferPreapproval_Send", (node, view) => {
  const { description } = argumentOf(TransferPreapproval, "TransferPreapproval_Send", node.event);
  return transfers("its transfer")(node, view)?.map((draft) => ({ ...draft, description }));
});

/** Coin that the wallet merged by itself is shown differently from transfers to oneself. */
add(WalletAppInstall, "WalletAppInstall_ExecuteBatch", (batch, view) =>
  batch.children.flatMap((child): readonly ItemDraft[] => {
    const isMerge =
      child.kind === "exercised" &&
      child.event.choice === "AmuletRules_Transfer" &&
      isOf(child.event, AmuletRules);
    const drafts = view.draftBelow([child]);
    return isMerge ? drafts.map((draft) => ({ ...draft, subtype: subtypeOf(batch) })) : drafts;
  }),
);

/** Coin that a wallet burns for something. */
function burns<T extends AnyTemplateDeclaration, C extends ChoiceName<T>>(
  template: T,
  choice: C,
  read: (node: ExercisedNode, view: PartyView) => { readonly sender: string } & ReturnType<typeof spent>,
  shownAs: string = choice,
): void {
  add(template, choice, (node, view) => {
    const terms = read(node, view);
    const receivers = (terms.summary?.balanceChanges ?? [])
      .map(([party]) => party)
      .filter((party) => party !== terms.sender);
    const subtype = subtypeOf(node, shownAs);
    return [{ kind: "transfer", nodeId: node.nodeId, scope: node, subtype, ...terms, receivers }];
  });
}

burns(AmuletRules, "AmuletRules_BuyMemberTraffic", ({ event }, view) => {
  const { provider, inputs } = argumentOf(AmuletRules, "AmuletRules_BuyMemberTraffic", event);
  const { summary } = resultOf(AmuletRules, "AmuletRules_BuyMemberTraffic", event);
  return { sender: provider, ...spent(summary, inputs, view) };
});
burns(
  AmuletRules,
  "AmuletRules_CreateExternalPartySetupProposal",
  ({ event }, view) => {
    const choice = "AmuletRules_CreateExternalPartySetupProposal";
    const { validator, inputs } = argumentOf(AmuletRules, choice, event);
    const { summary } = resultOf(AmuletRules, choice, event).transferResult;
    return { sender: validator, ...spent(summary, inputs, view) };
  },
  "AmuletRules_CreateTransferPreapproval",
);
burns(AmuletRules, "AmuletRules_CreateTransferPreapproval", ({ event }, view) => {
  const choice = "AmuletRules_CreateTransferPreapproval";
  const { provider, inputs } = argumentOf(AmuletRules, choice, event);
  const { summary } = resultOf(AmuletRules, choice, event).transferResult;
  return { sender: provider, ...spent(summary, inputs, view) };
});
burns(TransferPreapproval, "TransferPreapproval_Renew", ({ event }, view) => {
  const { inputs } = argumentOf(TransferPreapproval, "TransferPreapproval_Renew", event);
  const { provider, transferResult } = resultOf(TransferPreapproval, "TransferPreapproval_Renew", event);
  return { sender: provider, ...spent(transferResult.summary, inputs, view) };
});

for (const choice of ["AmuletRules_DevNet_Tap", "AmuletRules_Mint"] as const)
  add(AmuletRules, choice, (node) => [balanceDraft(node)]);
for (const choice of ["AcceptedAppPayment_Reject", "AcceptedAppPayment_Expire"] as const)
  add(AcceptedAppPayment, choice, (node) => [balanceDraft(node)]);

for (const choice of ["LockedAmulet_Unlock", "LockedAmulet_OwnerExpireLock"] as const) {
  add(LockedAmulet, choice, (node) => [balanceDraft(node)]);
  add(LockedAmulet, `${choice}V2`, (node) => [balanceDraft(node, { choice })]);
}

/** Dust that the DSO removed: the owner's history has it, also where the coin was locked. */
function expires(choice: string, ownerOf: (event: ExercisedNode["event"]) => string): ItemRule {
  return (node, { dso }) => {
    const isOfDso = node.event.actingParties.includes(dso);
    return [balanceDraft(node, { choice, about: isOfDso ? ownerOf(node.event) : null })];
  };
}

for (const choice of ["Amulet_Expire", "Amulet_ExpireV2"] as const)
  add(
    Amulet,
    choice,
    expires("Amulet_Expire", (event) => resultOf(Amulet, choice, event).expireSum.owner),
  );
for (const choice of ["LockedAmulet_ExpireAmulet", "LockedAmulet_ExpireAmuletV2"] as const)
  add(
    LockedAmulet,
    choice,
    expires("LockedAmulet_ExpireAmulet", (event) => resultOf(LockedAmulet, choice, event).expireSum.owner),
  );

add(SubscriptionInitialPayment, "SubscriptionInitialPayment_Reject", (node, { known, acronym }) => {
  const { event } = node;
  const { amuletSum } = resultOf(SubscriptionInitialPayment, "SubscriptionInitialPayment_Reject", event);
  const payment = findKnown(known, SubscriptionInitialPayment, event.contractId);
  const requested = findPaidName(node, known);
  if (payment === undefined || requested === undefined) return [balanceDraft(node)];
  const rounds = { paidIn: payment.round.number, rejectedIn: amuletSum.round.number };
  const refundReason = decideRejectionReason(requested, rounds, acronym);
  return [balanceDraft(node, { name: requested.name, refundReason })];
});
/** A renewal is given back only when it can never be collected any more. */
add(SubscriptionPayment, "SubscriptionPayment_Reject", (node, { known }) => {
  const name = findPaidName(node, known)?.name ?? null;
  return [balanceDraft(node, { name, refundReason: name === null ? null : "too_late" })];
});
const isNotCollected: ItemRule = (node, { known }) => {
  const name = findPaidName(node, known)?.name ?? null;
  return [balanceDraft(node, { name, refundReason: name === null ? null : "not_collected" })];
};
add(SubscriptionInitialPayment, "SubscriptionInitialPayment_Expire", isNotCollected);
add(SubscriptionPayment, "SubscriptionPayment_Expire", isNotCollected);

add(SubscriptionIdleState, "SubscriptionIdleState_ExpireSubscription", (node, { known }) => {
  const choice = "SubscriptionIdleState_ExpireSubscription";
  const { actor } = argumentOf(SubscriptionIdleState, choice, node.event);
  const name = findPaidName(node, known)?.name;
  const what = name === undefined ? "The subscription" : `The subscription to ${name}`;
  const details = `${what} was ended by ${actor}: its last payment was not made in time.`;
  return [{ kind: "notification", nodeId: node.nodeId, scope: node, subtype: subtypeOf(node), details }];
});
