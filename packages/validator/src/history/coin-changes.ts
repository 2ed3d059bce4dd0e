/** The changes of coin that is not locked: each creation and each archiving of a coin, in the order of execution. */
import { Amulet } from "@callsign/ledger";
import { isOf, payloadOf } from "./event-values.ts";
import { findKnown, type KnownFacts } from "./known-contracts.ts";
import { listNodes, type UpdateNode } from "./update-tree.ts";

export interface CoinChange {
  readonly nodeId: number;
  readonly contractId: string;
  readonly owner: string;
  /** In units of 10⁻¹⁰; negative for an archived coin. */
  readonly amount: bigint;
}

/**
 * Coin of another DSO does not count, nor do archived coins that are not known: they are other people's. A new migration
 * of the network begins with its contracts, which have nothing above them and are known already.
 */
export function listCoinChanges(
  roots: readonly UpdateNode[],
  known: Pick<KnownFacts, "contracts">,
  dso: string,
): readonly CoinChange[] {
  const changes: CoinChange[] = [];
  const made = new Map<string, CoinChange>();
  for (const root of roots) {
    for (const node of listNodes(root)) {
      if (!isOf(node.event, Amulet)) continue;
      const { nodeId } = node;
      const { contractId } = node.event;
      if (node.kind === "created") {
        const coin = payloadOf(Amulet, node.event);
        const isCarriedOver = node === root && known.contracts.has(contractId);
        if (coin.dso !== dso || isCarriedOver) continue;
        const change = { nodeId, contractId, owner: coin.owner, amount: coin.amount.initialAmount };
        made.set(contractId, change);
        changes.push(change);
      } else if (node.event.consuming) {
        const coin = made.get(contractId) ?? toChange(findKnown(known, Amulet, contractId));
        if (coin === undefined) continue;
        changes.push({ nodeId, contractId, owner: coin.owner, amount: -coin.amount });
      }
    }
  }
  return changes;
}

function toChange(coin: Amulet | undefined): Pick<CoinChange, "owner" | "amount"> | undefined {
  return coin === undefined ? undefined : { owner: coin.owner, amount: coin.amount.initialAmount };
}
