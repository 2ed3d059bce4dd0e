/**
 * Contracts of the network's DSO that the SV app shows: licenses, votes on the coin's price, vote requests. Each is found
 * by a key of its own, and listed in the order of creation.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  AmuletPriceVote,
  type Contract,
  type ContractId,
  ValidatorLicense,
  VoteRequest,
} from "@callsign/ledger";

/** An index from before numbered migrations has this table already. */
export const DSO_CONTRACTS_SCHEMA = `
  create table if not exists sv_dso_contract (
    contract_id text primary key,
    entity text not null,
    created integer not null,
    key text not null
  ) strict, without rowid;
  create index if not exists sv_dso_contract_created on sv_dso_contract (entity, created);
  create index if not exists sv_dso_contract_key on sv_dso_contract (entity, key);
`;

export const DSO_TEMPLATES = [ValidatorLicense, AmuletPriceVote, VoteRequest] as const;
export type DsoTemplate = (typeof DSO_TEMPLATES)[number];

export class DsoContractRows {
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #find: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("insert or ignore into sv_dso_contract values (?, ?, ?, ?)");
    this.#delete = database.prepare("delete from sv_dso_contract where contract_id = ?");
    this.#find = database.prepare(
      "select contract_id from sv_dso_contract where entity = ? and key = ? order by created desc limit 1",
    );
    this.#list = database.prepare(
      "select contract_id from sv_dso_contract where entity = ? order by created desc limit ?",
    );
  }

  /** Takes in a contract that the network's DSO signed. */
  insert(contract: Contract, created: bigint): void {
    const template = DSO_TEMPLATES.find(({ id }) => id === contract.templateId);
    if (template === undefined) return;
    this.#insert.run(contract.contractId, template.entity, created, keyOf(template, contract));
  }

  remove(contractId: ContractId): void {
    this.#delete.run(contractId);
  }

  /** The newest with that key: a validator's party, an SV's party, the first id of what is voted on. */
  find({ entity }: DsoTemplate, key: string): ContractId | undefined {
    const row = this.#find.get(entity, key);
    return row === undefined ? undefined : read(row);
  }

  /** Newest first. */
  list({ entity }: DsoTemplate, limit: number): readonly ContractId[] {
    return this.#list.all(entity, limit).map(read);
  }
}

export function isOfDso({ templateId }: Pick<Contract, "templateId">): boolean {
  return DSO_TEMPLATES.some(({ id }) => id === templateId);
}

function keyOf(template: DsoTemplate, contract: Contract): string {
  const data: unknown = JSON.parse(contract.payload);
  switch (template) {
    case ValidatorLicense:
      return ValidatorLicense.record.decode(data).validator;
    case AmuletPriceVote:
      return AmuletPriceVote.record.decode(data).sv;
    default:
      return VoteRequest.record.decode(data).trackingCid ?? contract.contractId;
  }
}

function read(row: Record<string, unknown>): ContractId {
  return row["contract_id"] as ContractId;
}
