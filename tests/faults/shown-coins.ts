/** The coin that a participant shows. */
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { SharedLogNetwork } from "../operator/shared-log-network.ts";
import { listActiveContracts } from "../support/active-contracts.ts";
import { FAULT_PATIENCE_MILLISECONDS } from "./patience.ts";

const COIN = "#splice-amulet:Splice.Amulet:Amulet";
const LOCKED_COIN = "#splice-amulet:Splice.Amulet:LockedAmulet";

type Ledger = ReturnType<SharedLogNetwork["ledger"]>;

interface CoinJson {
  readonly owner: string;
  readonly amount: { readonly initialAmount: string };
}

/** The coin of parties as their participant shows it, in units of the last digit. */
export async function readCoins(
  ledger: Ledger,
  parties: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const shown = new Map<string, bigint>();
  for (const party of parties) {
    let sum = 0n;
    for (const template of [COIN, LOCKED_COIN]) {
      for (const { argument } of await listActiveContracts(ledger, party, template)) {
        const held = argument as unknown as CoinJson & { readonly amulet?: CoinJson };
        const coin = held.amulet ?? held;
        if (coin.owner === party) sum += decimal(coin.amount.initialAmount);
      }
    }
    shown.set(party, sum);
  }
  return shown;
}

/** Resolves when no payment of the parties is under way: its coin is locked until the SVs have collected or refused it. */
export async function untilPaid(ledger: Ledger, parties: readonly string[]): Promise<void> {
  const arePaid = async () => {
    const locked = await Promise.all(parties.map((party) => listActiveContracts(ledger, party, LOCKED_COIN)));
    return locked.every((coins) => coins.length === 0);
  };
  await until(arePaid, "no payment is under way", FAULT_PATIENCE_MILLISECONDS);
}
