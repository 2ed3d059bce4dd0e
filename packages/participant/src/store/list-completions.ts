/** Completions, a page at a time: of one user, or of all users for some parties or for all. */
import type { StreamCompletion } from "@callsign/api";
import type { SqlRow } from "@callsign/node";
import { checkNotPruned } from "./check-not-pruned.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { SubmissionContext } from "./submission-notes.ts";

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

export interface CompletionPage {
  /** Null for all users. */
  readonly userId: string | null;
  /** One of the acting parties must be among these; null for all. Not applied to the completions of one user. */
  readonly parties: ReadonlySet<string> | null;
  readonly beginExclusive: number;
  readonly endInclusive: number;
  readonly limit: number;
}

export async function listCompletions(
  ledger: LedgerStore,
  page: CompletionPage,
): Promise<readonly StoredCompletion[]> {
  const completions: StoredCompletion[] = [];
  for (const offset of await listOffsets(ledger, page)) {
    const stored = await ledger.findItem(Number(offset));
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

/** Offsets in order. A short range includes completions of other parties. */
async function listOffsets(ledger: LedgerStore, page: CompletionPage): Promise<readonly bigint[]> {
  const { sql, names } = ledger;
  const bounds = [page.beginExclusive, page.endInclusive, page.limit].map(BigInt);
  const rest = "ledger_offset > $1 and ledger_offset <= $2 order by ledger_offset limit $3";
  if (page.userId !== null) {
    return offsetsOf(
      await sql.all(
        `select ledger_offset from user_completion where user_id = $4 and ${rest}`,
        ...bounds,
        page.userId,
      ),
    );
  }
  // A reader that follows the ledger for many parties asks about an offset or two each time.
  const offsetCount = page.endInclusive - page.beginExclusive;
  if (page.parties === null || (offsetCount < page.parties.size && offsetCount <= page.limit)) {
    return offsetsOf(await sql.all(`select ledger_offset from completion where ${rest}`, ...bounds));
  }
  const offsets = new Set<bigint>();
  for (const party of page.parties) {
    const number = await names.find(sql, party);
    if (number === undefined) continue;
    const rows = await sql.all(
      `select ledger_offset from party_completion where party_number = $4 and ${rest}`,
      ...bounds,
      number,
    );
    for (const offset of offsetsOf(rows)) offsets.add(offset);
  }
  return [...offsets].sort((a, b) => (a < b ? -1 : 1)).slice(0, page.limit);
}

function offsetsOf(rows: readonly SqlRow[]): readonly bigint[] {
  return rows.map((row) => row["ledger_offset"] as bigint);
}
