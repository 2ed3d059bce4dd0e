/** Names on an operator's network, by the wallet of a node. */
import { vi } from "vitest";
import { HttpError } from "../../packages/api/src/index.ts";
import type { OperatorNetwork, OperatorNode } from "./operator-network.ts";

export interface FoundName {
  readonly name: string;
  readonly owner: string;
  /** The time of its expiry, in milliseconds. */
  readonly end: number;
}

/** Resolves when the name is live. */
export async function buyName(
  network: OperatorNetwork,
  node: OperatorNode,
  chosen: string,
): Promise<FoundName> {
  const validator = network.validator(node);
  await validator.tap({ body: { amount: "10.0" } });
  const body = { name: chosen, url: "", description: "" };
  const { subscriptionRequestCid, name } = await validator.createAnsEntry({ body });
  await validator.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  const isLive = async () => (await findName(network, node, name)) ?? false;
  return vi.waitUntil(isLive, { interval: 50, timeout: 60_000 });
}

/** By the scans, through the node's validator; null if nobody has the name. */
export async function findName(
  network: OperatorNetwork,
  node: OperatorNode,
  name: string,
): Promise<FoundName | null> {
  try {
    const { entry } = await network.validator(node).scanProxyLookupAnsEntryByName({ params: { name } });
    return { name, owner: entry.user, end: Date.parse(entry.expires_at ?? "") };
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null;
    throw error;
  }
}
