/**
 * When requests that nobody answers fall due follows from the SV's own configuration. If that has changed, or was not
 * known when the rows were written, their times are set anew, once.
 */
import type { DatabaseSync } from "node:sqlite";
import { SubscriptionRequest } from "@callsign/ledger";
import { inTransaction } from "../../database/open-database.ts";
import { templateNumber } from "./agenda-row.ts";

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
