/**
 * Finds active contracts by a party. A row has the contract's id alone: its content is in the replica's own state. Contracts
 * of equal rank are ordered by id, so that an index that was backfilled answers as one that has followed the log.
 */
import type { PartyId } from "@callsign/ledger";
import type { ReplicaChange, SqliteState } from "@callsign/synchronizer";
import type { CurrentContract } from "../contracts/contract-reader.ts";
import { findContract } from "../contracts/find-contract.ts";
import {
  belongsToDso,
  PARTY_TEMPLATES,
  type PartyTemplate,
  partyKeyOf,
} from "../contracts/party-templates.ts";

export const PARTY_TABLE = `
  create table party_contract (
    kind text not null,
    party text not null,
    rank integer not null,
    contract_id text not null unique,
    primary key (kind, party, rank, contract_id)
  ) strict, without rowid;
  create index party_contract_rank on party_contract (kind, rank, contract_id);
`;

const KINDS: ReadonlyMap<string, string> = new Map(PARTY_TEMPLATES.map(({ id, entity }) => [id, entity]));

export function openPartyContracts(state: SqliteState) {
  const { database } = state;
  const insert = database.prepare("insert into party_contract values (?, ?, ?, ?)");
  const remove = database.prepare("delete from party_contract where contract_id = ?");
  const oldest = database.prepare(
    "select contract_id from party_contract where kind = ? and party = ? order by rank, contract_id limit +?",
  );
  const newest = database.prepare(
    "select contract_id from party_contract where kind = ? and party = ? order by rank desc, contract_id desc limit 1",
  );
  const all = database.prepare(
    "select contract_id from party_contract where kind = ? order by rank, contract_id limit +?",
  );

  function read<T extends PartyTemplate>(
    template: T,
    rows: readonly Record<string, unknown>[],
  ): readonly CurrentContract<T>[] {
    return rows.map((row) => {
      const contract = findContract(state, template, row["contract_id"] as string);
      if (contract === undefined) throw new Error(`${row["contract_id"]} is indexed and not active`);
      return contract;
    });
  }

  return {
    /** Oldest first. */
    listOf: <T extends PartyTemplate>(template: T, party: string, limit: number) =>
      read(template, oldest.all(template.entity, party, limit)),
    findOldest: <T extends PartyTemplate>(template: T, party: string) =>
      read(template, oldest.all(template.entity, party, 1))[0],
    findNewest: <T extends PartyTemplate>(template: T, party: string) =>
      read(template, newest.all(template.entity, party))[0],
    /** The contracts of all parties, oldest first. */
    list: <T extends PartyTemplate>(template: T, limit: number) =>
      read(template, all.all(template.entity, limit)),
    absorb: ({ archived, created }: ReplicaChange, dso: PartyId) => {
      for (const { templateId, contractId } of archived) if (KINDS.has(templateId)) remove.run(contractId);
      for (const { contract, signatories, value } of created) {
        const [kind, key] = [KINDS.get(contract.templateId), partyKeyOf(contract, value)];
        if (kind === undefined || key === null) continue;
        if (!belongsToDso({ templateId: contract.templateId, signatories, value }, dso)) continue;
        insert.run(kind, key.party, key.rank, contract.contractId);
      }
    },
  };
}
