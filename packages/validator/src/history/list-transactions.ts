/** A page of a wallet's history. */
import type { TransactionItem } from "@callsign/api";
import { ValidatorError } from "../errors/validator-error.ts";
import { MAX_ROWS } from "../limits/limits.ts";
import type { WalletHistory } from "./wallet-history.ts";

export interface TransactionsPage {
  readonly page_size: number;
  readonly begin_after_id: string | null;
}

export async function listTransactions(
  history: WalletHistory,
  party: string,
  { page_size, begin_after_id }: TransactionsPage,
): Promise<TransactionItem[]> {
  if (page_size < 1 || page_size > MAX_ROWS) {
    const text = `page_size: ${page_size} is not allowed; ask for 1 to ${MAX_ROWS} items.`;
    throw new ValidatorError({ kind: "invalid-request", text });
  }
  const after = begin_after_id === "" ? null : begin_after_id;
  return [...(await history.listItems(party, { limit: page_size, after }))];
}
