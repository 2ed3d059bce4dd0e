/**
 * An index that is older than some of what it keeps gets it once, from the replica's own contracts. They are put before
 * all others, in the order of their creation. Rewards are not among it: who counts them has seen each transfer, and
 * before indexes counted them nothing could be minted.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Contract, ContractId, PartyId, Time } from "@callsign/ledger";
import { inTransaction } from "@callsign/node";
import type { CurrentContracts } from "./contracts/current-contracts.ts";
import { ADDED_TEMPLATES } from "./contracts/current-templates.ts";
import type { ScanPosition } from "./scan-position.ts";

const SCHEMA = `
  create table if not exists scan_index (one integer primary key check (one = 1), version integer not null) strict;
`;
const VERSION = 2n;

export function completeIndex(
  database: DatabaseSync,
  { sequence, network }: ScanPosition,
  contracts: CurrentContracts,
): void {
  database.exec(SCHEMA);
  const known = database.prepare("select version from scan_index").get()?.["version"];
  if (known === VERSION) return;
  inTransaction(database, () => {
    if (sequence > 0 && network !== null) addContracts(database, network.dso, contracts);
    database.prepare("insert or replace into scan_index values (1, ?)").run(VERSION);
  });
}

function addContracts(database: DatabaseSync, dso: PartyId, contracts: CurrentContracts): void {
  const select = database.prepare(
    "select c.contract_id, c.payload, c.created_at from contract c join template t on t.id = c.template_id " +
      "where t.name = ? order by c.created_at, c.contract_id",
  );
  for (const template of ADDED_TEMPLATES) {
    const rows = select.all(template.id);
    for (const [place, row] of rows.entries()) {
      const contract: Contract = {
        templateId: template.id,
        contractId: row["contract_id"] as ContractId,
        payload: row["payload"] as string,
        createdAt: row["created_at"] as Time,
      };
      const value = template.record.decode(JSON.parse(contract.payload));
      // Each of these is signed by the DSO that it names.
      if (value.dso === dso) contracts.insert(contract, value, BigInt(place - rows.length));
    }
  }
}
