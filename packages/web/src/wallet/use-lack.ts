import { useRead } from "../calls/use-calls.ts";
import { compareAmounts, subtractAmounts } from "../register/amounts.ts";

/** The coin that the user lacks for the amount; null if there is enough, or while the balance is unknown. */
export function useLack(amount: string | null): string | null {
  const { data } = useRead("validator", "GET /v0/wallet/balance", {});
  if (amount === null || data === undefined) return null;
  const available = data.effective_unlocked_qty;
  return compareAmounts(amount, available) > 0 ? subtractAmounts(amount, available) : null;
}
