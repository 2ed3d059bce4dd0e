/**
 * Carries a participant over to the next migration of its network: keys, users, rights, identity providers, records of
 * parties and the operator's settings go from the store of the migration before into an empty one. Contracts, offsets and
 * completions do not: they come with the new stream. Everything is copied in one transaction, so that a run that was
 * killed is repeated by the next start.
 */
import type { Sql, SqlRow, SqlValue, Store } from "@callsign/node";
import { CARRIED_PAGE } from "../limits/limits.ts";
import {
  type CarriedFrom,
  ParticipantSettings,
  type SettingName,
  type StoreMigration,
} from "../store/participant-settings.ts";

/** Pruned offsets, sequencers and SVs are those of the old log. */
const CARRIED_SETTINGS: Readonly<Record<SettingName, boolean>> = {
  identity: true,
  member: true,
  "pruning-schedule": true,
  "last-pruning": false,
  "sequencer-connections": false,
  migration: false,
  svs: false,
};

/** With the columns of their primary keys. A begun allocation is ended by the next request for its party. */
export const CARRIED_TABLES: Readonly<Record<string, readonly string[]>> = {
  identity_provider_config: ["identity_provider_id"],
  participant_user: ["user_id"],
  user_right: ["user_id", "kind", "party"],
  party_record: ["party"],
  party_allocation: ["party"],
  party_allocation_provider: ["party"],
};

/** Resolves with the mark that the new store keeps. */
export async function carryOver(from: Store, to: Store, migrationId: number): Promise<StoreMigration> {
  const migration = { id: migrationId, carriedFrom: await describeStore(from, migrationId - 1) };
  await to.transaction(async (sql) => {
    for (const [table, key] of Object.entries(CARRIED_TABLES)) await copyTable(from, sql, { table, key });
    const [before, settings] = [new ParticipantSettings(from), new ParticipantSettings(sql)];
    for (const [name, isCarried] of Object.entries(CARRIED_SETTINGS) as [SettingName, boolean][]) {
      const value = isCarried ? await before.find(name) : undefined;
      if (value !== undefined) await settings.set(name, value as object);
    }
    await settings.set("migration", migration);
  });
  return migration;
}

async function describeStore(store: Sql, id: number): Promise<CarriedFrom> {
  const row = await store.get(
    "select ledger_offset, synchronizer_id, dso from ledger_position where singleton = 1",
  );
  return {
    id,
    offset: Number(row?.["ledger_offset"] ?? 0),
    synchronizerId: (row?.["synchronizer_id"] ?? null) as string | null,
    dso: (row?.["dso"] ?? null) as string | null,
  };
}

async function copyTable(
  from: Sql,
  to: Sql,
  { table, key }: { readonly table: string; readonly key: readonly string[] },
): Promise<void> {
  const columns = key.join(", ");
  const places = key.map((_, i) => `$${i + 1}`).join(", ");
  const pages = {
    first: `select * from ${table} order by ${columns} limit $1`,
    next: `select * from ${table} where (${columns}) > (${places}) order by ${columns} limit $${key.length + 1}`,
  };
  let rows = await from.all(pages.first, BigInt(CARRIED_PAGE));
  for (;;) {
    for (const row of rows) await insertRow(to, table, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < CARRIED_PAGE) return;
    const after = key.map((column) => last[column] as SqlValue);
    rows = await from.all(pages.next, ...after, BigInt(CARRIED_PAGE));
  }
}

/** Both stores have the same tables. */
async function insertRow(to: Sql, table: string, row: SqlRow): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, i) => `$${i + 1}`).join(", ");
  await to.run(
    `insert into ${table} (${columns.join(", ")}) values (${places})`,
    ...columns.map((column) => row[column] as SqlValue),
  );
}
