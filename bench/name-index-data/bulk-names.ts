/**
 * A name index with any number of names, made in bulk: rows go into the table in order and its indexes are built
 * afterwards. Everything else in it comes from the founding of a simulated network.
 */
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration, type Time, time } from "../../packages/ledger/src/values/time.ts";
import { SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { inTransaction } from "../../packages/node/src/database/open-database.ts";
import { formatNameEntry } from "../../packages/scan/src/names/name-entry.ts";
import { ScanIndex } from "../../packages/scan/src/rows/scan-index.ts";
import { ReplicaConsumers } from "../../packages/synchronizer/src/replica/consumers.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";

export const NOW: Time = time("2026-01-01T00:00:00Z");
const LABEL_LENGTH = 8;
const LABELS = 36 ** LABEL_LENGTH;
const NAMESPACE = `1220${"ab".repeat(32)}`;
const BATCH = 100_000;

/** Names are spread evenly, and a higher number is a later name. */
export function nameAt(i: number, count: number): string {
  const label = Math.floor((i / count) * LABELS).toString(36);
  return `${label.padStart(LABEL_LENGTH, "0")}.unverified.cns`;
}

export function ownerAt(i: number): PartyId {
  return `user-${i}::${NAMESPACE}` as PartyId;
}

export function makeNames(database: DatabaseSync, count: number): ScanIndex {
  const state = new SqliteState(database);
  const index = new ScanIndex(state);
  const addIndexes = dropIndexes(database);
  const insert = database.prepare(
    "insert into name_entry (name, expires_at, created, json) values (?, ?, ?, ?)",
  );
  for (let start = 0; start < count; start += BATCH) {
    inTransaction(database, () => {
      for (let i = start; i < Math.min(start + BATCH, count); i++) insertName(insert, i, count);
    });
  }
  addIndexes();
  database.exec("pragma wal_checkpoint(truncate); analyze");
  const outcomes: Outcome[] = [];
  new SimulatedNetwork({ startsAt: NOW, observe: (_entry, outcome) => outcomes.push(outcome) });
  const consumers = new ReplicaConsumers(state, [index]);
  inTransaction(database, () => {
    for (const outcome of outcomes) consumers.absorb(outcome);
    state.save();
  });
  return index;
}

/** Returns a function that builds them again. */
function dropIndexes(database: DatabaseSync): () => void {
  const indexes = database
    .prepare("select name, sql from sqlite_schema where type = 'index' and tbl_name = 'name_entry'")
    .all();
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  return () => {
    for (const { sql } of indexes) database.exec(String(sql));
  };
}

function insertName(insert: ReturnType<DatabaseSync["prepare"]>, i: number, count: number): void {
  const name = nameAt(i, count);
  const digest = hash("sha256", `${i}`, "hex");
  const contractId = `00${digest}ca101220${digest}` as ContractId;
  // Ninety days, each a little later than the one before.
  const expiresAt = addDuration(NOW, 7_776_000_000_000n + BigInt(i));
  const json = formatNameEntry(contractId, {
    user: ownerAt(i),
    dso: ownerAt(0),
    name,
    url: `https://example.com/${i}`,
    description: `The entry of name number ${i}`,
    expiresAt,
  });
  insert.run(name, expiresAt, i, json);
}
