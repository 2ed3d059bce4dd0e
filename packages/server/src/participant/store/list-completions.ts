/** How a user's submissions ended, a page at a time. */
import type { StreamCompletion } from "@callsign/api";
import { checkNotPruned } from "../pruning/check-not-pruned.ts";
import type { LedgerStore } from "./ledger-store.ts";

export interface StoredCompletion {
  readonly offset: number;
  readonly recordTime: string;
  readonly completion: StreamCompletion;
  /** As its submitter called it. */
  readonly submissionId: string;
  /** The words of its error. */
  readonly cause: string | null;
}

export async function listCompletions(
  ledger: LedgerStore,
  page: {
    readonly userId: string;
    readonly beginExclusive: number;
    readonly endInclusive: number;
    readonly limit: number;
  },
): Promise<readonly StoredCompletion[]> {
  const rows = await ledger.sql.all(
    `select ledger_offset, submission_id, cause from user_completion
      where user_id = $1 and ledger_offset > $2 and ledger_offset <= $3 order by ledger_offset limit $4`,
    page.userId,
    BigInt(page.beginExclusive),
    BigInt(page.endInclusive),
    BigInt(page.limit),
  );
  const completions: StoredCompletion[] = [];
  for (const row of rows) {
    const stored = await ledger.findItem(Number(row["ledger_offset"]));
    if (stored === undefined || stored.item.completion === null) continue;
    completions.push({
      offset: stored.offset,
      recordTime: stored.item.recordTime,
      completion: stored.item.completion,
      submissionId: row["submission_id"] as string,
      cause: row["cause"] as string | null,
    });
  }
  if (page.beginExclusive < page.endInclusive) checkNotPruned(ledger, page.beginExclusive);
  return completions;
}
