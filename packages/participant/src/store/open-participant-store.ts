/** The versions of a participant's store. One of an earlier version gets the tables and rows that it lacks. */
import type { DatabaseSync } from "node:sqlite";
import {
  openSqliteStore,
  type Sql,
  type SqliteStore,
  type StoreMigrations,
  TEXT_DICTIONARIES,
} from "@callsign/node";
import { ID_PART } from "./packed-contract.ts";
import { fillReadIndex } from "./read-index.ts";
import { participantSchema } from "./schema.ts";
import { shortenKeys } from "./short-keys.ts";

/** Bodies of earlier releases stay in the column `body`, which new rows have empty. */
const addPackedBodies = `
  alter table stream_item add column packed blob;
  ${TEXT_DICTIONARIES}
`;

/** Contracts of earlier releases keep their texts in columns that are empty in new rows. The long ids have no index any more. */
const addPackedContracts = `
  create table packed_contract (
    contract_number bigint primary key,
    id_part text not null,
    template_number bigint not null,
    created_at bigint not null,
    activated bigint not null,
    archived_offset bigint not null,
    archived_node bigint,
    packed blob,
    contract_id text,
    payload text,
    signatories text,
    observers text,
    stakeholders text
  );
  insert into packed_contract (contract_number, id_part, template_number, created_at, activated, archived_offset,
      archived_node, contract_id, payload, signatories, observers, stakeholders)
    select contract_number, ${ID_PART}, template_number, created_at, activated, archived_offset,
      archived_node, contract_id, payload, signatories, observers, stakeholders from contract;
  drop table contract;
  alter table packed_contract rename to contract;
  create index contract_id_part on contract (id_part);
  create index contract_of_template on contract (template_number, activated, archived_offset, contract_number);
  create index contract_by_archival on contract (activated, archived_offset, contract_number);
`;

export const participantMigrations: StoreMigrations<Sql> = {
  store: "participant",
  migrations: [
    ...[participantSchema, fillReadIndex, shortenKeys, allowCompressedBodies, addPackedBodies],
    addPackedContracts,
  ],
};

/** Gives the store a version that earlier releases refuse: they cannot read compressed bodies. */
async function allowCompressedBodies(): Promise<void> {
  // Bodies of earlier releases stay as they are, and `unpackBody` reads them.
}

export function openParticipantStore(database: DatabaseSync): Promise<SqliteStore> {
  return openSqliteStore(database, participantMigrations);
}
