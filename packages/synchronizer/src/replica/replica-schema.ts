/**
 * The replica's tables: the active contracts, everything else the transition reads, and the kinds of contracts that each
 * consumer has. They carry the position they stand at: `head` changes in the same transaction as the rows.
 */
import type { DatabaseSync } from "node:sqlite";
import type { StoreMigrations } from "@callsign/node";
import { PACKED_CONTRACTS, SEPARATE_PAYLOADS } from "./payload-texts.ts";
import { addFirstRowChecks, addRowChecks, CONSUMER_KINDS } from "./row-check.ts";
import { addKeyHashes, SHORT_IDS } from "./used-ids.ts";

const SCHEMA = `
  create table if not exists head (
    one integer primary key check (one = 1),
    sequence integer not null,
    entry_hash text not null,
    digest text not null,
    record_time integer not null
  ) strict;
  create table if not exists network (one integer primary key check (one = 1), body text not null) strict;
  create table if not exists contract (
    contract_id text primary key,
    template_id integer not null,
    payload text not null,
    created_at integer not null
  ) strict, without rowid;
  create table if not exists template (id integer primary key, name text not null unique) strict;
  create table if not exists member (id text primary key, body text not null) strict, without rowid;
  create table if not exists hosting (party text primary key, serial integer not null, hosts text not null) strict, without rowid;
  create table if not exists traffic (id text primary key, body text not null) strict, without rowid;
  create table if not exists submission (key text primary key, until integer not null) strict, without rowid;
  create index if not exists submission_until on submission (until);
  create table if not exists command (key text primary key, submission_id text not null, record_time integer not null) strict, without rowid;
  create index if not exists command_time on command (record_time);
  create table if not exists consumer_kind (
    consumer text not null,
    template text not null,
    backfill integer not null,
    primary key (consumer, template)
  ) strict, without rowid;
`;

/** The last stamp of each SV, from protocol version 4 on. */
const STAMPS =
  "create table if not exists stamp (sv text primary key, stamped_at integer not null) strict, without rowid";

/** The changed sets of SVs with their attestations, by serial, from protocol version 4 on. */
const SV_SETS =
  "create table sv_set (id text primary key, body text not null, row_check integer not null) strict, without rowid";

/**
 * The snapshots that SVs attested last, from protocol version 4 on, and the first entries of days in record time, as far as
 * the log has them.
 */
const SNAPSHOTS = `
  create table state_snapshot (id text primary key, body text not null, row_check integer not null) strict, without rowid;
  create table day (day integer primary key, sequence integer not null, row_check integer not null) strict;
`;

/** The sums of the checks in the tables of consumers. */
function addRowSums(database: DatabaseSync): void {
  database.exec(
    "create table row_sum (name text primary key, sum integer not null, row_check integer not null) strict, without rowid",
  );
  addRowChecks(database, CONSUMER_KINDS);
}

export const replicaMigrations: StoreMigrations<DatabaseSync> = {
  store: "replica",
  migrations: [
    SCHEMA,
    STAMPS,
    addFirstRowChecks,
    SV_SETS,
    SNAPSHOTS,
    addRowSums,
    addKeyHashes,
    PACKED_CONTRACTS,
    SEPARATE_PAYLOADS,
    SHORT_IDS,
  ],
};
