/**
 * The tables of the history. Rows of a page and the position behind it are one transaction, and a page that is applied again
 * changes nothing. Items are ordered by record time, which a rebuilt participant and a migrated network keep.
 */
import type { TransactionItem } from "@callsign/api";
import {
  indexedText,
  insertInto,
  type LoadedDictionaries,
  listsForIn,
  placesFrom,
  type Sql,
  type SqlRow,
  type Store,
  StoreDictionaries,
} from "@callsign/node";
import type { HistoryPage } from "./derive-page.ts";
import { endFundCoupons, insertFundCoupons, reviveFundCoupons } from "./fund-coupons.ts";
import { type KnownContract, type KnownFacts, noFacts, type RequestedName } from "./known-contracts.ts";
import { changeNameRequests, insertNameRequests, NameRequestReads } from "./name-request-rows.ts";
import { packHistoryItem, packKnown, readHistoryItem, readKnown } from "./packed-history.ts";
import type { TrackedKind, TrackedStatus, TrackingIdRange } from "./tracked-outcomes.ts";

/** A commit that is lost is repeated: the participant delivers its updates again. */
const REPEATABLE = { repeatable: true } as const;

/** The digits of an update's id that order items of one record time. Items of earlier releases have all of them: the order is the same. */
const ORDER_DIGITS = 20;

const insertContracts = insertInto(
  "history_contracts",
  "contract_id, template, payload, packed",
  "on conflict (contract_id) do nothing",
);
const insertNames = insertInto("history_names", "reference, content", "on conflict (reference) do nothing");

/** The history is at another offset than this process left it: its database's server lost the last commits. */
export class HistoryMoved extends Error {
  override readonly name = "HistoryMoved";
  readonly offset: number;

  constructor(offset: number) {
    super(`the history is at offset ${offset}`);
    this.offset = offset;
  }
}

export class HistoryStore {
  readonly #store: Store;
  readonly #dictionaries = new StoreDictionaries("history");
  readonly nameRequests: NameRequestReads;

  constructor(store: Store) {
    this.#store = store;
    this.nameRequests = new NameRequestReads(store, this.#dictionaries);
  }

  /**
   * Empties the history if it is that of another DSO's network. A party that is followed no longer loses its place, and
   * is read from the beginning should it come back.
   */
  async open(
    dso: string,
    followed: ReadonlySet<string>,
  ): Promise<{ readonly offset: number; readonly parties: readonly string[] }> {
    return await this.#store.transaction(async (sql) => {
      const row = await sql.get("select dso from history_network where id = 1");
      if (row?.["dso"] !== dso) {
        for (const table of HISTORY_TABLES) await sql.run(`delete from ${table}`);
        await sql.run("insert into history_network (id, dso) values (1, $1)", dso);
      }
      const rows = await sql.all("select party from history_parties");
      const known = new Set(rows.map(({ party }) => String(party)));
      for (const party of known.difference(followed))
        await sql.run("delete from history_parties where party = $1", party);
      return { offset: await readOffset(sql), parties: [...known.intersection(followed)] };
    });
  }

  offset(): Promise<number> {
    return readOffset(this.#store);
  }

  /** The payloads of contracts, and the names of requests that they or the ids refer to. */
  async findKnown(ids: ReadonlySet<string>): Promise<KnownFacts> {
    const contracts = new Map<string, KnownContract>();
    const references = new Set(ids);
    const found = await this.#findAll(
      "select contract_id, template, payload, packed from history_contracts",
      "contract_id",
      ids,
    );
    const dictionaries = await this.#dictionaries.load(this.#store);
    for (const row of found) {
      const known = readKnown(row, dictionaries);
      contracts.set(String(row["contract_id"]), known);
      const { reference } = known.payload as { readonly reference?: unknown };
      if (typeof reference === "string") references.add(reference);
    }
    const names = new Map<string, RequestedName>();
    const rows = await this.#findAll("select reference, content from history_names", "reference", references);
    for (const { reference, content } of rows) names.set(String(reference), JSON.parse(String(content)));
    return { ...noFacts(), contracts, names };
  }

  async #findAll(select: string, column: string, sought: ReadonlySet<string>) {
    const rows: SqlRow[] = [];
    for (const some of listsForIn([...sought]))
      rows.push(...(await this.#store.all(`${select} where ${column} in (${placesFrom(1, some)})`, ...some)));
    return rows;
  }

  /** Throws a `HistoryMoved` if the history is at neither position. */
  apply(page: HistoryPage, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    return this.#store.transaction(async (sql) => {
      const stored = await readOffset(sql);
      if (stored !== from && stored !== to) throw new HistoryMoved(stored);
      const dictionaries = await this.#dictionaries.loadToPack(sql);
      await insertItems(sql, page, dictionaries);
      await insertTracked(sql, page);
      await insertFacts(sql, page.learned, dictionaries);
      await endFundCoupons(sql, page.fundCouponEndings);
      await changeNameRequests(sql, page.nameRequestChanges, dictionaries);
      for (const ids of listsForIn([...page.forgotten]))
        await sql.run(`delete from history_contracts where contract_id in (${placesFrom(1, ids)})`, ...ids);
      await dictionaries.save(sql);
      await writeOffset(sql, to);
    }, REPEATABLE);
  }

  async addParties(parties: readonly string[]): Promise<void> {
    await this.#store.transaction(async (sql) => {
      for (const party of parties)
        await sql.run(
          "insert into history_parties (party) values ($1) on conflict (party) do nothing",
          party,
        );
    });
  }

  /** Goes back to the ledger's beginning. Items of updates behind that offset are gone from the participant's ledger. */
  async restart(end: number): Promise<void> {
    await this.#store.transaction(async (sql) => {
      for (const table of ["history_items", "tracked_requests", "name_requests"])
        await sql.run(`delete from ${table} where ledger_offset > $1`, BigInt(end));
      await reviveFundCoupons(sql, end);
      await sql.run("delete from history_contracts");
      await writeOffset(sql, 0);
    });
  }

  /** Continues from that offset with the given contracts alone, because earlier updates are pruned. */
  async skipTo(offset: number, facts: KnownFacts): Promise<void> {
    await this.#store.transaction(async (sql) => {
      await sql.run("delete from history_contracts");
      await this.#insertFacts(sql, facts);
      await writeOffset(sql, offset);
    });
  }

  async addFacts(facts: KnownFacts): Promise<void> {
    await this.#store.transaction((sql) => this.#insertFacts(sql, facts));
  }

  async #insertFacts(sql: Sql, facts: KnownFacts): Promise<void> {
    const dictionaries = await this.#dictionaries.loadToPack(sql);
    await insertFacts(sql, facts, dictionaries);
    await dictionaries.save(sql);
  }

  /** Items, newest first: those behind the event if one is given, and none if the party has no such event. */
  async listItems(
    party: string,
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<readonly TransactionItem[]> {
    const [order, size] = ["order by record_time desc, update_id desc, node desc", BigInt(limit)];
    if (after === null) {
      const rows = await this.#store.all(
        `select party, event_id, item, packed from history_items where party = $1 ${order} limit $2`,
        party,
        size,
      );
      return await this.#readItems(rows);
    }
    const begin = await this.#store.get(
      "select record_time, update_id, node from history_items where party = $1 and event_id = $2",
      party,
      indexedText(after),
    );
    if (begin === undefined) return [];
    const rows = await this.#store.all(
      `select party, event_id, item, packed from history_items
       where party = $1 and (record_time, update_id, node) < ($2, $3, $4) ${order} limit $5`,
      party,
      begin["record_time"] ?? null,
      begin["update_id"] ?? null,
      begin["node"] ?? null,
      size,
    );
    return await this.#readItems(rows);
  }

  /** Dictionaries are read behind the rows: those of the rows are among them. */
  async #readItems(rows: readonly SqlRow[]): Promise<readonly TransactionItem[]> {
    const dictionaries = await this.#dictionaries.load(this.#store);
    return rows.map((row) => readHistoryItem(row, dictionaries));
  }

  async findTracked(
    party: string,
    kind: TrackedKind,
    trackingId: string,
  ): Promise<TrackedStatus | undefined> {
    const row = await this.#store.get(
      "select status from tracked_requests where party = $1 and kind = $2 and tracking_id = $3",
      party,
      kind,
      indexedText(trackingId),
    );
    return row === undefined ? undefined : JSON.parse(String(row["status"]));
  }

  async listTrackingIds(
    party: string,
    kind: TrackedKind,
    { first, last, limit }: TrackingIdRange,
  ): Promise<readonly string[]> {
    const rows = await this.#store.all(
      `select tracking_id from tracked_requests
       where party = $1 and kind = $2 and tracking_id >= $3 and tracking_id <= $4
       order by tracking_id desc limit $5`,
      ...[party, kind, first, last, BigInt(limit)],
    );
    return rows.map((row) => String(row["tracking_id"]));
  }
}

const HISTORY_TABLES = [
  ...["history_items", "history_contracts", "history_names", "history_parties", "history_position"],
  ...["history_network", "tracked_requests", "fund_coupons", "name_requests"],
];

async function readOffset(sql: Sql): Promise<number> {
  const row = await sql.get("select ledger_offset from history_position where id = 1");
  return Number(row?.["ledger_offset"] ?? 0);
}

async function writeOffset(sql: Sql, offset: number): Promise<void> {
  await sql.run(
    `insert into history_position (id, ledger_offset) values (1, $1)
     on conflict (id) do update set ledger_offset = excluded.ledger_offset`,
    BigInt(offset),
  );
}

async function insertItems(
  sql: Sql,
  { items }: HistoryPage,
  dictionaries: LoadedDictionaries,
): Promise<void> {
  for (const { party, nodeId, item, updateId, recordTime, offset } of items) {
    await sql.run(
      `insert into history_items (party, event_id, update_id, record_time, node, ledger_offset, item, packed)
       values ($1, $2, $3, $4, $5, $6, '', $7)
       on conflict (party, event_id) do update set
         update_id = excluded.update_id, item = '', packed = excluded.packed, ledger_offset = excluded.ledger_offset`,
      party,
      item.event_id,
      updateId.slice(0, ORDER_DIGITS),
      recordTime,
      BigInt(nodeId),
      BigInt(offset),
      packHistoryItem(dictionaries, item, { party, eventId: item.event_id }),
    );
  }
}

/** The later outcome counts, also while updates are read again. */
async function insertTracked(sql: Sql, { tracked }: HistoryPage): Promise<void> {
  for (const { party, kind, trackingId, status, recordTime, offset } of tracked) {
    await sql.run(
      `insert into tracked_requests (party, kind, tracking_id, record_time, ledger_offset, status)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (party, kind, tracking_id) do update set
         record_time = excluded.record_time, ledger_offset = excluded.ledger_offset, status = excluded.status
       where excluded.record_time >= tracked_requests.record_time`,
      party,
      kind,
      indexedText(trackingId),
      recordTime,
      BigInt(offset),
      JSON.stringify(status),
    );
  }
}

async function insertFacts(sql: Sql, given: KnownFacts, dictionaries: LoadedDictionaries): Promise<void> {
  const { contracts, names, fundCoupons, nameRequests } = given;
  await insertFundCoupons(sql, fundCoupons);
  await insertNameRequests(sql, nameRequests, dictionaries);
  await insertContracts(
    sql,
    [...contracts].map(([contractId, contract]) => {
      const { template, payload, packed } = packKnown(dictionaries, contract, contractId);
      return [contractId, template, payload, packed];
    }),
  );
  await insertNames(
    sql,
    [...names].map(([reference, content]) => [reference, JSON.stringify(content)]),
  );
}
