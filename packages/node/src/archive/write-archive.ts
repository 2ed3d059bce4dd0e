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
  type Archived,
  type ArchiveHeader,
  ArchiveRefused,
  type ArchiveTrailer,
} from "./archive-format.ts";
import { listLines } from "./list-lines.ts";
import type { StoreSnapshot } from "./store-snapshot.ts";
import { TableDigests } from "./table-digests.ts";

/** The disk is the limit more often than the processor. */
const COMPRESSION = { level: 3 };
const CHUNK_CHARACTERS = 65_536;

export async function writeArchive(
  snapshot: StoreSnapshot,
  path: string,
  {
    definition,
    host,
  }: { readonly definition: StoreDefinition; readonly host: Pick<Host, "files" | "clock"> },
): Promise<Archived> {
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
    for await (const line of listLines(snapshot, definition)) {
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
