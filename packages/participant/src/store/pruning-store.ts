/**
 * Prunes history. First the pruned offset is recorded, and reads up to it are refused; then rows are removed, a few in
 * each transaction, so that others can use the store in between. After an interruption, the rows that remain below the
 * pruned offset are the work that is left.
 *
 * Active contracts stay, and so do completions that deduplication may need. The database does not shrink: its free pages
 * are used again.
 */
import type { StreamItem } from "@callsign/api";
import { MAX_DEDUPLICATION_PERIOD } from "@callsign/ledger";
import type { Sql, Store } from "@callsign/node";
import { PRUNING_CHUNK } from "../limits/limits.ts";
import type { LedgerStore } from "./ledger-store.ts";
import { unpackBody } from "./packed-body.ts";
import { readContractTexts, TEXT_COLUMNS } from "./packed-contract.ts";
import { unindexItem } from "./read-index.ts";
import type { RowMemory } from "./row-memory.ts";

type Removal = (sql: Sql, prunedUpTo: bigint, memory: RowMemory) => Promise<number>;

export class PruningStore {
  readonly #store: Store;
  readonly #ledger: LedgerStore;

  constructor(store: Store, ledger: LedgerStore) {
    this.#store = store;
    this.#ledger = ledger;
  }

  /** Records the pruned offset, which lies before the ledger's end: reads up to it are refused from now on. */
  async advance(offset: number): Promise<void> {
    if (offset <= this.#ledger.prunedUpTo) return;
    const recordTime = await this.#ledger.findRecordTime(offset);
    if (recordTime === undefined) throw new Error(`there is nothing at offset ${offset} to prune up to`);
    await this.#store.transaction(async (sql) => {
      await sql.run(
        `insert into pruned_position (singleton, ledger_offset, record_time) values (1, $1, $2)
          on conflict (singleton) do update set ledger_offset = excluded.ledger_offset, record_time = excluded.record_time`,
        offset,
        recordTime,
      );
    });
    await this.#ledger.readPruned();
  }

  /** Removes one chunk of pruned rows. Returns false when none is left. */
  async removeChunk(): Promise<boolean> {
    const prunedUpTo = BigInt(this.#ledger.prunedUpTo);
    if (prunedUpTo === 0n) return false;
    return this.#store.transaction(
      async (sql) => {
        for (const remove of REMOVALS) {
          // One kind at a time bounds the work of a transaction.
          if ((await remove(sql, prunedUpTo, this.#ledger.memory)) > 0) return true;
        }
        return false;
      },
      // Rows that a power failure brings back are removed again.
      { repeatable: true },
    );
  }

  /** The last offset whose record time is before the given time, or the pruned offset. */
  async findOffsetBefore(time: bigint): Promise<number> {
    const { prunedUpTo, end } = this.#ledger;
    // Record times grow with offsets.
    let [low, high] = [prunedUpTo, end];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const recordTime = await this.#ledger.findRecordTime(middle);
      if (recordTime === undefined || recordTime >= time) high = middle - 1;
      else low = middle;
    }
    return low;
  }
}

const REMOVALS: readonly Removal[] = [
  (...given) => removeContracts(1n, ...given),
  // Contracts that were created and archived in one transaction.
  (...given) => removeContracts(0n, ...given),
  removeItems,
  removeCompletions,
];

async function removeContracts(
  activated: bigint,
  ...[sql, prunedUpTo, memory]: Parameters<Removal>
): Promise<number> {
  const rows = await sql.all(
    `select contract_number, template_number, archived_offset, ${TEXT_COLUMNS} from contract
      where activated = $1 and archived_offset <= $2 order by archived_offset limit $3`,
    activated,
    prunedUpTo,
    PRUNING_CHUNK,
  );
  const texts = await memory.contracts.load(sql);
  for (const row of rows) {
    for (const party of readContractTexts(row, texts).stakeholders) {
      await sql.run(
        `delete from stakeholder where template_number = $1 and archived_offset = $2 and contract_number = $3
          and party_number = (select name_number from name_number where name = $4)`,
        row["template_number"] as bigint,
        row["archived_offset"] as bigint,
        row["contract_number"] as bigint,
        party,
      );
    }
    await sql.run("delete from contract where contract_number = $1", row["contract_number"] as bigint);
  }
  return rows.length;
}

async function removeItems(sql: Sql, prunedUpTo: bigint, memory: RowMemory): Promise<number> {
  const rows = await sql.all(
    "select ledger_offset, body, packed from stream_item where ledger_offset <= $1 order by ledger_offset limit $2",
    prunedUpTo,
    PRUNING_CHUNK,
  );
  const bodies = await memory.bodies.load(sql);
  for (const row of rows) {
    const item = JSON.parse(unpackBody(row, bodies)) as StreamItem;
    await removeItem(sql, row["ledger_offset"] as bigint, item);
  }
  return rows.length;
}

async function removeItem(sql: Sql, offset: bigint, item: StreamItem): Promise<void> {
  const { completion, update } = item;
  for (const party of new Set(update?.events.flatMap(({ witnesses }) => witnesses))) {
    await sql.run(
      `delete from update_witness where ledger_offset = $1
        and party_number = (select name_number from name_number where name = $2)`,
      offset,
      party,
    );
  }
  if (completion !== null) {
    await sql.run(
      "delete from user_completion where user_id = $1 and ledger_offset = $2",
      completion.userId,
      offset,
    );
  }
  await unindexItem(sql, offset, item);
  await sql.run("delete from submission_context where ledger_offset = $1", offset);
  await sql.run("delete from stream_item where ledger_offset = $1", offset);
}

/** Removes only completions too old for any deduplication period: an accepted command must not be accepted again. */
async function removeCompletions(sql: Sql, prunedUpTo: bigint): Promise<number> {
  const position = await sql.get("select record_time from ledger_position where singleton = 1");
  const needed = (position?.["record_time"] as bigint) - MAX_DEDUPLICATION_PERIOD;
  const rows = await sql.all(
    "select ledger_offset, record_time from completion where ledger_offset <= $1 order by ledger_offset limit $2",
    prunedUpTo,
    PRUNING_CHUNK,
  );
  const old = rows.filter((row) => (row["record_time"] as bigint) < needed);
  for (const row of old) {
    await sql.run("delete from completion where ledger_offset = $1", row["ledger_offset"] as bigint);
  }
  return old.length;
}
