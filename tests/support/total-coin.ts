import type { ValidatorClient } from "./network-clients.ts";

/** A wallet's coin in units of the last digit, with the fees for holding it, which are taken from it as rounds pass. */
export async function totalCoin(wallet: ValidatorClient): Promise<bigint> {
  const { effective_unlocked_qty: coins, total_holding_fees: fees } = await wallet.getBalance();
  return [coins, fees].reduce((sum, text) => sum + BigInt(text.replace(".", "")), 0n);
}
