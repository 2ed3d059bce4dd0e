/**
 * The changes of names in a log entry: who has a name from then on and until when, and what was paid or given back for it.
 * They are read from the transaction itself, whatever way led to it.
 */
import {
  type Amulet,
  AnsEntry,
  AnsRules,
  type ContractId,
  completeName,
  type Decimal,
  type ExerciseNode,
  type Network,
  type Outcome,
  type PartyId,
  type PayloadOf,
  type SubscriptionIdleState,
  TakeUpRequest,
  type Time,
  type TransactionNode,
} from "@callsign/ledger";
import { findCreated } from "./find-created.ts";
import { findRefund } from "./name-refunds.ts";

/** `carried`: the entry comes from the network's log before. */
export type NameChangeKind = "registered" | "renewed" | "taken-up" | "expired" | "refunded" | "carried";

export interface NameChange {
  /** The place within the log entry. */
  readonly nodeId: number;
  readonly kind: NameChangeKind;
  readonly name: string;
  /** For a refund, the party that had paid. */
  readonly owner: PartyId;
  /** Null for a refund. */
  readonly expiresAt: Time | null;
  /** The expiry before a renewal or a take-up. */
  readonly formerExpiry: Time | null;
  /** In dollars; null if nothing was paid, or the price was in coin. */
  readonly usd: Decimal | null;
  /** The coin that was burned or, for a refund, given back. */
  readonly amulet: Decimal | null;
}

/** Names and expiries of contracts that an entry archives, as they were before it. */
export type FindEntry = (
  contractId: ContractId,
) => { readonly name: string; readonly owner: PartyId; readonly expiresAt: Time } | undefined;

type Entry = PayloadOf<typeof AnsEntry>;
type IdleState = PayloadOf<typeof SubscriptionIdleState>;

export function listNameChanges(
  outcome: Outcome,
  { dso, acronym }: Pick<Network, "dso" | "acronym">,
  findEntry: FindEntry,
): readonly NameChange[] {
  const { created, archived, verdict } = outcome;
  const nodes = verdict.kind === "accepted" ? (verdict.transaction?.nodes ?? []) : [];
  const made = created.flatMap((node) => {
    if (node.contract.templateId !== AnsEntry.id) return [];
    const entry = node.value as Entry;
    if (entry.dso !== dso) return [];
    const origin = outcome.imported === null ? findOrigin(nodes, node.contract.contractId, entry) : CARRIED;
    const { user: owner, name, expiresAt } = entry;
    return [{ nodeId: node.nodeId, name, owner, expiresAt, ...origin }];
  });
  const expired = archived.flatMap((node) => {
    if (node.templateId !== AnsEntry.id || node.choice === "AnsEntry_Renew") return [];
    const entry = findEntry(node.contractId);
    return entry === undefined
      ? []
      : [{ ...NOTHING_PAID, ...entry, nodeId: node.nodeId, kind: "expired" as const }];
  });
  const refunds = nodes.flatMap((node) => {
    const refund = node.kind === "exercise" ? findRefund(node, nodes, dso) : undefined;
    const name = refund === undefined ? undefined : completeName(refund.name, acronym);
    if (refund === undefined || name?.ok !== true || name.value !== refund.name) return [];
    return [{ ...NOTHING_PAID, ...refund, nodeId: node.nodeId, kind: "refunded" as const, expiresAt: null }];
  });
  return [...made, ...expired, ...refunds].sort((a, b) => a.nodeId - b.nodeId);
}

const NOTHING_PAID = { usd: null, amulet: null, formerExpiry: null } as const;
const CARRIED = { ...NOTHING_PAID, kind: "carried" } as const;

interface MadeEntry {
  readonly entryCid?: ContractId;
}

type Origin = Pick<NameChange, "kind" | "usd" | "amulet" | "formerExpiry">;

/** The choice that made an entry, and the payment in it. */
function findOrigin(nodes: readonly TransactionNode[], entryCid: ContractId, { expiresAt }: Entry): Origin {
  let kind: NameChangeKind = "registered";
  let formerExpiry: Time | null = null;
  let paid: Pick<Origin, "usd" | "amulet"> = NOTHING_PAID;
  for (const node of nodes) {
    if (node.kind !== "exercise" || (node.result.value as MadeEntry | null)?.entryCid !== entryCid) continue;
    if (node.templateId === TakeUpRequest.id) kind = "taken-up";
    if (node.templateId === AnsRules.id) paid = findPayment(nodes, node);
    if (node.templateId === AnsEntry.id) {
      if (kind === "registered") kind = "renewed";
      const { extension } = node.argument.value as { readonly extension: { readonly microseconds: bigint } };
      formerExpiry = (expiresAt - extension.microseconds) as Time;
    }
  }
  return { kind, formerExpiry, ...paid };
}

/** The fee of the subscription that a collection leaves idle, and the coin that it hands over to be burned. */
function findPayment(
  nodes: readonly TransactionNode[],
  collection: ExerciseNode,
): Pick<Origin, "usd" | "amulet"> {
  const { subscriptionStateCid } = collection.result.value as { readonly subscriptionStateCid: ContractId };
  const state = findCreated(nodes, subscriptionStateCid)?.value as IdleState | undefined;
  const price = state?.payData.paymentAmount;
  const collected = nodes.find(
    (node): node is ExerciseNode =>
      node.kind === "exercise" &&
      node.nodeId > collection.nodeId &&
      node.nodeId <= collection.lastDescendant &&
      node.choice.endsWith("Payment_Collect"),
  );
  const { amulet } = (collected?.result.value ?? {}) as { readonly amulet?: ContractId };
  const coin = amulet === undefined ? undefined : (findCreated(nodes, amulet)?.value as Amulet | undefined);
  return {
    usd: price?.unit === "USDUnit" ? price.amount : null,
    amulet: coin?.amount.initialAmount ?? null,
  };
}
