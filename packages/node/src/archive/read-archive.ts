/** Reads an archive from its beginning to its end, and checks it on the way. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { parseJsonText } from "@callsign/api";
import type { SqlValue } from "../database/store.ts";
import type { Files } from "../host/host.ts";
import {
  ARCHIVE_FORMAT_VERSION,
  ArchiveDamaged,
  type Archived,
  ArchivedTable,
  ArchiveHeader,
  ArchiveRefused,
  ArchiveTrailer,
  parseRow,
} from "./archive-format.ts";
import { TableDigests } from "./table-digests.ts";

export type ArchivePart =
  | { readonly kind: "header"; readonly header: ArchiveHeader }
  | { readonly kind: "table"; readonly table: ArchivedTable }
  | { readonly kind: "row"; readonly row: readonly SqlValue[] }
  | { readonly kind: "end"; readonly trailer: ArchiveTrailer };

/** The last part is the trailer. Throws `ArchiveDamaged`, which may come behind rows that were read. */
export async function* readArchive(path: string, files: Files): AsyncGenerator<ArchivePart> {
  const whole = createHash("sha256");
  const digests = new TableDigests();
  let [columns, number] = [0, 0];
  let ended = false;
  for await (const line of linesOf(path, files)) {
    number++;
    const damaged = (problem: string) =>
      new ArchiveDamaged(`${path} is damaged in line ${number}: ${problem}`);
    if (ended) throw damaged("something follows its end");
    if (line.startsWith("[") && number > 1) {
      const row = rowOf(line);
      if (row === null) throw damaged("it is no row");
      if (row.length !== columns) throw damaged("a row has another number of columns than its table");
      digests.add(`${line}\n`);
      whole.update(`${line}\n`);
      yield { kind: "row", row };
      continue;
    }
    const given = parseJsonText(line);
    if (number === 1) {
      yield { kind: "header", header: headerOf(given, path) };
    } else {
      const table = ArchivedTable.safeParse(given);
      if (!table.success) {
        const trailer = ArchiveTrailer.safeParse(given);
        if (!trailer.success) throw damaged("it is neither a table nor a row");
        checkTrailer(trailer.data, { tables: digests.finish(), sha256: whole.digest("hex") }, path);
        ended = true;
        yield { kind: "end", trailer: trailer.data };
        continue;
      }
      columns = table.data.columns.length;
      digests.begin(table.data.table);
      yield { kind: "table", table: table.data };
    }
    whole.update(`${line}\n`);
  }
  if (!ended) throw new ArchiveDamaged(`${path} is cut off after ${number} lines`);
}

/** Reads all of it. Throws `ArchiveDamaged` or `ArchiveRefused`. */
export async function checkArchive(path: string, files: Files): Promise<Archived> {
  let header: ArchiveHeader | undefined;
  let trailer: ArchiveTrailer | undefined;
  for await (const part of readArchive(path, files)) {
    if (part.kind === "header") header = part.header;
    if (part.kind === "end") trailer = part.trailer;
  }
  if (header === undefined || trailer === undefined) throw new ArchiveDamaged(`${path} is no archive`);
  return { header, trailer };
}

function headerOf(given: unknown, path: string): ArchiveHeader {
  const header = ArchiveHeader.safeParse(given);
  if (!header.success) throw new ArchiveDamaged(`${path} is damaged, or no archive of a store`);
  const { formatVersion, release } = header.data;
  if (formatVersion <= ARCHIVE_FORMAT_VERSION) return header.data;
  throw new ArchiveRefused(
    `${path} has the format ${formatVersion} of release ${release}, and this release knows formats up to ` +
      `${ARCHIVE_FORMAT_VERSION}: restore it with release ${release} or a later one`,
  );
}

/** Null if the line is no row. */
function rowOf(line: string): readonly SqlValue[] | null {
  try {
    return parseRow(line);
  } catch {
    return null;
  }
}

function checkTrailer(trailer: ArchiveTrailer, found: Omit<ArchiveTrailer, "rows">, path: string): void {
  const isSame =
    trailer.sha256 === found.sha256 && JSON.stringify(trailer.tables) === JSON.stringify(found.tables);
  if (!isSame) throw new ArchiveDamaged(`${path} is damaged: its rows do not have the hashes of its end`);
}

async function* linesOf(path: string, files: Files): AsyncGenerator<string> {
  let rest: string[] = [];
  try {
    const unzipped = unzip(files.openRead(path));
    for await (const chunk of unzipped.setEncoding("utf8")) {
      const [first = "", ...others] = String(chunk).split("\n");
      rest.push(first);
      for (const next of others) {
        yield rest.join("");
        rest = [next];
      }
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(?:Z_|ERR_ZLIB)/.test(String(error.code)))
      throw new ArchiveDamaged(`${path} is damaged: ${error.message}`, { cause: error });
    throw error;
  }
  if (rest.join("") !== "") throw new ArchiveDamaged(`${path} is cut off in the middle of a line`);
}

function unzip(file: Readable): Readable {
  const unzipped = createGunzip();
  file.on("error", (error) => unzipped.destroy(error));
  return file.pipe(unzipped);
}
