/**
 * When requests that nobody answers fall due follows from the SV's own configuration. If that has changed, or was not
 * known when the rows were written, their times are set anew, once. Rows from before that had a key which all contracts
 * of a transaction share, and get the one by which they are found now.
 */
import type { DatabaseSync } from "node:sqlite";
import { type ContractId, SubscriptionRequest } from "@callsign/ledger";
import { inTransaction } from "@callsign/node";
import { contentKey, templateNumber } from "./agenda-row.ts";

const SCHEMA = `
  create table if not exists sv_request_wait (
    one integer primary key check (one = 1),
    microseconds integer not null
  ) strict;
`;

/** The sequence is how far the agenda has come: before the first entry there are no requests. */
export function applyRequestWait(database: DatabaseSync, microseconds: bigint, sequence: number): void {
  database.exec(SCHEMA);
  const known = database.prepare("select microseconds from sv_request_wait").get()?.["microseconds"];
  if (known === microseconds) return;
  inTransaction(database, () => {
    if (sequence > 0) {
      if (known === undefined) setKeys(database);
      const set = database.prepare(
        "update sv_contract set due = " +
          "(select c.created_at from contract c where c.contract_id = sv_contract.contract_id) + ? " +
          "where template = ?",
      );
      set.run(microseconds, templateNumber(SubscriptionRequest.id) as bigint);
    }
    database.prepare("insert or replace into sv_request_wait values (1, ?)").run(microseconds);
  });
}

function setKeys(database: DatabaseSync): void {
  const list = database.prepare("select created, contract_id from sv_contract where template = ?");
  const set = database.prepare("update sv_contract set key = ? where created = ?");
  for (const row of list.all(templateNumber(SubscriptionRequest.id) as bigint)) {
    set.run(contentKey(row["contract_id"] as ContractId), row["created"] as bigint);
  }
}
