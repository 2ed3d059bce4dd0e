/** Who is a validator of the network: the licenses that its DSO has signed, in the order in which they were made. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Contract, type ContractId, type PartyId, ValidatorLicense } from "@callsign/ledger";

const SCHEMA = `
  create table if not exists sv_license (
    created integer primary key,
    contract_id text not null unique,
    validator text not null
  ) strict;
  create index if not exists sv_license_validator on sv_license (validator);
`;

export interface LicenseRow {
  readonly created: bigint;
  readonly contractId: ContractId;
}

export class LicenseRows {
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #find: StatementSync;
  readonly #list: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA);
    this.#insert = database.prepare("insert into sv_license values (?, ?, ?)");
    this.#delete = database.prepare("delete from sv_license where contract_id = ?");
    this.#find = database.prepare("select 1 from sv_license where validator = ? limit 1");
    this.#list = database.prepare(
      "select created, contract_id from sv_license where created < ? order by created desc limit ?",
    );
  }

  /** Takes in a license that the network's DSO signed. */
  insert({ contractId, payload }: Contract, created: bigint): void {
    const { validator } = ValidatorLicense.record.decode(JSON.parse(payload));
    this.#insert.run(created, contractId, validator);
  }

  remove(contractId: ContractId): void {
    this.#delete.run(contractId);
  }

  has(validator: PartyId): boolean {
    return this.#find.get(validator) !== undefined;
  }

  /** Newest first. */
  list(before: bigint | null, limit: number): readonly LicenseRow[] {
    return this.#list.all(before ?? 2n ** 62n, limit).map((row) => ({
      created: row["created"] as bigint,
      contractId: row["contract_id"] as ContractId,
    }));
  }
}
