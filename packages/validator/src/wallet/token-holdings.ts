/**
 * The coins of a wallet as inputs of the token standard's choices, which mint nothing. Coin that was locked for a
 * transfer or an allocation whose time is over counts too: the choices take such a lock off.
 */
import {
  Amulet,
  AmuletAllocation,
  AmuletTransferInstruction,
  type ContractId,
  type Decimal,
  formatDecimalShort,
  LockedAmulet,
} from "@callsign/ledger";
import { ValidatorError } from "../errors/validator-error.ts";
import { MAX_COINS } from "../limits/limits.ts";
import { type Coin, selectInputs } from "./select-inputs.ts";
import type { WalletParts } from "./wallet-ledger.ts";

type HoldingParts = Pick<WalletParts, "store" | "facts" | "clock">;

/** Throws at once if there are none: the ledger refuses a payment without holdings for another reason than its amount. */
export async function gatherHoldings(
  parts: HoldingParts,
  owner: string,
  amount: Decimal,
): Promise<readonly ContractId[]> {
  const { store, facts } = parts;
  const held = await store.list(Amulet, { owner }, MAX_COINS);
  const coins = held.map(({ contractId, payload }) => coinOf(contractId, payload.amount.initialAmount));
  const unlocked = await listUnlockable(parts, owner);
  const { maxInputs } = await facts.coinContext();
  const inputs = selectInputs({ coins: [...coins, ...unlocked], rewards: [], others: [] }, maxInputs);
  const holdingCids = inputs.flatMap((input) => (input.tag === "InputAmulet" ? [input.value] : []));
  if (holdingCids.length === 0)
    throw new ValidatorError({ kind: "not-enough-coin", missing: formatDecimalShort(amount) });
  return holdingCids;
}

/** The payments of names and applications have locks, too: those are for their own contracts to take off. */
async function listUnlockable({ store, clock }: HoldingParts, owner: string): Promise<readonly Coin[]> {
  const transfers = await store.list(AmuletTransferInstruction, { owner });
  const allocations = await store.list(AmuletAllocation, { owner });
  const over = [
    ...transfers.filter(({ payload }) => payload.transfer.executeBefore <= clock.now),
    ...allocations.filter(({ payload }) => payload.allocation.settlement.settleBefore <= clock.now),
  ];
  const coins: Coin[] = [];
  for (const { payload } of over) {
    const locked = await store.find(LockedAmulet, payload.lockedAmulet);
    if (locked !== undefined)
      coins.push(coinOf(locked.contractId, locked.payload.amulet.amount.initialAmount));
  }
  return coins;
}

function coinOf(value: ContractId, amount: Decimal): Coin {
  return { amount, input: { tag: "InputAmulet", value } };
}
