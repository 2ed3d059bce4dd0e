/**
 * Rows of the active contracts that clients are shown and disclose, as they were created. Decoded contracts are cached by
 * template until one of the template changes.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { ContractId, PartyId, PayloadOf, Time } from "@callsign/ledger";
import type { CreatedContract, ReplicaChange } from "@callsign/synchronizer";
import type { ContractReader, CurrentContract } from "../contracts/contract-reader.ts";
import {
  CURRENT_TEMPLATES,
  type CurrentTemplate,
  type RoundTemplate,
  roundOf,
  tickOf,
} from "../contracts/current-templates.ts";

export const CONTRACT_TABLES = `
  create table if not exists current_contract (
    template_id text not null,
    round integer not null,
    created integer not null,
    contract_id text not null unique,
    payload text not null,
    created_at integer not null,
    tick integer,
    primary key (template_id, round, created)
  ) strict, without rowid;
  create index if not exists current_contract_tick on current_contract (tick) where tick is not null;
`;

export interface PlacedContract<T extends CurrentTemplate> extends CurrentContract<T> {
  /** Orders contracts by creation. */
  readonly place: bigint;
}

const TEMPLATE_IDS: ReadonlySet<string> = new Set(CURRENT_TEMPLATES.map(({ id }) => id));

export class CurrentContracts implements ContractReader {
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #select: StatementSync;
  readonly #page: StatementSync;
  readonly #lowestRound: StatementSync;
  readonly #shortestTick: StatementSync;
  readonly #memory = new Map<string, readonly CurrentContract[]>();

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("insert into current_contract values (?, ?, ?, ?, ?, ?, ?)");
    this.#delete = database.prepare("delete from current_contract where contract_id = ?");
    this.#select = database.prepare(
      "select contract_id, payload, created_at from current_contract where template_id = ? order by round, created",
    );
    this.#page = database.prepare(
      "select contract_id, payload, created_at, created from current_contract " +
        "where template_id = ? and round = 0 and created < ? order by created desc limit ?",
    );
    this.#lowestRound = database.prepare(
      "select min(round) as round from current_contract where template_id = ?",
    );
    this.#shortestTick = database.prepare(
      "select min(tick) as tick from current_contract where tick is not null",
    );
  }

  list<T extends CurrentTemplate>(template: T): readonly CurrentContract<T>[] {
    let contracts = this.#memory.get(template.id);
    if (contracts === undefined) {
      contracts = this.#select.all(template.id).map((row) => read(template, row));
      this.#memory.set(template.id, contracts);
    }
    return contracts as readonly CurrentContract<T>[];
  }

  find<T extends CurrentTemplate>(template: T): CurrentContract<T> | undefined {
    return this.list(template).at(-1);
  }

  /** Contracts created before a place, newest first; for templates that are no rounds and may have many contracts. */
  listNewest<T extends CurrentTemplate>(
    template: T,
    { before, limit }: { readonly before: bigint; readonly limit: number },
  ): readonly PlacedContract<T>[] {
    return this.#page.all(template.id, before, limit).map((row) => {
      return { ...read(template, row), place: row["created"] as bigint };
    });
  }

  findLowestRound(template: RoundTemplate): bigint | undefined {
    return (this.#lowestRound.get(template.id)?.["round"] ?? undefined) as bigint | undefined;
  }

  findShortestTick(): bigint | undefined {
    return (this.#shortestTick.get()?.["tick"] ?? undefined) as bigint | undefined;
  }

  /** Anybody may create contracts that name a DSO of their own. */
  absorb({ archived, created }: ReplicaChange, dso: PartyId): void {
    for (const { templateId, contractId } of archived) {
      if (!TEMPLATE_IDS.has(templateId)) continue;
      this.#delete.run(contractId);
      this.#memory.delete(templateId);
    }
    for (const each of created) {
      if (TEMPLATE_IDS.has(each.contract.templateId) && each.signatories.includes(dso)) this.#add(each);
    }
  }

  #add({ contract, value, place }: CreatedContract): void {
    const { contractId, templateId, payload, createdAt } = contract;
    this.#insert.run(templateId, roundOf(value), place, contractId, payload, createdAt, tickOf(value));
    this.#memory.delete(templateId);
  }

  reload(): void {
    this.#memory.clear();
  }
}

function read<T extends CurrentTemplate>(
  template: T,
  row: Record<string, SQLOutputValue>,
): CurrentContract<T> {
  const payload = row["payload"] as string;
  const contract = {
    contractId: row["contract_id"] as ContractId,
    templateId: template.id,
    payload,
    createdAt: row["created_at"] as Time,
  };
  return { contract, payload: template.record.decode(JSON.parse(payload)) as PayloadOf<T> };
}
