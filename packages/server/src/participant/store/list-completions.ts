/** Items of the stream that end submissions of this participant, behind an offset, a page at a time. */
import { type LedgerStore, readItem, SELECT_ITEM, type StoredItem } from "./ledger-store.ts";

export async function listCompletedItems(
  { sql }: LedgerStore,
  page: { readonly beginExclusive: number; readonly endInclusive: number; readonly limit: number },
): Promise<readonly StoredItem[]> {
  const rows = await sql.all(
    `${SELECT_ITEM} where ledger_offset > $1 and ledger_offset <= $2
      and ledger_offset in (select ledger_offset from completion) order by ledger_offset limit $3`,
    BigInt(page.beginExclusive),
    BigInt(page.endInclusive),
    BigInt(page.limit),
  );
  return rows.map(readItem);
}
