/**
 * An agenda that was written before rounds, rewards and traffic belonged to it gets what it lacks, once, from the
 * replica's own contracts. They are put before all others, in the order of their creation.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Contract, ContractId, Time } from "@callsign/ledger";
import { inTransaction } from "../../database/open-database.ts";

const SCHEMA = `
  create table if not exists sv_agenda (one integer primary key check (one = 1), version integer not null) strict;
`;
const VERSION = 2n;

export interface Lacking {
  readonly templateIds: readonly string[];
  /** How far the agenda has come; nothing is lacking before the first entry. */
  readonly sequence: number;
  readonly insert: (contract: Contract, created: bigint) => void;
}

export function completeAgenda(database: DatabaseSync, lacking: Lacking): void {
  database.exec(SCHEMA);
  const known = database.prepare("select version from sv_agenda").get()?.["version"];
  if (known === VERSION) return;
  inTransaction(database, () => {
    const contracts = lacking.sequence === 0 ? [] : listContracts(database, lacking);
    contracts.forEach((contract, place) => {
      lacking.insert(contract, BigInt(place - contracts.length));
    });
    database.prepare("insert or replace into sv_agenda values (1, ?)").run(VERSION);
  });
}

function listContracts(database: DatabaseSync, { templateIds }: Lacking): readonly Contract[] {
  const list = database.prepare(
    "select c.contract_id, c.payload, c.created_at from contract c join template t on t.id = c.template_id " +
      "where t.name = ?",
  );
  return templateIds
    .flatMap((templateId) =>
      list.all(templateId).map((row) => ({
        templateId,
        contractId: row["contract_id"] as ContractId,
        payload: row["payload"] as string,
        createdAt: row["created_at"] as Time,
      })),
    )
    .toSorted((a, b) => Number(a.createdAt - b.createdAt) || (a.contractId < b.contractId ? -1 : 1));
}
