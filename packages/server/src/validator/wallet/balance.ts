/** What a wallet holds. Coin is spendable in full; the holding fee only says how much of it age would cost. */
import type { Balance } from "@callsign/api";
import {
  Amulet,
  add,
  type Decimal,
  decimalFromUnits,
  formatDecimal,
  LockedAmulet,
  minimum,
  multiply,
  sum,
  ZERO,
} from "@callsign/ledger";
import { MAX_COINS, type WalletStore } from "../ledger/wallet-store.ts";
import type { NetworkFacts } from "../scan-reads/network-facts.ts";
import type { Wallet } from "./wallet.ts";

const UNIT = 10_000_000_000n;

export async function getBalance(
  store: WalletStore,
  facts: NetworkFacts,
  { party }: Wallet,
): Promise<Balance> {
  const { payload } = await facts.usableRound();
  const round = payload.round.number;
  const coins = (await store.list(Amulet, { owner: party }, MAX_COINS)).map((coin) => coin.payload.amount);
  const locked = (await store.list(LockedAmulet, { owner: party }, MAX_COINS)).map(
    (coin) => coin.payload.amulet.amount,
  );
  const fees = coins.reduce((total, coin) => add(total, holdingFee(coin, round)), ZERO);
  return {
    round: Number(round),
    effective_unlocked_qty: formatDecimal(sum(coins.map(({ initialAmount }) => initialAmount))),
    effective_locked_qty: formatDecimal(sum(locked.map(({ initialAmount }) => initialAmount))),
    total_holding_fees: formatDecimal(fees),
  };
}

/** For each round since the coin was made its rate, and never more than the coin. */
export function holdingFee(
  { initialAmount, createdAt, ratePerRound }: Amulet["amount"],
  round: bigint,
): Decimal {
  const age = round - createdAt.number;
  if (age <= 0n) return ZERO;
  return minimum(initialAmount, multiply(ratePerRound.rate, decimalFromUnits(age * UNIT)));
}
