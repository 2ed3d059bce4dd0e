/** A wallet's coins, one by one, each with the fee that its age would cost. */
import type { AmuletList } from "@callsign/api";
import {
  Amulet,
  type AnyTemplateDeclaration,
  formatDecimal,
  holdingFee,
  LockedAmulet,
  type PayloadOf,
} from "@callsign/ledger";
import type { WalletContract } from "../store/contract-rows.ts";
import { wireContractWithState } from "../store/wire-contract.ts";
import type { Wallet } from "./wallet.ts";
import type { WalletParts } from "./wallet-ledger.ts";

export async function listAmulets(
  { store, facts }: WalletParts,
  { party: owner }: Wallet,
): Promise<AmuletList> {
  const { number: round } = (await facts.usableRound()).payload.round;
  const synchronizerId = await facts.synchronizerId();
  const positionOf = <T extends AnyTemplateDeclaration>(
    template: T,
    coin: WalletContract<PayloadOf<T>>,
    amount: Amulet["amount"],
  ) => ({
    contract: wireContractWithState(template, coin, synchronizerId),
    round: Number(round),
    accrued_holding_fee: formatDecimal(holdingFee(amount, round)),
    effective_amount: formatDecimal(amount.initialAmount),
  });
  const coins = await store.list(Amulet, { owner });
  const locked = await store.list(LockedAmulet, { owner });
  return {
    amulets: coins.map((coin) => positionOf(Amulet, coin, coin.payload.amount)),
    locked_amulets: locked.map((coin) => positionOf(LockedAmulet, coin, coin.payload.amulet.amount)),
  };
}
