/**
 * The items that an update adds to a party's history. Each change of the party's coin belongs to exactly one item, the
 * innermost one that covers it, so the amounts of a history always add up to the balance. A change that no rule covers becomes
 * an item of the choice that made it.
 */
import type { Transaction, TransactionItem } from "@callsign/api";
import {
  Amulet,
  type Decimal,
  decimalFromUnits,
  formatDecimal,
  formatTime,
  isDecimalUnits,
  LockedAmulet,
  parseTime,
  ZERO,
} from "@callsign/ledger";
import { type CoinChange, listCoinChanges } from "./coin-changes.ts";
import { isOf, payloadOf } from "./event-values.ts";
import { balanceDraft, type ItemDraft, type PartyView, type TransferDraft } from "./item-draft.ts";
import { findItemRule } from "./item-rules.ts";
import { findKnown, type KnownFacts } from "./known-contracts.ts";
import { draftOffer } from "./token-rules.ts";
import { type ExercisedNode, listNodes, rootsSeenBy, type UpdateNode } from "./update-tree.ts";

export interface HistoryItem {
  readonly nodeId: number;
  readonly item: TransactionItem;
}

export interface HistoryTerms {
  readonly dso: string;
  readonly acronym: string;
}

export function deriveItems(
  update: Transaction,
  party: string,
  known: KnownFacts,
  { dso, acronym }: HistoryTerms,
): readonly HistoryItem[] {
  const roots = rootsSeenBy(party, update);
  if (roots.length === 0) return [];
  const changes = listCoinChanges(roots, known, dso);
  const draftBelow = (nodes: readonly UpdateNode[]) => nodes.flatMap((node) => draft(node, view));
  const view: PartyView = { party, dso, acronym, known, coins: listCoins(roots, known), draftBelow };
  const drafts = [...draftBelow(roots)];
  for (const change of changes.filter(({ owner }) => owner === party))
    if (!drafts.some((each) => covers(each, change))) drafts.push(draftBare(roots, change));
  const amounts = attribute(drafts, changes);
  return drafts
    .filter(({ scope }) => !hasOtherCoin(scope, dso))
    .flatMap((each) => finish(each, { update, party, amountOf: amounts(each) }));
}

/** Anybody can make coin in which they themselves are the DSO. */
function hasOtherCoin(scope: UpdateNode, dso: string): boolean {
  for (const { kind, event } of listNodes(scope)) {
    if (kind !== "created") continue;
    if (isOf(event, Amulet) && payloadOf(Amulet, event).dso !== dso) return true;
    if (isOf(event, LockedAmulet) && payloadOf(LockedAmulet, event).amulet.dso !== dso) return true;
  }
  return false;
}

function draft(node: UpdateNode, view: PartyView): readonly ItemDraft[] {
  if (node.kind === "created") return draftOffer(node, view);
  return findItemRule(node)?.(node, view) ?? view.draftBelow(node.children);
}

/** A draft for a change that no rule covers: an item of the innermost choice above it. */
function draftBare(roots: readonly UpdateNode[], { nodeId }: CoinChange): ItemDraft {
  let innermost: ExercisedNode | undefined;
  let bare: UpdateNode | undefined;
  for (const root of roots) {
    for (const node of listNodes(root)) {
      if (node.nodeId > nodeId || node.lastNodeId < nodeId) continue;
      bare = node;
      if (node.kind === "exercised") innermost = node;
    }
  }
  if (innermost !== undefined) return balanceDraft(innermost);
  if (bare?.kind !== "created") throw new Error(`no event has the node id ${nodeId}`);
  const { templateId: template_id } = bare.event;
  const subtype = { template_id, choice: "Create", amulet_operation: null, interface_id: null };
  const nothing = { about: null, instructionCid: null, name: null, refundReason: null };
  return { kind: "balance", nodeId, scope: bare, subtype, ...nothing };
}

function covers({ kind, scope }: ItemDraft, { nodeId }: CoinChange): boolean {
  return kind !== "notification" && scope.nodeId <= nodeId && nodeId <= scope.lastNodeId;
}

/** The sums of each draft's changes by owner. */
function attribute(drafts: readonly ItemDraft[], changes: readonly CoinChange[]) {
  const sums = new Map<ItemDraft, Map<string, bigint>>(drafts.map((each) => [each, new Map()]));
  for (const change of changes) {
    const [innermost] = drafts
      .filter((each) => covers(each, change))
      .sort((a, b) => widthOf(a.scope) - widthOf(b.scope));
    const owned = innermost && sums.get(innermost);
    owned?.set(change.owner, (owned.get(change.owner) ?? 0n) + change.amount);
  }
  return (each: ItemDraft) => (party: string) => sums.get(each)?.get(party) ?? 0n;
}

function widthOf({ nodeId, lastNodeId }: UpdateNode): number {
  return lastNodeId - nodeId;
}

/** The amounts of all coins whose payload is known. */
function listCoins(roots: readonly UpdateNode[], known: KnownFacts): ReadonlyMap<string, bigint> {
  const coins = new Map<string, bigint>();
  for (const root of roots) {
    for (const { kind, event } of listNodes(root)) {
      if (!isOf(event, Amulet) || coins.has(event.contractId)) continue;
      const coin = kind === "created" ? payloadOf(Amulet, event) : findKnown(known, Amulet, event.contractId);
      if (coin !== undefined) coins.set(event.contractId, coin.amount.initialAmount);
    }
  }
  return coins;
}

interface Finishing {
  readonly update: Pick<Transaction, "updateId" | "effectiveAt">;
  readonly party: string;
  readonly amountOf: (party: string) => bigint;
}

function finish(given: ItemDraft, { update, party, amountOf }: Finishing): readonly HistoryItem[] {
  const { nodeId } = given;
  const common = {
    transaction_subtype: given.subtype,
    event_id: eventIdOf(update, nodeId),
    date: dateOf(update),
  };
  if (given.kind === "notification")
    return [{ nodeId, item: { transaction_type: "notification", ...common, details: given.details } }];
  const own = { party, amount: formatAmount(amountOf(party)) };
  if (given.kind === "transfer" && (given.sender === party || given.receivers.includes(party)))
    return [
      { nodeId, item: { transaction_type: "transfer", ...common, ...transferFields(given, amountOf) } },
    ];
  if (amountOf(party) === 0n && (given.kind === "transfer" || given.about !== party)) return [];
  const { instructionCid = null, name = null, refundReason = null } = given.kind === "balance" ? given : {};
  const change = {
    receivers: [own],
    transfer_instruction_cid: instructionCid,
    name,
    refund_reason: refundReason,
  };
  return [{ nodeId, item: { transaction_type: "balance_change", ...common, ...change } }];
}

function transferFields(given: TransferDraft, amountOf: Finishing["amountOf"]) {
  const { sender, receivers, summary, unknownInput, instruction } = given;
  return {
    sender: { party: sender, amount: formatAmount(amountOf(sender) - unknownInput) },
    receivers: receivers.map((party) => ({ party, amount: formatAmount(amountOf(party)) })),
    holding_fees: formatDecimal(summary?.holdingFees ?? ZERO),
    app_rewards_used: formatDecimal(summary?.inputAppRewardAmount ?? ZERO),
    validator_rewards_used: formatDecimal(summary?.inputValidatorRewardAmount ?? ZERO),
    sv_rewards_used: formatDecimal(summary?.inputSvRewardAmount ?? ZERO),
    development_fund_coupons_used: formatDecimal(summary?.inputDevelopmentFundAmount ?? ZERO),
    transfer_instruction_receiver: instruction?.receiver ?? null,
    transfer_instruction_amount:
      instruction?.amount === null || instruction === undefined ? null : formatAmount(instruction.amount),
    transfer_instruction_cid: instruction?.cid ?? null,
    description: given.description || null,
    name: given.name ?? null,
  };
}

export function eventIdOf({ updateId }: Pick<Transaction, "updateId">, nodeId: number): string {
  return `#${updateId}:${nodeId}`;
}

export function dateOf({ effectiveAt }: Pick<Transaction, "effectiveAt">): string {
  const time = parseTime(effectiveAt);
  return time.ok ? formatTime(time.value) : effectiveAt;
}

const LARGEST = decimalFromUnits(10n ** 38n - 1n);

/** Formats an amount. Sums above the largest amount, which a DevNet allows, are shown as that one. */
function formatAmount(units: bigint): string {
  if (isDecimalUnits(units)) return formatDecimal(units);
  return formatDecimal((units < 0n ? -LARGEST : LARGEST) as Decimal);
}
