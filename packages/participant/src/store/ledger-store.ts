/** The participant's ledger: position, contracts, updates and completions. */
import type { StreamItem } from "@callsign/api";
import { type Contract, type ContractId, type Time, timeFromMicros } from "@callsign/ledger";
import { indexedText, listsForIn, placesFrom, type Sql, type SqlRow, type Store } from "@callsign/node";
import type { KnownNetwork } from "../agreement/network-votes.ts";
import { type AgreedItem, STREAM_START, type StreamPosition } from "../agreement/stream-agreement.ts";
import { NOTE_SWEEP_MICROSECONDS } from "../limits/limits.ts";
import { NEVER, placeOfContract } from "./contract-number.ts";
import { type IngestedItem, ingestItems } from "./ingest-items.ts";
import { unpackBody } from "./packed-body.ts";
import { type ContractTexts, idPartOf, readContractTexts, TEXT_COLUMNS } from "./packed-contract.ts";
import { RecentItems } from "./recent-items.ts";
import { RowMemory } from "./row-memory.ts";
import { SELECT_ITEM, type StoredItem } from "./stored-item.ts";
import { dropNotes } from "./submission-notes.ts";

export interface StoredContract {
  readonly number: bigint;
  readonly contract: Contract;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  /** Its stakeholders that are hosted here. */
  readonly stakeholders: readonly string[];
  readonly offset: number;
  readonly nodeId: number;
  /** False for a contract that was created and archived in the same transaction. */
  readonly activated: boolean;
  readonly archived: { readonly offset: number; readonly nodeId: number } | null;
}

export const CONTRACT_COLUMNS = `contract_number, name as template_id, created_at, activated, archived_offset,
  archived_node, ${TEXT_COLUMNS}`;
export const CONTRACT_SOURCE =
  "contract join name_number on name_number.name_number = contract.template_number";
const SELECT_CONTRACT = `select ${CONTRACT_COLUMNS} from ${CONTRACT_SOURCE}`;

/**
 * The last items were lost while this process ran on: a database's server may be a moment older after a crash, a standby that
 * takes its place may be, too, and a full disk does not take a commit that items share.
 */
export class StoreRewound extends Error {
  override readonly name = "StoreRewound";
  readonly position: StreamPosition;

  constructor(position: StreamPosition, next: number) {
    super(`the store ends at offset ${position.offset}, and is to go on with offset ${next}`);
    this.position = position;
  }
}

export class LedgerStore {
  readonly memory = new RowMemory();
  readonly recent = new RecentItems();
  readonly sql: Sql;
  readonly #store: Store;
  #end = 0;
  #losses = 0;
  /** The record time from which notes of old submissions are looked for again. */
  #dropNotesAt = 0n;
  #pruned: { readonly offset: number; readonly recordTime: bigint } = { offset: 0, recordTime: 0n };

  constructor(store: Store) {
    this.#store = store;
    this.sql = store;
  }

  /** Returns the position to resume the stream from, and the network once it is known. */
  async open(): Promise<{ readonly position: StreamPosition; readonly network: KnownNetwork | null }> {
    const { offset, digest } = STREAM_START;
    await this.#store.run(
      "insert into ledger_position (singleton, ledger_offset, digest, record_time) values (1, $1, $2, 0) on conflict (singleton) do nothing",
      offset,
      digest,
    );
    const row = await this.#store.get("select * from ledger_position where singleton = 1");
    if (row === undefined) throw new Error("the participant's database has lost its position");
    const { ledger_offset: end, network, synchronizer_id: synchronizerId, dso } = row;
    this.#end = Number(end);
    await this.readPruned();
    this.#settle((await this.#store.losses?.()) ?? 0);
    return {
      position: { offset: this.#end, digest: row["digest"] as string },
      network:
        network === null ? null : ({ network, synchronizerId, dso } as Record<keyof KnownNetwork, string>),
    };
  }

  /** The last offset that is stored. */
  get end(): number {
    return this.#end;
  }

  /** The last pruned offset; 0 if nothing was pruned. Reads up to it are refused. */
  get prunedUpTo(): number {
    return this.#pruned.offset;
  }

  /** Call after the pruned offset was changed on disk. */
  async readPruned(): Promise<void> {
    const row = await this.sql.get(
      "select ledger_offset, record_time from pruned_position where singleton = 1",
    );
    if (row === undefined) return;
    this.#pruned = { offset: Number(row["ledger_offset"]), recordTime: row["record_time"] as bigint };
  }

  async keepNetwork({ network, synchronizerId, dso }: KnownNetwork): Promise<void> {
    await this.#store.run(
      "update ledger_position set network = $1, synchronizer_id = $2, dso = $3 where singleton = 1",
      network,
      synchronizerId,
      dso,
    );
  }

  /** Throws a `StoreRewound` if the store was found to have lost commits, and items among them. */
  async checkLosses(): Promise<void> {
    const losses = (await this.#store.losses?.()) ?? 0;
    if (losses === this.#losses) return;
    const stored = await this.#store.transaction(readPosition, { repeatable: true });
    const lost = stored.offset < this.#end ? new StoreRewound(stored, this.#end + 1) : null;
    if (lost !== null) {
      this.#forget();
      this.#end = stored.offset;
    }
    this.#settle(losses);
    if (lost !== null) throw lost;
  }

  /** Rows that were read may be gone. */
  #forget(): void {
    this.memory.names.forget();
    this.recent.clear();
  }

  /** Reads are served again: the end is that of the rows. */
  #settle(losses: number): void {
    this.#losses = losses;
    this.#store.settleLosses?.(losses);
  }

  /**
   * Stores all items or none, but for those that an interrupted call has stored. A crash loses no item: the sequencers
   * deliver them again. Throws a `StoreRewound` if the store lacks items from before.
   */
  async ingest(items: readonly AgreedItem[]): Promise<readonly IngestedItem[]> {
    const read = items.map((each) => ({ ...each, item: JSON.parse(each.body) as StreamItem }));
    const last = read.at(-1);
    if (last === undefined) return read;
    const recordTime = BigInt(last.item.recordTime);
    const ingest = async (sql: Sql) => {
      const ingested = await ingestItems(sql, await moveOver(sql, read), this.memory);
      if (recordTime >= this.#dropNotesAt) await dropNotes(sql, recordTime);
      return ingested;
    };
    try {
      const ingested = await this.#store.transaction(ingest, { repeatable: true });
      this.#end = last.offset;
      for (const { stored, body } of ingested) this.recent.keep(stored, body, this.#end);
    } catch (error) {
      this.#forget();
      if (error instanceof StoreRewound) this.#end = error.position.offset;
      throw error;
    }
    if (recordTime >= this.#dropNotesAt) this.#dropNotesAt = recordTime + NOTE_SWEEP_MICROSECONDS;
    return read;
  }

  /** Does not find a contract whose archival is pruned. */
  async findContract(contractId: string): Promise<StoredContract | undefined> {
    return (await this.findContracts([contractId])).get(contractId);
  }

  /** By contract id. */
  async findContracts(contractIds: readonly string[]): Promise<ReadonlyMap<string, StoredContract>> {
    const found = new Map<string, StoredContract>();
    const wanted = new Set(contractIds);
    for (const parts of listsForIn([...wanted].map(idPartOf))) {
      const query = `${SELECT_CONTRACT} where id_part in (${placesFrom(1, parts)})`;
      for (const stored of await this.readContracts(await this.sql.all(query, ...parts))) {
        const isPruned = stored.archived !== null && stored.archived.offset <= this.prunedUpTo;
        const { contractId } = stored.contract;
        if (!isPruned && wanted.has(contractId)) found.set(contractId, stored);
      }
    }
    return found;
  }

  /** The contracts of rows with `CONTRACT_COLUMNS`. */
  async readContracts(rows: readonly SqlRow[]): Promise<readonly StoredContract[]> {
    const texts = await this.memory.contracts.load(this.sql);
    return rows.map((row) => readContractRow(row, readContractTexts(row, texts)));
  }

  /** The record time of an offset that is not pruned, or of the last pruned one. */
  async findRecordTime(offset: number): Promise<Time | undefined> {
    if (offset > 0 && offset === this.#pruned.offset) return timeFromMicros(this.#pruned.recordTime);
    const row = await this.sql.get("select record_time from stream_item where ledger_offset = $1", offset);
    return row === undefined ? undefined : timeFromMicros(row["record_time"] as bigint);
  }

  /** The record time of the first item that is not pruned. */
  async findOldestRecordTime(): Promise<bigint | undefined> {
    const row = await this.sql.get("select record_time from stream_item order by ledger_offset limit 1");
    return row?.["record_time"] as bigint | undefined;
  }

  /** Reads a whole index. */
  async countActive(): Promise<number> {
    const row = await this.sql.get(
      "select count(*) as number from contract where activated = 1 and archived_offset = $1",
      NEVER,
    );
    return Number(row?.["number"] ?? 0);
  }

  /** The last accepted submission of a command. */
  async findAccepted(
    key: string,
  ): Promise<{ readonly submissionId: string; readonly recordTime: bigint } | undefined> {
    const row = await this.sql.get(
      "select submission_id, record_time from completion where command_key = $1 and accepted = 1 order by ledger_offset desc limit 1",
      indexedText(key),
    );
    if (row === undefined) return undefined;
    return { submissionId: row["submission_id"] as string, recordTime: row["record_time"] as bigint };
  }

  /** Finds a transaction or a hosting change. */
  async findItemById(updateId: string): Promise<StoredItem | undefined> {
    for (const table of ["stream_item", "topology_update"]) {
      const row = await this.sql.get(`select ledger_offset from ${table} where update_id = $1`, updateId);
      if (row !== undefined) return this.findItem(Number(row["ledger_offset"]));
    }
    return undefined;
  }

  async findItem(offset: number): Promise<StoredItem | undefined> {
    if (offset <= this.prunedUpTo) return undefined;
    const recent = this.recent.find(offset);
    if (recent !== undefined) return recent;
    const row = await this.sql.get(`${SELECT_ITEM} where ledger_offset = $1`, offset);
    return row === undefined ? undefined : (await this.readItems([row]))[0];
  }

  /** The items of rows that `SELECT_ITEM` found. */
  async readItems(rows: readonly SqlRow[]): Promise<readonly StoredItem[]> {
    // The rows came first: whatever they were packed with is there.
    const bodies = await this.memory.bodies.load(this.sql);
    return rows.map((row) => this.recent.read(row, unpackBody(row, bodies), this.#end));
  }
}

async function readPosition(sql: Sql): Promise<StreamPosition> {
  const row = await sql.get("select ledger_offset, digest from ledger_position where singleton = 1");
  if (row === undefined) throw new Error("the participant's database has lost its position");
  return { offset: Number(row["ledger_offset"]), digest: row["digest"] as string };
}

/** Moves the position behind the items, and returns those that the store lacks: an interrupted call may have stored some. */
async function moveOver(sql: Sql, items: readonly IngestedItem[]): Promise<readonly IngestedItem[]> {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (await movePosition(sql, first.offset - 1, last)) return items;
  const stored = await readPosition(sql);
  const lacking = items.filter(({ offset }) => offset > stored.offset);
  const next = lacking[0]?.offset ?? stored.offset + 1;
  if (next !== stored.offset + 1) throw new StoreRewound(stored, next);
  if (lacking.length > 0) await movePosition(sql, stored.offset, last);
  return lacking;
}

/** False if the position is not the one to move from. */
async function movePosition(
  sql: Sql,
  from: number,
  { offset, digest, item }: IngestedItem,
): Promise<boolean> {
  const changed = await sql.run(
    `update ledger_position set ledger_offset = $1, digest = $2, record_time = $3
      where singleton = 1 and ledger_offset = $4`,
    ...[offset, digest, BigInt(item.recordTime), from],
  );
  return changed > 0;
}

function readContractRow(row: SqlRow, texts: ContractTexts): StoredContract {
  const { contractId, signatories, observers, stakeholders, payload } = texts;
  const number = row["contract_number"] as bigint;
  const archivedOffset = row["archived_offset"] as bigint;
  return {
    number,
    contract: {
      contractId: contractId as ContractId,
      templateId: row["template_id"] as string,
      payload,
      createdAt: timeFromMicros(row["created_at"] as bigint),
    },
    ...{ signatories, observers, stakeholders },
    ...placeOfContract(number),
    activated: row["activated"] !== 0n,
    archived:
      archivedOffset === NEVER
        ? null
        : { offset: Number(archivedOffset), nodeId: Number(row["archived_node"]) },
  };
}
