/**
 * The tables of the validator's copy of its users' contracts. A new kind of contract in `wallet-contracts.ts`, or a new
 * key of one, needs one more `REBUILD` at the end of the list: the copy of an earlier version lacks it.
 */
import { indexedText, mayNeedHash, type Sql, type StoreMigrations, TEXT_DICTIONARIES } from "@callsign/node";
import { walletTemplates } from "../ledger/wallet-contracts.ts";

const TABLES = `
create table if not exists contracts (
  contract_id text primary key,
  template text not null,
  template_id text not null,
  owner text not null,
  link text not null,
  name text not null,
  payable_from bigint,
  payable_until bigint,
  payload text not null,
  blob text not null,
  created_at text not null,
  arrival bigint not null,
  node bigint not null
);
create index if not exists contracts_by_owner on contracts (owner, template, arrival, node);
create index if not exists contracts_by_link on contracts (link, template);
create index if not exists contracts_by_name on contracts (name, template);
create index if not exists contracts_by_payment on contracts (payable_from);
create table if not exists entry_terms (
  owner text not null,
  name text not null,
  terms text not null,
  primary key (owner, name)
);
create table if not exists deadlines (contract_id text primary key, template text not null, due_at bigint not null);
create index if not exists deadlines_by_time on deadlines (template, due_at);
create table if not exists sent_commands (operation text primary key, command_id text not null, sent_at bigint not null);
create table if not exists followed (party text primary key);
create table if not exists operator (id bigint primary key, party text not null);
create table if not exists network (id bigint primary key, dso text not null);
create table if not exists position (id bigint primary key, ledger_offset bigint not null, record_time bigint not null);
`;

/**
 * The history of wallets. It is never pruned, and no rebuild empties it: a participant may have dropped the updates that it
 * was derived from.
 */
const HISTORY = `
create table if not exists history_items (
  party text not null,
  event_id text not null,
  update_id text not null,
  record_time bigint not null,
  node bigint not null,
  ledger_offset bigint not null,
  item text not null,
  primary key (party, event_id)
);
create index if not exists history_items_by_time on history_items (party, record_time, update_id, node);
create table if not exists history_contracts (contract_id text primary key, template text not null, payload text not null);
create table if not exists history_names (reference text primary key, content text not null);
create table if not exists tracked_requests (
  party text not null,
  kind text not null,
  tracking_id text not null,
  record_time bigint not null,
  ledger_offset bigint not null,
  status text not null,
  primary key (party, kind, tracking_id)
);
create table if not exists history_parties (party text primary key);
create table if not exists history_network (id bigint primary key, dso text not null);
create table if not exists history_position (id bigint primary key, ledger_offset bigint not null);
`;

/** The copy of the ledger, and the place that it has come to. */
export const COPIED_TABLES = ["contracts", "deadlines", "position"];

/** The history goes on at the beginning of another ledger. Its items belong to none of that ledger's offsets. */
export const LEAVE_LEDGER: readonly string[] = [
  "delete from history_position",
  "update history_items set ledger_offset = 0",
  "update tracked_requests set ledger_offset = 0",
  "update name_requests set ledger_offset = 0",
  "update fund_coupons set ledger_offset = 0 where ledger_offset > 0",
];

/** Tables that are read from the ledger. */
export const REBUILT_TABLES = [...COPIED_TABLES, "entry_terms", "followed", "network"];

/** Empties the copy: the validator reads the ledger from its beginning. */
const REBUILD = REBUILT_TABLES.map((table) => `delete from ${table};\n`).join("");

const DROP_KEPT_KINDS = "drop table kept_kinds;\n";
const KNOWN_SCANS = "create table if not exists known_scans (id bigint primary key, list text not null);\n";
const WITH_EVERY_KIND = 2;
/** The migration of the network that the store belongs to. */
const MIGRATION =
  "create table if not exists network_migration (id bigint primary key, migration_id bigint not null);\n";

/** Requests that take effect once, with the first answer to each. */
const FIRST_ANSWERS = `
create table if not exists first_answers (
  command_id text primary key,
  content text not null,
  answer text,
  ledger_offset bigint not null,
  kept_at bigint not null
);
create index if not exists first_answers_by_time on first_answers (kept_at);
`;

/** Coupons of the development fund, also after they have ended: the history is read for them from the beginning. */
const FUND_COUPONS = `
create table if not exists fund_coupons (
  contract_id text primary key,
  beneficiary text not null,
  fund_manager text not null,
  payload text not null,
  created_at text not null,
  archived_at bigint,
  ledger_offset bigint,
  place bigint,
  status text,
  ending_reason text
);
create index if not exists fund_coupons_by_beneficiary on fund_coupons (beneficiary, archived_at);
create index if not exists fund_coupons_by_manager on fund_coupons (fund_manager, archived_at);
delete from history_position;
`;

/** Requests for names and their ends: the history is read for them from the beginning. */
const NAME_REQUESTS = `
create table if not exists name_requests (
  reference text primary key,
  party text not null,
  purpose text not null,
  content text not null,
  entry text,
  requested_at bigint not null,
  payment text,
  ending text,
  ledger_offset bigint not null
);
create index if not exists name_requests_by_time on name_requests (party, requested_at, reference);
create index if not exists name_requests_by_entry on name_requests (entry) where entry is not null;
delete from history_position;
`;

/** Rows from before are read as they are. */
const PACKED_CONTRACTS = "alter table contracts add column packed blob;\n";

/** Updates of one record time are few: the index need not hold their ids. */
const PACKED_HISTORY = `
alter table history_items add column packed blob;
alter table history_contracts add column packed blob;
drop index history_items_by_time;
create index history_items_by_time on history_items (party, record_time);
`;

/**
 * In SQLite an entry of an index that is longer than a quarter of a page takes a page of its own: party and reference are. Requests of
 * one time are few.
 */
const PACKED_REQUESTS = `
alter table name_requests add column packed blob;
drop index name_requests_by_time;
create index name_requests_by_time on name_requests (party, requested_at);
`;

export const walletMigrations: StoreMigrations<Sql> = {
  store: "wallet",
  migrations: [
    ...[TABLES, REBUILD, DROP_KEPT_KINDS, MIGRATION, KNOWN_SCANS, shortenNames],
    ...[HISTORY, REBUILD, FIRST_ANSWERS, FUND_COUPONS, REBUILD, REBUILD, NAME_REQUESTS, REBUILD],
    ...[TEXT_DICTIONARIES + PACKED_CONTRACTS, PACKED_HISTORY, PACKED_REQUESTS],
  ],
  unrecordedVersion: findUnrecordedVersion,
};

/** The ledger bounds no name that somebody asks for. */
async function shortenNames(sql: Sql): Promise<void> {
  const contracts = await sql.all(`select contract_id, name from contracts where ${mayNeedHash("name")}`);
  for (const { contract_id, name } of contracts) {
    const text = indexedText(String(name));
    await sql.run("update contracts set name = $1 where contract_id = $2", text, contract_id ?? null);
  }
  const deleted = await sql.all(
    `delete from entry_terms where ${mayNeedHash("name")} returning owner, name, terms`,
  );
  for (const { owner, name, terms } of deleted) {
    await sql.run(
      "insert into entry_terms (owner, name, terms) values ($1, $2, $3)",
      String(owner),
      indexedText(String(name)),
      String(terms),
    );
  }
}

/** Stores without a version list the kinds of contracts they keep. */
async function findUnrecordedVersion(sql: Sql): Promise<number> {
  await sql.run("create table if not exists kept_kinds (template text primary key)");
  const rows = await sql.all("select template from kept_kinds");
  const kept = new Set(rows.map(({ template }) => template));
  return walletTemplates.every(({ entity }) => kept.has(entity)) ? WITH_EVERY_KIND : 0;
}
