/** Wallets on a network whose days pass. The first SV buys traffic for their validators, as newcomers may send little. */
import type { PartyId } from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { EconomyWallet } from "../../packages/ledger/testing/economy-wallet.ts";
import { usableRound } from "../../packages/ledger/testing/open-rounds.ts";
import type { DaysNetwork } from "../support/days-network.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { Wallet } from "./wallet.ts";

export function svWallet(network: DaysNetwork): EconomyWallet<Promise<unknown>> {
  const [sv] = network.svs;
  if (sv === undefined) throw new Error("no SV is open");
  const { id, namespace, namespaceKey, signingKey } = sv.identity;
  const party = `sv-1::${namespace}` as PartyId;
  return new EconomyWallet(network, { id: id as PartyId, namespaceKey, signingKey, party });
}

/** Newcomers may send little before that. */
export async function buyTraffic(network: DaysNetwork, member: string): Promise<void> {
  const sv = svWallet(network);
  await sv.exercise("AmuletRules_DevNet_Tap", {
    ...{ receiver: sv.party, amount: decimal("10000.0") },
    openRound: usableRound(network),
  });
  await sv.buyTraffic(`PAR::${member}`, 1_000_000n, sv.coins());
}

export async function openWallet(network: DaysNetwork, name: string): Promise<Wallet> {
  await buyTraffic(network, identityNamed(`${name}-validator`).id);
  return Wallet.open(network, name);
}
