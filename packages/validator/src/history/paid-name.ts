/** The name that a payment was for, by the subscription request that its contracts refer to. */
import {
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionPayment,
  SubscriptionRequest,
} from "@callsign/ledger";
import { isOf, payloadOf } from "./event-values.ts";
import { findKnown, type KnownFacts, type RequestedName } from "./known-contracts.ts";
import { listNodes, type UpdateNode } from "./update-tree.ts";

const REFERRING = [SubscriptionInitialPayment, SubscriptionPayment, SubscriptionIdleState];

/** Undefined if no payment at the node or below it was for a name. */
export function findPaidName(node: UpdateNode, known: KnownFacts): RequestedName | undefined {
  for (const each of listNodes(node)) {
    const reference = findReference(each, known);
    if (reference !== undefined) return known.names.get(reference);
  }
  return undefined;
}

function findReference(node: UpdateNode, known: KnownFacts): string | undefined {
  if (node.kind === "exercised" && isOf(node.event, SubscriptionRequest)) return node.event.contractId;
  for (const template of REFERRING) {
    if (!isOf(node.event, template)) continue;
    const payload =
      node.kind === "created"
        ? payloadOf(template, node.event)
        : findKnown(known, template, node.event.contractId);
    return payload?.reference;
  }
  return undefined;
}
