/**
 * The validator's copy of its users' contracts, taken from its participant's updates. The offset it has come to is saved
 * in the same transaction as the rows, so that a restart goes on from there. The copy can be rebuilt at any time: the
 * ledger has all of it.
 */
import type { Transaction } from "@callsign/api";
import {
  type AnyTemplateDeclaration,
  ledgerJson,
  type PayloadOf,
  type SubscriptionIdleState,
  ValidatorRewardCoupon,
  ValidatorRight,
} from "@callsign/ledger";
import {
  indexedText,
  type LedgerAdvance,
  type Sql,
  type SqlRow,
  type SqlValue,
  type Store,
  StoreDictionaries,
} from "@callsign/node";
import { MAX_ROWS, SENT_COMMAND_MILLISECONDS, SENT_COMMAND_SWEEP_MILLISECONDS } from "../limits/limits.ts";
import { ContractChanges } from "./contract-changes.ts";
import {
  changeContracts,
  keepTerms,
  payDataType,
  readContract,
  splitPlace,
  type WalletContract,
} from "./contract-rows.ts";
import { CopyMoved, movePosition, type Position, readPosition } from "./stored-position.ts";
import { COPIED_TABLES, LEAVE_LEDGER, REBUILT_TABLES } from "./wallet-migrations.ts";

export interface ContractQuery {
  readonly owner?: string;
  readonly link?: string;
  readonly name?: string;
  /** A link that is the id of another contract: few contracts of any owner have it, however many the owner has. */
  readonly reference?: string;
  /** The name of an entry: the same. */
  readonly entry?: string;
  /** Contracts behind this place in the order of the ledger. */
  readonly after?: bigint;
  /** The owner or the link. */
  readonly party?: string;
}

/** The participant tells lost updates again. */
const REPEATABLE = { repeatable: true } as const;
/** Operations of one kind and party run one after the other: nobody reads such a row before the one who waits for it. */
const SEEN_BEFORE_SYNCED = { seenBeforeSynced: true } as const;

export class WalletStore {
  readonly #store: Store;
  readonly #dictionaries = new StoreDictionaries("contracts");
  readonly #changes = new ContractChanges();
  #losses = 0;
  /** The time from which old commands are looked for again. */
  #forgetSentAt = 0;
  #operator = "";

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws a `CopyMoved` if the database was found to have lost commits, and the copy is no longer at this offset. */
  async checkLosses(offset: number): Promise<void> {
    const losses = (await this.#store.losses?.()) ?? 0;
    if (losses === this.#losses) return;
    const { offset: stored } = await this.position();
    this.#losses = losses;
    this.#changes.noteAll();
    if (stored !== offset) throw new CopyMoved(stored);
  }

  /** Another number once contracts of these templates may have changed, also if they have not in the end. */
  changesOf(...templates: readonly AnyTemplateDeclaration[]): number {
    return this.#changes.of(templates);
  }

  position(): Promise<Position> {
    return readPosition(this.#store);
  }

  /** The operator's party: it stays the same from the first start on. */
  async findOperator(): Promise<string | undefined> {
    const row = await this.#store.get("select party from operator where id = 1");
    if (row === undefined) return undefined;
    this.#operator = String(row["party"]);
    return this.#operator;
  }

  /** The operator's party as far as it was read or kept; empty before. */
  get knownOperator(): string {
    return this.#operator;
  }

  /** Reads the whole table. */
  async countContracts(): Promise<number> {
    const row = await this.#store.get("select count(*) as number from contracts");
    return Number(row?.["number"] ?? 0);
  }

  async keepOperator(party: string): Promise<void> {
    this.#operator = party;
    await this.#store.run(
      "insert into operator (id, party) values (1, $1) on conflict (id) do nothing",
      party,
    );
  }

  /** The network's migration that the store belongs to. */
  async findMigration(): Promise<number | undefined> {
    const row = await this.#store.get("select migration_id from network_migration where id = 1");
    return row === undefined ? undefined : Number(row["migration_id"]);
  }

  /** A store of the migration before loses its copy of the ledger, which has other offsets now. */
  async keepMigration(migrationId: number): Promise<void> {
    const known = await this.findMigration();
    if (known === migrationId) return;
    await this.#rebuild(async (sql) => {
      if (known !== undefined) {
        for (const table of COPIED_TABLES) await sql.run(`delete from ${table}`);
        for (const statement of LEAVE_LEDGER) await sql.run(statement);
      }
      await sql.run(
        `insert into network_migration (id, migration_id) values (1, $1)
         on conflict (id) do update set migration_id = excluded.migration_id`,
        BigInt(migrationId),
      );
    });
  }

  /** The command id of the operation that was sent, as long as its outcome is unknown. */
  async findSent(operation: string): Promise<string | undefined> {
    const row = await this.#store.get("select command_id from sent_commands where operation = $1", operation);
    return row === undefined ? undefined : String(row["command_id"]);
  }

  /** Forgets old commands: they have taken effect, or never will. */
  async keepSent(operation: string, commandId: string, now: number): Promise<void> {
    const isSweep = now >= this.#forgetSentAt;
    if (isSweep) this.#forgetSentAt = now + SENT_COMMAND_SWEEP_MILLISECONDS;
    await this.#store.transaction(async (sql) => {
      if (isSweep)
        await sql.run(
          "delete from sent_commands where sent_at < $1",
          BigInt(now - SENT_COMMAND_MILLISECONDS),
        );
      await sql.run(
        "insert into sent_commands (operation, command_id, sent_at) values ($1, $2, $3)",
        operation,
        commandId,
        BigInt(now),
      );
    }, SEEN_BEFORE_SYNCED);
  }

  /** Not synced: a command that is found again after a crash has the outcome that it had. */
  async dropSent(operation: string): Promise<void> {
    const statement = "delete from sent_commands where operation = $1";
    await this.#store.transaction((sql) => sql.run(statement, operation), REPEATABLE);
  }

  async followed(): Promise<readonly string[]> {
    const rows = await this.#store.all("select party from followed order by party");
    return rows.map(({ party }) => String(party));
  }

  /** Call when their contracts are in the store. */
  async addFollowed(parties: readonly string[]): Promise<void> {
    await this.#store.transaction(async (sql) => {
      for (const party of parties)
        await sql.run("insert into followed (party) values ($1) on conflict (party) do nothing", party);
    });
  }

  /** The DSO of the network whose contracts are in the store. */
  async findDso(): Promise<string | undefined> {
    const row = await this.#store.get("select dso from network where id = 1");
    return row === undefined ? undefined : String(row["dso"]);
  }

  /** Empties the store, for these parties on that DSO's network. */
  async restart(parties: readonly string[], dso: string): Promise<void> {
    await this.#rebuild(async (sql) => {
      const row = await sql.get("select dso from network where id = 1");
      // The ids of another network's requests are free.
      if (row?.["dso"] !== dso) await sql.run("delete from first_answers");
      for (const table of REBUILT_TABLES) await sql.run(`delete from ${table}`);
      await sql.run("insert into network (id, dso) values (1, $1)", dso);
      for (const party of parties) await sql.run("insert into followed (party) values ($1)", party);
    });
  }

  /**
   * Applies the contracts of this DSO's network and the new position in one transaction. An interrupted call that was
   * kept may be repeated. Throws a `CopyMoved` if the copy is at neither position.
   */
  apply(
    transactions: readonly Pick<Transaction, "events">[],
    { from, dso, ...position }: Position & { readonly from: number; readonly dso: string },
  ): Promise<LedgerAdvance> {
    const touched = new Set<string>();
    const write = async (sql: Sql) => {
      await movePosition(sql, from, position);
      const noted = { paid: new Set<string>(), owners: new Set<string>(), touched };
      const dictionaries = await this.#dictionaries.loadToPack(sql);
      for (const transaction of transactions) {
        await changeContracts(sql, transaction.events, { noted, dso, dictionaries });
        for (const event of transaction.events)
          if ("CreatedEvent" in event) await keepTerms(sql, event.CreatedEvent, { dso, dictionaries });
      }
      await dictionaries.save(sql);
      return noted;
    };
    return this.#changes.during(touched, () => this.#store.transaction(write, REPEATABLE));
  }

  #rebuild(write: (sql: Sql) => Promise<void>): Promise<void> {
    return this.#changes.during("all", () => this.#store.transaction(write));
  }

  async find<T extends AnyTemplateDeclaration>(
    template: T,
    contractId: string,
  ): Promise<WalletContract<PayloadOf<T>> | undefined> {
    const row = await this.#store.get(
      "select * from contracts where contract_id = $1 and template = $2",
      contractId,
      template.entity,
    );
    return row === undefined ? undefined : (await this.#read(template, [row]))[0];
  }

  /** No automation has a task with the contract until that time, in microseconds. */
  async postpone(contractId: string, dueAt: bigint): Promise<void> {
    await this.#store.run("update deadlines set due_at = $1 where contract_id = $2", dueAt, contractId);
  }

  /** All of them, however many, in the order of the ledger. */
  async *listAll<T extends AnyTemplateDeclaration>(
    template: T,
    owner: string,
  ): AsyncGenerator<WalletContract<PayloadOf<T>>> {
    for (let [arrival, node] = [-1n, -1n]; ; ) {
      const rows = await this.#store.all(
        `select * from contracts where owner = $1 and template = $2
           and (arrival > $3 or (arrival = $4 and node > $5))
         order by arrival, node limit $6`,
        ...[owner, template.entity, arrival, arrival, node, BigInt(MAX_ROWS)],
      );
      yield* await this.#read(template, rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < MAX_ROWS) return;
      [arrival, node] = [BigInt(last["arrival"] as bigint), BigInt(last["node"] as bigint)];
    }
  }

  /** In the order of the ledger. */
  async list<T extends AnyTemplateDeclaration>(
    template: T,
    sought: ContractQuery,
    limit: number = MAX_ROWS,
  ): Promise<readonly WalletContract<PayloadOf<T>>[]> {
    const where = ["template = $1"];
    const parameters: SqlValue[] = [template.entity];
    const { reference, entry, owner } = sought;
    for (const link of [sought.link, reference])
      if (link !== undefined) where.push(`link = $${parameters.push(link)}`);
    for (const name of [sought.name, entry])
      if (name !== undefined) where.push(`name = $${parameters.push(indexedText(name))}`);
    // The index of owners has their contracts in order, and would be read through for the few.
    const isOwner = reference === undefined && entry === undefined ? "owner" : "owner || ''";
    if (owner !== undefined) where.push(`${isOwner} = $${parameters.push(owner)}`);
    if (sought.after !== undefined) {
      const { arrival, node } = splitPlace(sought.after);
      where.push(`(arrival, node) > ($${parameters.push(arrival)}, $${parameters.push(node)})`);
    }
    const { party } = sought;
    if (party !== undefined)
      where.push(`(owner = $${parameters.push(party)} or link = $${parameters.push(party)})`);
    const rows = await this.#store.all(
      `select * from contracts where ${where.join(" and ")} order by arrival, node limit $${parameters.length + 1}`,
      ...parameters,
      BigInt(limit),
    );
    return await this.#read(template, rows);
  }

  /** Coupons of users who granted this validator the right to mint them, in the order of the ledger. */
  async listMintableFor(validator: string): Promise<readonly WalletContract<ValidatorRewardCoupon>[]> {
    const rows = await this.#store.all(
      `select * from contracts where template = $1
         and owner in (select owner from contracts where link = $2 and template = $3)
       order by arrival, node limit $4`,
      ValidatorRewardCoupon.entity,
      validator,
      ValidatorRight.entity,
      BigInt(MAX_ROWS),
    );
    return await this.#read(ValidatorRewardCoupon, rows);
  }

  /** The same of one round, up to a limit: one look-up for each coupon of the round. */
  async listMintableIn(
    round: bigint,
    { validator, limit }: { readonly validator: string; readonly limit: number },
  ): Promise<readonly WalletContract<ValidatorRewardCoupon>[]> {
    const rows = await this.#store.all(
      `select * from contracts c where c.name = $1 and c.template = $2
         and exists (select 1 from contracts r where r.owner = c.owner and r.template = $3 and r.link || '' = $4)
       order by c.arrival, c.node limit $5`,
      String(round),
      ValidatorRewardCoupon.entity,
      ValidatorRight.entity,
      validator,
      BigInt(limit),
    );
    return await this.#read(ValidatorRewardCoupon, rows);
  }

  /** The terms of the owner's last subscription to each name, also after it was cancelled. */
  async readTerms(owner: string): Promise<(name: string) => SubscriptionIdleState["payData"] | undefined> {
    const rows = await this.#store.all("select name, terms from entry_terms where owner = $1", owner);
    const terms = new Map(rows.map((row) => [String(row["name"]), String(row["terms"])]));
    return (name) => {
      const text = terms.get(indexedText(name));
      return text === undefined ? undefined : payDataType.fromJson(JSON.parse(text), ledgerJson);
    };
  }

  /** Dictionaries are read behind the rows: those of the rows are among them. */
  async #read<T extends AnyTemplateDeclaration>(
    template: T,
    rows: readonly SqlRow[],
  ): Promise<readonly WalletContract<PayloadOf<T>>[]> {
    const dictionaries = await this.#dictionaries.load(this.#store);
    return rows.map((row) => readContract(template, row, dictionaries));
  }
}
