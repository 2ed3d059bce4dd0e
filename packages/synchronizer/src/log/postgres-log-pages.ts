/** Reads the batches behind an entry. */
import type { PostgresConnection, SqlRow } from "@callsign/node";
import { LOG_PAGE, LOG_PAGE_CHARACTERS } from "../limits/limits.ts";
import { cutPages } from "./log-pages.ts";
import { type LogHead, type LogPage, LogTrimmed } from "./ordered-log.ts";
import { READ_ENTRIES } from "./postgres-log-schema.ts";

/**
 * The entries of a few batches, as pages; none if the log has nothing behind that entry. They lack the term while it has no name
 * yet. Throws a `LogTrimmed`.
 */
export async function readPages(connection: PostgresConnection, after: number): Promise<readonly LogPage[]> {
  const { rows } = await connection.query({
    text: READ_ENTRIES,
    name: "entries",
    parameters: [after, LOG_PAGE, LOG_PAGE_CHARACTERS],
  });
  const batches = [...Map.groupBy(rows, (row) => row["last_sequence"]).values()].map((entries) => {
    const first = entries[0] as SqlRow;
    const sequence = Number(first["sequence"]) - 1;
    return {
      // Its hash stands in no row.
      after: { sequence, entryHash: "" },
      head: headOf(first),
      entries: entries.map((row) => textOf(row, after)),
    };
  });
  const term = rows[0]?.["term"];
  const pages = [...cutPages(batches, after)];
  return typeof term === "string" ? pages.map((page) => ({ ...page, term })) : pages;
}

/** The row of the anchor has no entry. */
function textOf(row: SqlRow, after: number): string {
  const bytes = row["entry"];
  if (!(bytes instanceof Uint8Array)) throw new LogTrimmed(after, headOf(row));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** The end of the row's batch. */
export function headOf(row: SqlRow): LogHead {
  return { sequence: Number(row["last_sequence"]), entryHash: String(row["last_hash"]) };
}
