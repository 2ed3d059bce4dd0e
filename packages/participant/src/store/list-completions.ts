/** Completions, a page at a time: of one user, or of all users for some parties or for all. */
import type { StreamCompletion } from "@callsign/api";
import { checkNotPruned } from "./check-not-pruned.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { SubmissionContext } from "./submission-notes.ts";
import {
  isShortPage,
  listPartySources,
  type OffsetPage,
  type OffsetSource,
  walkOffsets,
} from "./walk-offsets.ts";

export interface StoredCompletion {
  readonly offset: number;
  readonly recordTime: string;
  readonly completion: StreamCompletion;
  /** The id that the submitter gave. */
  readonly submissionId: string;
  /** The text of its error. */
  readonly cause: string | null;
  readonly context: SubmissionContext;
}

export interface CompletionPage extends OffsetPage {
  /** Null for all users. */
  readonly userId: string | null;
  /** One of the acting parties must be among these; null for all. Not applied to the completions of one user. */
  readonly parties: ReadonlySet<string> | null;
}

export async function listCompletions(
  ledger: LedgerStore,
  page: CompletionPage,
): Promise<readonly StoredCompletion[]> {
  const completions: StoredCompletion[] = [];
  for (const offset of await walkOffsets(ledger, await listSources(ledger, page), page)) {
    const stored = await ledger.findItem(offset);
    if (stored === undefined || stored.item.completion === null) continue;
    const { completion, recordTime } = stored.item;
    if (!isWanted(completion, page)) continue;
    const row = await ledger.sql.get(
      "select submission_id, cause from user_completion where user_id = $1 and ledger_offset = $2",
      completion.userId,
      offset,
    );
    completions.push({
      offset: stored.offset,
      recordTime,
      completion,
      submissionId: (row?.["submission_id"] as string | undefined) ?? completion.submissionId,
      cause: (row?.["cause"] as string | null | undefined) ?? null,
      context: stored.context,
    });
  }
  if (page.beginExclusive < page.endInclusive) checkNotPruned(ledger, page.beginExclusive);
  return completions;
}

function isWanted({ actAs }: StreamCompletion, { userId, parties }: CompletionPage): boolean {
  return userId !== null || parties === null || actAs.some((party) => parties.has(party));
}

/** A short range includes completions of other parties. */
async function listSources(
  ledger: LedgerStore,
  { userId, parties, ...page }: CompletionPage,
): Promise<readonly OffsetSource[]> {
  if (userId !== null) return [{ from: "user_completion where user_id = $4", parameter: userId }];
  const isAll = parties === null || isShortPage(page, parties.size);
  return isAll ? [{ from: "completion where true" }] : listPartySources(ledger, "party_completion", parties);
}
