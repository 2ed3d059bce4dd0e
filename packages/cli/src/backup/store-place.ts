/** The place of a role's store, for commands: read while the role runs or is stopped, described, compared. */
import { join, resolve } from "node:path";
import {
  ArchiveRefused,
  callProcess,
  DatabaseInUse,
  type Host,
  isRunning,
  loadPostgresArchives,
  markMoved,
  openFileSnapshot,
  type StoreSnapshot,
} from "@callsign/node";
import type { Role } from "../run/role.ts";

/** A copy of a large file takes its time. */
const COPY_MILLISECONDS = 12 * 3_600_000;
const COPY_NAME = "copy.sqlite";

export type StoredRole = Pick<Role, "name" | "dataFolder" | "store">;

export function storeFile({ dataFolder, store }: StoredRole): string {
  return join(dataFolder, store.definition.fileName);
}

/** For people, and without a password. */
export function describePlace(role: StoredRole): string {
  const { database } = role.store;
  if (database === undefined) return resolve(storeFile(role));
  const { host, port, database: name, schema } = database;
  return `schema ${schema} of the PostgreSQL database ${name} at ${host}:${port}`;
}

/** Throws `DatabaseInUse` if the role's process runs. */
export async function refuseRunning({ name, dataFolder }: StoredRole, host: Host): Promise<void> {
  if (await isRunning(dataFolder, host))
    throw new DatabaseInUse(`the ${name} runs on the data folder ${dataFolder}: stop it first`);
}

/** Opens the store of a stopped role, which cannot start until the snapshot is closed. */
export async function openStopped(role: StoredRole, host: Host): Promise<StoreSnapshot> {
  const { definition, database } = role.store;
  await refuseRunning(role, host);
  if (database !== undefined)
    return (await loadPostgresArchives()).openSchemaSnapshot(database, { host, isStopped: true });
  return openFileSnapshot(storeFile(role), definition, host) ?? refuseMissing(role);
}

/** Opens the store of a role that runs or is stopped. `folder` takes a copy of SQLite's file, if one is needed. */
export async function openAnyhow(role: StoredRole, folder: string, host: Host): Promise<StoreSnapshot> {
  const { definition, database } = role.store;
  if (database !== undefined) return (await loadPostgresArchives()).openSchemaSnapshot(database, { host });
  if (!(await isRunning(role.dataFolder, host))) return openStopped(role, host);
  const file = join(resolve(folder), COPY_NAME);
  await callProcess(
    role.dataFolder,
    (client) => client.copyStore({ body: { file } }, { timeoutMilliseconds: COPY_MILLISECONDS }),
    host,
  );
  const copy = openFileSnapshot(file, definition, host);
  if (copy === undefined) throw new Error(`the ${role.name} left no copy at ${file}`);
  return {
    ...copy,
    close: async () => {
      await copy.close();
      for (const name of host.files.list(folder))
        if (name.startsWith(COPY_NAME)) host.files.remove(join(folder, name));
    },
  };
}

function refuseMissing(role: StoredRole): never {
  throw new ArchiveRefused(
    `there is no store at ${describePlace(role)}: the ${role.name} was never started there`,
  );
}

/** Keeps the role from starting there again. Nothing else changes. */
export async function markPlaceMoved(from: StoredRole, to: StoredRole, host: Host): Promise<void> {
  const place = describePlace(to);
  const { database } = from.store;
  if (database === undefined) markMoved(storeFile(from), place, host);
  else await (await loadPostgresArchives()).markSchemaMoved(database, place, host);
}
