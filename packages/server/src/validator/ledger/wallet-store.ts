/**
 * The validator's copy of its users' contracts, taken from its participant's updates. It stands at an offset of the
 * participant, kept in the same transaction as the rows, so that a restart goes on from there. It can be made anew
 * at any time: nothing is in it that is not on the ledger.
 */
import type { Transaction } from "@callsign/api";
import {
  AnsEntryContext,
  type AnyTemplateDeclaration,
  type ContractId,
  ledgerJson,
  type PayloadOf,
  parseContractId,
  parseTime,
  SubscriptionIdleState,
  type Time,
} from "@callsign/ledger";
import type { Sql, SqlRow, Store } from "../../database/store.ts";
import { findKind } from "./wallet-contracts.ts";

export const WALLET_SCHEMA = `
create table if not exists contracts (
  contract_id text primary key,
  template text not null,
  template_id text not null,
  owner text not null,
  link text not null,
  name text not null,
  payable_from bigint,
  payable_until bigint,
  payload text not null,
  blob text not null,
  created_at text not null,
  arrival bigint not null,
  node bigint not null
);
create index if not exists contracts_by_owner on contracts (owner, template, arrival, node);
create index if not exists contracts_by_link on contracts (link, template);
create index if not exists contracts_by_name on contracts (name, template);
create index if not exists contracts_by_payment on contracts (payable_from);
create table if not exists entry_terms (
  owner text not null,
  name text not null,
  terms text not null,
  primary key (owner, name)
);
create table if not exists sent_commands (operation text primary key, command_id text not null, sent_at bigint not null);
create table if not exists followed (party text primary key);
create table if not exists operator (id bigint primary key, party text not null);
create table if not exists network (id bigint primary key, dso text not null);
create table if not exists position (id bigint primary key, ledger_offset bigint not null, record_time bigint not null);
`;

/** Lists are not paged in Splice; this many rows come at most. */
const MAX_ROWS = 1000;
/** More coins than a wallet keeps, since payments merge them. */
export const MAX_COINS = 10_000;

/** Far longer than a submission can be on its way. */
const SENT_MILLISECONDS = 60 * 60_000;

export interface Held<T> {
  readonly contractId: ContractId;
  readonly templateId: string;
  readonly owner: string;
  readonly payload: T;
  readonly blob: string;
  readonly createdAt: Time;
}

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
      await sql.run("delete from sent_commands where sent_at < $1", BigInt(now - SENT_MILLISECONDS));
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

  /** Whose network's contracts are in it. */
  async findDso(): Promise<string | undefined> {
    const row = await this.#store.get("select dso from network where id = 1");
    return row === undefined ? undefined : String(row["dso"]);
  }

  /** Empty again, for these parties on that DSO's network. */
  async restart(parties: readonly string[], dso: string): Promise<void> {
    await this.#store.transaction(async (sql) => {
      for (const table of ["contracts", "entry_terms", "followed", "position", "network"])
        await sql.run(`delete from ${table}`);
      await sql.run("insert into network (id, dso) values (1, $1)", dso);
      for (const party of parties) await sql.run("insert into followed (party) values ($1)", party);
    });
  }

  /**
   * All of it that is of this DSO's network, and the position behind it, or nothing. Owners who received coin are
   * answered.
   */
  apply(
    transactions: readonly Pick<Transaction, "events">[],
    position: Position,
    dso: string,
  ): Promise<ReadonlySet<string>> {
    return this.#store.transaction(async (sql) => {
      const paid = new Set<string>();
      for (const transaction of transactions) {
        for (const event of transaction.events) {
          if ("ArchivedEvent" in event) {
            await sql.run("delete from contracts where contract_id = $1", event.ArchivedEvent.contractId);
          }
          if ("CreatedEvent" in event) await insertContract(sql, event.CreatedEvent, { paid, dso });
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
      return paid;
    }, REPEATABLE);
  }

  async find<T extends AnyTemplateDeclaration>(
    template: T,
    contractId: string,
  ): Promise<Held<PayloadOf<T>> | undefined> {
    const row = await this.#store.get(
      "select * from contracts where contract_id = $1 and template = $2",
      contractId,
      template.entity,
    );
    return row === undefined ? undefined : read(template, row);
  }

  /** In the order of the ledger. */
  async list<T extends AnyTemplateDeclaration>(
    template: T,
    sought: Sought,
    limit: number = MAX_ROWS,
  ): Promise<readonly Held<PayloadOf<T>>[]> {
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
    return rows.map((row) => read(template, row));
  }

  /** Subscriptions whose payment is allowed at that time and can still be collected; a page behind a contract id. */
  async listPayable(now: bigint, after: string): Promise<readonly Held<SubscriptionIdleState>[]> {
    const rows = await this.#store.all(
      `select * from contracts where payable_from <= $1 and payable_until > $2 and contract_id > $3
       order by contract_id limit $4`,
      now,
      now,
      after,
      BigInt(MAX_ROWS),
    );
    return rows.map((row) => read(SubscriptionIdleState, row));
  }

  async hasIdleSubscriptions(): Promise<boolean> {
    const row = await this.#store.get(
      "select contract_id from contracts where payable_from is not null limit 1",
    );
    return row !== undefined;
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

const payDataType = SubscriptionIdleState.record.fields.payData;

type Created = Extract<Transaction["events"][number], { readonly CreatedEvent: unknown }>["CreatedEvent"];

async function insertContract(
  sql: Sql,
  event: Created,
  { paid, dso }: { readonly paid: Set<string>; readonly dso: string },
): Promise<void> {
  const kind = findKind(event.templateId);
  if (kind === undefined) return;
  const { entity, record } = kind.template;
  const filing = kind.file(record.fromJson(event.createArgument, ledgerJson) as never);
  if (filing.dso !== null && filing.dso !== dso) return;
  if (entity === "Amulet") paid.add(filing.owner);
  await sql.run(
    `insert into contracts (contract_id, template, template_id, owner, link, name, payable_from, payable_until,
       payload, blob, created_at, arrival, node)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (contract_id) do nothing`,
    event.contractId,
    entity,
    event.templateId,
    filing.owner,
    filing.link,
    filing.name,
    filing.payableFrom,
    filing.payableUntil,
    JSON.stringify(event.createArgument),
    event.createdEventBlob,
    event.createdAt,
    BigInt(event.offset),
    BigInt(event.nodeId),
  );
}

/** The name stands in the context, the terms in the subscription; the context goes when it is cancelled. */
async function keepTerms(sql: Sql, event: Created, dso: string): Promise<void> {
  if (findKind(event.templateId)?.template !== SubscriptionIdleState) return;
  const idle = SubscriptionIdleState.record.fromJson(event.createArgument, ledgerJson);
  const { reference, payData, subscriptionData } = idle;
  if (subscriptionData.dso !== dso || subscriptionData.provider !== dso) return;
  const row = await sql.get(
    "select * from contracts where link = $1 and template = $2 limit 1",
    reference,
    AnsEntryContext.entity,
  );
  if (row === undefined) return;
  const { owner, payload } = read(AnsEntryContext, row);
  await sql.run(
    `insert into entry_terms (owner, name, terms) values ($1, $2, $3)
     on conflict (owner, name) do update set terms = excluded.terms`,
    owner,
    payload.name,
    JSON.stringify(payDataType.toJson(payData, ledgerJson)),
  );
}

function read<T extends AnyTemplateDeclaration>(template: T, row: SqlRow): Held<PayloadOf<T>> {
  const contractId = parseContractId(String(row["contract_id"]));
  const createdAt = parseTime(String(row["created_at"]));
  if (!contractId.ok) throw new Error(contractId.error);
  if (!createdAt.ok) throw new Error(createdAt.error);
  return {
    contractId: contractId.value,
    templateId: String(row["template_id"]),
    owner: String(row["owner"]),
    payload: template.record.fromJson(JSON.parse(String(row["payload"])), ledgerJson) as PayloadOf<T>,
    blob: String(row["blob"]),
    createdAt: createdAt.value,
  };
}
