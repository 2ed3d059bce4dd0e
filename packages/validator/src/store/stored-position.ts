/** The place in the ledger that the copy has come to. */
import type { Sql } from "@callsign/node";

export interface Position {
  readonly offset: number;
  readonly recordTime: bigint;
}

/** The copy is at another offset than this process left it: its database's server lost the last commits. */
export class CopyMoved extends Error {
  override readonly name = "CopyMoved";
  readonly offset: number;

  constructor(offset: number) {
    super(`the copy of the ledger is at offset ${offset}`);
    this.offset = offset;
  }
}

export async function readPosition(sql: Sql): Promise<Position> {
  const row = await sql.get("select ledger_offset, record_time from position where id = 1");
  const [offset, recordTime] = [row?.["ledger_offset"], row?.["record_time"]];
  return { offset: Number(offset ?? 0), recordTime: typeof recordTime === "bigint" ? recordTime : 0n };
}

/** Throws a `CopyMoved` if the position is neither the one to move from nor the one to move to. */
export async function movePosition(sql: Sql, from: number, { offset, recordTime }: Position): Promise<void> {
  const moved = await sql.run(
    "update position set ledger_offset = $1, record_time = $2 where id = 1 and ledger_offset in ($1, $3)",
    ...[BigInt(offset), recordTime, BigInt(from)],
  );
  if (moved > 0) return;
  const { offset: stored } = await readPosition(sql);
  if (stored !== from && stored !== offset) throw new CopyMoved(stored);
  // A new store has no position.
  await sql.run(
    "insert into position (id, ledger_offset, record_time) values (1, $1, $2)",
    ...[BigInt(offset), recordTime],
  );
}
