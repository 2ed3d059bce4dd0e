/**
 * The validator's copy of its users' contracts, taken from its participant's updates. It stands at an offset of the
 * participant, kept in the same transaction as the rows, so that a restart goes on from there. It can be made anew
 * at any time: nothing is in it that is not on the ledger.
 */
import type { Transaction } from "@callsign/api";
import {
  type AnyTemplateDeclaration,
  ledgerJson,
  type PayloadOf,
  type SubscriptionIdleState,
} from "@callsign/ledger";
import type { LedgerAdvance, Store } from "@callsign/node";
import { MAX_ROWS, SENT_COMMAND_MILLISECONDS } from "../limits/limits.ts";
import {
  deleteContract,
  insertContract,
  keepTerms,
  payDataType,
  readContract,
  type StoredContract,
} from "./contract-rows.ts";
import { REBUILT_TABLES } from "./wallet-migrations.ts";

export interface Position {
  readonly offset: number;
  readonly recordTime: bigint;
}

export interface Sought {
  readonly owner?: string;
  readonly link?: string;
  readonly name?: string;
}

/** The participant would tell it again. */
const REPEATABLE = { repeatable: true } as const;

export class WalletStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async position(): Promise<Position> {
    const row = await this.#store.get("select ledger_offset, record_time from position where id = 1");
    const [offset, recordTime] = [row?.["ledger_offset"], row?.["record_time"]];
    return { offset: Number(offset ?? 0), recordTime: typeof recordTime === "bigint" ? recordTime : 0n };
  }

  /** The operator's party, once there is one: it stays the same from the first start on. */
  async findOperator(): Promise<string | undefined> {
    const row = await this.#store.get("select party from operator where id = 1");
    return row === undefined ? undefined : String(row["party"]);
  }

  async keepOperator(party: string): Promise<void> {
    await this.#store.run(
      "insert into operator (id, party) values (1, $1) on conflict (id) do nothing",
      party,
    );
  }

  /** The command id under which that operation was sent, unless it is known how it ended. */
  async findSent(operation: string): Promise<string | undefined> {
    const row = await this.#store.get("select command_id from sent_commands where operation = $1", operation);
    return row === undefined ? undefined : String(row["command_id"]);
  }

  /** Forgets those of before: they have happened by now, or never will. */
  async keepSent(operation: string, commandId: string, now: number): Promise<void> {
    await this.#store.transaction(async (sql) => {
      await sql.run("delete from sent_commands where sent_at < $1", BigInt(now - SENT_COMMAND_MILLISECONDS));
      await sql.run(
        "insert into sent_commands (operation, command_id, sent_at) values ($1, $2, $3)",
        operation,
        commandId,
        BigInt(now),
      );
    });
  }

  async dropSent(operation: string): Promise<void> {
    await this.#store.run("delete from sent_commands where operation = $1", operation);
  }

  async followed(): Promise<readonly string[]> {
    const rows = await this.#store.all("select party from followed order by party");
    return rows.map(({ party }) => String(party));
  }

  /** Their contracts are in it as well. */
  async addFollowed(parties: readonly string[]): Promise<void> {
    await this.#store.transaction(async (sql) => {
      for (const party of parties)
        await sql.run("insert into followed (party) values ($1) on conflict (party) do nothing", party);
    });
  }

  /** Whose network's contracts are in it. */
  async findDso(): Promise<string | undefined> {
    const row = await this.#store.get("select dso from network where id = 1");
    return row === undefined ? undefined : String(row["dso"]);
  }

  /** Empty again, for these parties on that DSO's network. */
  async restart(parties: readonly string[], dso: string): Promise<void> {
    await this.#store.transaction(async (sql) => {
      for (const table of REBUILT_TABLES) await sql.run(`delete from ${table}`);
      await sql.run("insert into network (id, dso) values (1, $1)", dso);
      for (const party of parties) await sql.run("insert into followed (party) values ($1)", party);
    });
  }

  /**
   * All of it that is of this DSO's network, and the position behind it, or nothing.
   */
  apply(
    transactions: readonly Pick<Transaction, "events">[],
    position: Position,
    dso: string,
  ): Promise<LedgerAdvance> {
    return this.#store.transaction(async (sql) => {
      const noted = { paid: new Set<string>(), owners: new Set<string>(), touched: new Set<string>() };
      for (const transaction of transactions) {
        for (const event of transaction.events) {
          if ("ArchivedEvent" in event) await deleteContract(sql, event.ArchivedEvent, noted);
          if ("CreatedEvent" in event) await insertContract(sql, event.CreatedEvent, { noted, dso });
        }
        for (const event of transaction.events)
          if ("CreatedEvent" in event) await keepTerms(sql, event.CreatedEvent, dso);
      }
      await sql.run(
        `insert into position (id, ledger_offset, record_time) values (1, $1, $2)
         on conflict (id) do update set ledger_offset = excluded.ledger_offset, record_time = excluded.record_time`,
        BigInt(position.offset),
        position.recordTime,
      );
      return noted;
    }, REPEATABLE);
  }

  async find<T extends AnyTemplateDeclaration>(
    template: T,
    contractId: string,
  ): Promise<StoredContract<PayloadOf<T>> | undefined> {
    const row = await this.#store.get(
      "select * from contracts where contract_id = $1 and template = $2",
      contractId,
      template.entity,
    );
    return row === undefined ? undefined : readContract(template, row);
  }

  /** In the order of the ledger. */
  async list<T extends AnyTemplateDeclaration>(
    template: T,
    sought: Sought,
    limit: number = MAX_ROWS,
  ): Promise<readonly StoredContract<PayloadOf<T>>[]> {
    const where = ["template = $1"];
    const parameters: string[] = [template.entity];
    for (const column of ["owner", "link", "name"] as const) {
      const value = sought[column];
      if (value !== undefined) where.push(`${column} = $${parameters.push(value)}`);
    }
    const rows = await this.#store.all(
      `select * from contracts where ${where.join(" and ")} order by arrival, node limit $${parameters.length + 1}`,
      ...parameters,
      BigInt(limit),
    );
    return rows.map((row) => readContract(template, row));
  }

  /** What the last subscription to that name costs, also once it has been cancelled. */
  async findTerms(owner: string, name: string): Promise<SubscriptionIdleState["payData"] | undefined> {
    const row = await this.#store.get(
      "select terms from entry_terms where owner = $1 and name = $2",
      owner,
      name,
    );
    if (row === undefined) return undefined;
    return payDataType.fromJson(JSON.parse(String(row["terms"])), ledgerJson);
  }
}
