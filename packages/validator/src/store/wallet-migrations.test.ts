import { migrateStore, openDatabase, openSqliteStore, type SqliteStore } from "@callsign/node";
import { expect, test } from "vitest";
import { walletTemplates } from "../ledger/wallet-contracts.ts";
import { walletMigrations } from "./wallet-migrations.ts";

/** A store as it was before versions were recorded, with a party that it follows and a sent command. */
async function unversionedStore(kinds: readonly string[]): Promise<SqliteStore> {
  const tables = `create table followed (party text primary key);
     create table kept_kinds (template text primary key);
     create table position (id bigint primary key, ledger_offset bigint not null, record_time bigint not null);
     create table sent_commands (operation text primary key, command_id text not null, sent_at bigint not null);
     create table contracts (contract_id text primary key, template text not null, template_id text not null,
       owner text not null, link text not null, name text not null, payable_from bigint, payable_until bigint,
       payload text not null, blob text not null, created_at text not null, arrival bigint not null,
       node bigint not null);
     create table entry_terms (owner text not null, name text not null, terms text not null, primary key (owner, name));
     create table deadlines (contract_id text primary key, template text not null, due_at bigint not null);
     create table operator (id bigint primary key, party text not null);
     create table network (id bigint primary key, dso text not null);
     insert into followed values ('alice');
     insert into sent_commands values ('tap', 'c1', 1);`;
  const store = await openSqliteStore(openDatabase(":memory:"), {
    store: "unversioned",
    migrations: [tables],
  });
  for (const kind of kinds) await store.run("insert into kept_kinds (template) values ($1)", kind);
  return store;
}

const everyKind = walletTemplates.map(({ entity }) => entity);

test.each([
  ["every kind", everyKind],
  ["some kinds", everyKind.slice(1)],
  ["none listed", []],
])("a store from before recorded versions is emptied, and keeps its sent commands: %s", async (_, kinds) => {
  const store = await unversionedStore(kinds);
  await migrateStore(store, walletMigrations);
  expect(await store.all("select party from followed")).toEqual([]);
  expect(await store.all("select command_id from sent_commands")).toEqual([{ command_id: "c1" }]);
  await expect(store.all("select * from kept_kinds")).rejects.toThrow(/kept_kinds/);
});

test("a new kind of contract needs one more migration", () => {
  expect([everyKind.length, walletMigrations.migrations.length]).toEqual([34, 17]);
});
