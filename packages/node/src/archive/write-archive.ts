/** Writes a store's archive: streamed, with a bounded part of it in memory. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { StoreDefinition } from "../database/store-definition.ts";
import type { Host } from "../host/host.ts";
import { VERSION } from "../process/version.ts";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_FORMAT_VERSION,
  type ArchiveHeader,
  ArchiveRefused,
  type ArchiveTrailer,
  formatRow,
} from "./archive-format.ts";
import { orderTables, type StoredTable, type StoreSnapshot, selectTable } from "./store-snapshot.ts";
import { TableDigests } from "./table-digests.ts";

/** The disk is the limit more often than the processor. */
const COMPRESSION = { level: 3 };
const CHUNK_CHARACTERS = 65_536;

export interface Archived {
  readonly header: ArchiveHeader;
  readonly trailer: ArchiveTrailer;
}

export async function writeArchive(
  snapshot: StoreSnapshot,
  path: string,
  {
    definition,
    host,
  }: { readonly definition: StoreDefinition; readonly host: Pick<Host, "files" | "clock"> },
): Promise<Archived> {
  const tables = orderTables(await snapshot.listTables());
  const header: ArchiveHeader = {
    format: ARCHIVE_FORMAT,
    formatVersion: ARCHIVE_FORMAT_VERSION,
    store: definition.migrations.store,
    storeVersion: await findVersion(snapshot, definition),
    release: VERSION,
    takenAt: new Date(host.clock.wallMilliseconds()).toISOString(),
    position: await definition.findPosition(snapshot.sql),
  };
  const digests = new TableDigests();
  const whole = createHash("sha256");
  let trailer: ArchiveTrailer | undefined;
  async function* lines() {
    yield `${JSON.stringify(header)}\n`;
    for await (const line of listRows(snapshot, tables, definition)) {
      if (line.row === undefined) {
        digests.begin(line.table.name);
        yield `${JSON.stringify({ table: line.table.name, columns: line.table.columns })}\n`;
      } else {
        digests.add(line.row);
        yield line.row;
      }
    }
  }
  async function* chunks() {
    for await (const chunk of joined(lines())) {
      whole.update(chunk);
      yield chunk;
    }
    const counted = digests.finish();
    const rows = Object.values(counted).reduce((sum, table) => sum + table.rows, 0);
    trailer = { tables: counted, rows, sha256: whole.digest("hex") };
    yield `${JSON.stringify(trailer)}\n`;
  }
  await pipeline(Readable.from(chunks()), createGzip(COMPRESSION), host.files.openWrite(path));
  if (trailer === undefined) throw new Error("an archive has no end");
  return { header, trailer };
}

/** The tables and rows of the snapshot, compared with those of an archive. Throws if they differ. */
export async function compareWithArchive(
  snapshot: StoreSnapshot,
  { trailer }: Archived,
  definition: StoreDefinition,
): Promise<void> {
  const digests = new TableDigests();
  for await (const line of listRows(snapshot, orderTables(await snapshot.listTables()), definition)) {
    if (line.row === undefined) digests.begin(line.table.name);
    else digests.add(line.row);
  }
  const found = digests.finish();
  const names = new Set([...Object.keys(found), ...Object.keys(trailer.tables)]);
  const different = [...names].filter((name) => found[name]?.sha256 !== trailer.tables[name]?.sha256);
  if (different.length === 0) return;
  throw new ArchiveRefused(
    `these tables of the store differ from the archive: ${different.sort().join(", ")}`,
  );
}

type Line = { readonly table: StoredTable; readonly row?: string };

/** A line without a row begins its table. */
async function* listRows(
  snapshot: StoreSnapshot,
  tables: readonly StoredTable[],
  { identity }: StoreDefinition,
): AsyncGenerator<Line> {
  for (const table of tables) {
    yield { table };
    const condition = identity?.table === table.name ? identity.others : undefined;
    for await (const page of snapshot.read(selectTable(table, condition), table.columns))
      for (const row of page) yield { table, row: `${formatRow(row)}\n` };
  }
}

async function findVersion({ sql }: StoreSnapshot, { migrations }: StoreDefinition): Promise<number> {
  const rows = await sql.all("select store, version from store_version");
  const [row] = rows;
  if (rows.length !== 1 || row?.["store"] !== migrations.store)
    throw new ArchiveRefused(
      `the database does not hold the store "${migrations.store}" alone, but ${rows.length} stores: ` +
        "give the database of this role",
    );
  return Number(row["version"]);
}

async function* joined(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}
