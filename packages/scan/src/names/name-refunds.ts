/**
 * Payments for names that came back to their senders. The name stands in the description of the subscription, in quotes:
 * a payment without an entry has nothing else that tells it.
 */
import {
  type Amulet,
  type ContractId,
  type Decimal,
  type ExerciseNode,
  type PartyId,
  type PayloadOf,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  TerminatedSubscription,
  type TransactionNode,
} from "@callsign/ledger";
import { findCreated } from "./find-created.ts";

export interface NameRefund {
  /** As it stands in the description: perhaps no name at all. */
  readonly name: string;
  readonly owner: PartyId;
  readonly amulet: Decimal | null;
}

/** The contract that a refund leaves behind has the terms of the payment. */
const LEFT_BEHIND: ReadonlyMap<string, string> = new Map([
  [SubscriptionInitialPayment.id, TerminatedSubscription.id],
  [SubscriptionPayment.id, SubscriptionIdleState.id],
]);

// The last text of a description, in quotes, without any quote or escape of its own.
const QUOTED = /"([^"\\]+)"$/;

type Terms = Pick<PayloadOf<typeof TerminatedSubscription>, "subscriptionData">;

/** Undefined for an exercise that gives nothing back, or to do with others than the DSO. */
export function findRefund(
  node: ExerciseNode,
  nodes: readonly TransactionNode[],
  dso: PartyId,
): NameRefund | undefined {
  const left = LEFT_BEHIND.get(node.templateId);
  if (left === undefined || !/_(Reject|Expire)$/.test(node.choice)) return undefined;
  const created = nodes.find(
    (other) =>
      other.kind === "create" &&
      other.nodeId > node.nodeId &&
      other.nodeId <= node.lastDescendant &&
      other.contract.templateId === left,
  );
  if (created?.kind !== "create") return undefined;
  const { sender, receiver, dso: ofCoin, description } = (created.value as Terms).subscriptionData;
  const name = QUOTED.exec(description)?.[1];
  if (receiver !== dso || ofCoin !== dso || name === undefined) return undefined;
  const { amuletSum } = node.result.value as { readonly amuletSum: { readonly amulet: ContractId } };
  const coin = findCreated(nodes, amuletSum.amulet)?.value as Amulet | undefined;
  return { name, owner: sender, amulet: coin?.amount.initialAmount ?? null };
}
