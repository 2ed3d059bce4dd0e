/** A wallet's history over HTTP, and the balance that it adds up to. */
import type { TransactionItem } from "../../packages/api/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import type { ValidatorClient } from "./network-clients.ts";

/** All items, newest first. */
export async function historyOf(wallet: ValidatorClient, pageSize = 1000): Promise<TransactionItem[]> {
  const items: TransactionItem[] = [];
  for (;;) {
    const begin_after_id = items.at(-1)?.event_id ?? "";
    const page = (await wallet.listTransactions({ body: { page_size: pageSize, begin_after_id } })).items;
    items.push(...page);
    if (page.length < pageSize) return items;
  }
}

/** The change of the party's coin, in units of 10⁻¹⁰. */
export function changeOf(item: TransactionItem, party: string): bigint {
  const changes =
    item.transaction_type === "transfer"
      ? [item.sender, ...item.receivers]
      : item.transaction_type === "balance_change"
        ? item.receivers
        : [];
  let total = 0n;
  for (const change of changes) if (change.party === party) total += decimal(change.amount);
  return total;
}

/** The sum of the history and the balance beside it, both in units of 10⁻¹⁰. */
export async function compareWithBalance(wallet: ValidatorClient): Promise<{
  readonly sum: bigint;
  readonly balance: bigint;
}> {
  const { party_id } = await wallet.userStatus();
  const read = async () => decimal((await wallet.getBalance()).effective_unlocked_qty);
  for (let balance = await read(); ; ) {
    const items = await historyOf(wallet);
    const again = await read();
    if (again === balance)
      return { sum: items.reduce((sum, item) => sum + changeOf(item, party_id), 0n), balance };
    // The wallet was paid meanwhile.
    balance = again;
  }
}
