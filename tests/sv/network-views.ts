/** Views of a network of SVs: its coin, its confirmations; and ways to stop and start its automations. */
import { Confirmation, type Decimal } from "../../packages/ledger/src/index.ts";
import { allCoins, sumOfCoins } from "../../packages/ledger/testing/all-coins.ts";
import type { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";

/** Free and locked, of everybody. */
export function allCoin(network: SvNetwork): Decimal {
  return sumOfCoins(allCoins(network));
}

export async function stopAll(network: SvNetwork): Promise<void> {
  for (const { automation } of network.svs) await automation.stop();
}

/** Resolves when the started automations have nothing left to do. */
export async function startAll(network: SvNetwork, svs: readonly UnservedSv[] = network.svs): Promise<void> {
  for (const { automation } of svs) automation.start();
  await network.settle(svs);
}

/** Confirmations about names. One about a round that comes after the quorum stays until it lapses. */
export function nameConfirmations(network: SvNetwork) {
  return network.active(Confirmation).filter(({ payload }) => payload.action.tag === "ARC_AnsEntryContext");
}
