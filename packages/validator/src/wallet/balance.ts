/** A wallet's balance. Coin is spendable in full; the holding fee only tells what its age would cost. */
import type { Balance } from "@callsign/api";
import {
  Amulet,
  type Decimal,
  decimalFromUnits,
  formatDecimal,
  holdingFee,
  isDecimalUnits,
  LockedAmulet,
  type PartyId,
} from "@callsign/ledger";
import { CACHED_WALLETS, MAX_COINS } from "../limits/limits.ts";
import type { NetworkFacts } from "../scans/network-facts.ts";
import { KeptReads } from "../store/kept-reads.ts";
import type { WalletStore } from "../store/wallet-store.ts";

/** The largest amount that the ledger holds. On a DevNet the sum of coins may exceed it. */
export const LARGEST_AMOUNT: Decimal = decimalFromUnits(10n ** 38n - 1n);

interface BalanceParts {
  readonly store: WalletStore;
  readonly facts: Pick<NetworkFacts, "usableRound" | "findUsableRound">;
}

/** The balances of wallets as JSON texts, each kept until a coin or the round changes: wallet applications ask again and again. */
export class Balances {
  readonly #parts: BalanceParts;
  readonly #texts: KeptReads<string>;

  constructor(parts: BalanceParts) {
    const changes = () => parts.store.changesOf(Amulet, LockedAmulet);
    this.#parts = parts;
    this.#texts = new KeptReads({ limit: CACHED_WALLETS, changes });
  }

  async get(party: PartyId): Promise<string> {
    const { number: round } = (await this.#parts.facts.usableRound()).payload.round;
    return await this.#texts.get(keyOf(party, round), async () =>
      JSON.stringify(await readBalance(this.#parts.store, party, round)),
    );
  }

  /** The same, if nothing has to be read for it. */
  find(party: PartyId): string | undefined {
    const usable = this.#parts.facts.findUsableRound();
    return usable === undefined ? undefined : this.#texts.find(keyOf(party, usable.payload.round.number));
  }
}

function keyOf(party: PartyId, round: bigint): string {
  return `${round} ${party}`;
}

async function readBalance(store: WalletStore, owner: PartyId, round: bigint): Promise<Balance> {
  const coins = (await store.list(Amulet, { owner }, MAX_COINS)).map((coin) => coin.payload.amount);
  const locked = (await store.list(LockedAmulet, { owner }, MAX_COINS)).map(
    (coin) => coin.payload.amulet.amount,
  );
  return {
    round: Number(round),
    effective_unlocked_qty: formatTotal(coins.map(({ initialAmount }) => initialAmount)),
    effective_locked_qty: formatTotal(locked.map(({ initialAmount }) => initialAmount)),
    total_holding_fees: formatTotal(coins.map((coin) => holdingFee(coin, round))),
  };
}

function formatTotal(amounts: readonly Decimal[]): string {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return formatCoin(total);
}

/** A sum that exceeds the largest amount is shown as that one. */
export function formatCoin(units: bigint): string {
  return formatDecimal(isDecimalUnits(units) ? units : LARGEST_AMOUNT);
}
