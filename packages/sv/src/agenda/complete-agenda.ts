/**
 * An agenda that was written before some contracts belonged to it gets what it lacks, once, from the replica's own
 * contracts. They are put before all that it has, in the order of their creation.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Contract, ContractId, Time } from "@callsign/ledger";
import { inTransaction } from "@callsign/node";

const SCHEMA = `
  create table if not exists sv_agenda (one integer primary key check (one = 1), version integer not null) strict;
`;
/** The first had no version. */
export type OldVersion = 1 | 2;
const VERSION = 3;
/** What is added to one version comes before what was added to the one before it. */
const STEP = -(2n ** 40n);

export interface Lacking {
  readonly templateIds: (version: OldVersion) => readonly string[];
  /** How far the agenda has come; nothing is lacking before the first entry. */
  readonly sequence: number;
  readonly insert: (contract: Contract, created: bigint) => void;
}

export function completeAgenda(database: DatabaseSync, lacking: Lacking): void {
  database.exec(SCHEMA);
  const known = Number(database.prepare("select version from sv_agenda").get()?.["version"] ?? 1);
  if (known >= VERSION) return;
  inTransaction(database, () => {
    if (lacking.sequence > 0) insertAll(database, lacking, known as OldVersion);
    database.prepare("insert or replace into sv_agenda values (1, ?)").run(BigInt(VERSION));
  });
}

/** Contracts may be many: their ids are put in order first, and each is read when its turn comes. */
function insertAll(database: DatabaseSync, { templateIds, insert }: Lacking, known: OldVersion): void {
  const list = database.prepare(
    "select c.contract_id, c.created_at from contract c join template t on t.id = c.template_id where t.name = ?",
  );
  const read = database.prepare("select payload from contract where contract_id = ?");
  const found = templateIds(known)
    .flatMap((templateId) =>
      list.all(templateId).map((row) => ({
        templateId,
        contractId: row["contract_id"] as ContractId,
        createdAt: row["created_at"] as Time,
      })),
    )
    .toSorted((a, b) => Number(a.createdAt - b.createdAt) || (a.contractId < b.contractId ? -1 : 1));
  found.forEach((contract, place) => {
    const payload = read.get(contract.contractId)?.["payload"] as string;
    insert({ ...contract, payload }, STEP * BigInt(known - 1) + BigInt(place - found.length));
  });
}
