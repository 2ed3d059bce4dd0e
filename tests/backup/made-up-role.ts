/** A role with a store of every kind of value, in SQLite or in PostgreSQL, for tests of back-ups. */
import { join } from "node:path";
import { openStore, type SqlValue, type Store, silentLog, systemHost } from "@callsign/node";
import { onTestFinished, type TestContext } from "vitest";
import type { StoredRole } from "../../packages/cli/src/backup/store-place.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { type StoreKind, storeIn } from "../support/postgres.ts";
import { clerkOf } from "./made-up-store.ts";

export interface Rows {
  readonly orders: readonly (readonly [
    string,
    bigint | null,
    number | null,
    Uint8Array | null,
    string | null,
  ])[];
  readonly notes: readonly (string | null)[];
  readonly heap: readonly (readonly [bigint | null, string | null])[];
}

export const IDENTITY = '{"key":"the key"}';

type Skip = Pick<TestContext, "skip">;

/** A role without rows, in a place of its own. */
export async function makeRole(kind: StoreKind, context: Skip): Promise<StoredRole> {
  const dataFolder = join(temporaryFolder(), "data");
  const place = await storeIn(dataFolder, kind, context);
  return clerkOf(dataFolder, place);
}

export async function openRole({ dataFolder, store }: StoredRole): Promise<Store> {
  const file = join(dataFolder, store.definition.fileName);
  const opened = await openStore({ ...store, file }, store.definition.migrations, {
    host: systemHost,
    log: silentLog,
  });
  onTestFinished(() => opened.close());
  return opened;
}

/** Fills the role's store and gives it its identity, as a first start does. */
export async function fillRole(role: StoredRole, { orders, notes, heap }: Rows): Promise<void> {
  const opened = await openRole(role);
  await opened.transaction(async (sql) => {
    for (const row of orders) {
      const values: readonly SqlValue[] = row;
      await sql.run(
        'insert into "order" (name, number, part, bytes, words) values ($1, $2, $3, $4, $5)',
        ...values,
      );
      for (const [place, note] of notes.entries())
        await sql.run("insert into line (order_name, place, note) values ($1, $2, $3)", row[0], place, note);
    }
    for (const row of heap) await sql.run("insert into heap (a, b) values ($1, $2)", ...row);
    await sql.run("insert into position (id, place) values (1, 9007199254740993)");
    if (role.store.database !== undefined) await role.store.definition.identity?.set(sql, IDENTITY);
  });
  await opened.close();
  if (role.store.database === undefined)
    systemHost.files.write(join(role.dataFolder, "identity.json"), IDENTITY);
}

export async function readRole(role: StoredRole) {
  const opened = await openRole(role);
  const rows = {
    orders: await opened.all('select name, number, part, bytes, words from "order" order by name'),
    lines: await opened.all("select order_name, place, note from line order by order_name, place"),
    heap: await opened.all("select a, b from heap where b is null or b not like 'identity %'"),
    position: await opened.all("select place from position"),
  };
  const identity =
    role.store.database === undefined
      ? systemHost.files.read(join(role.dataFolder, "identity.json"))
      : await role.store.definition.identity?.find(opened);
  await opened.close();
  return { ...rows, identity };
}
