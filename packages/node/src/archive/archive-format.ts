/**
 * A store's archive: one logical format for SQLite and PostgreSQL. It is gzip of lines of JSON: a header, the tables, each
 * followed by its rows in the order of its primary key, and a trailer with counts and hashes. Columns are in the order of
 * their names, so that equal stores have equal hashes, whichever database keeps them.
 */
import { StorePosition } from "@callsign/api";
import { z } from "zod";
import type { SqlValue } from "../database/store.ts";

export const ARCHIVE_FORMAT = "callsign store archive";
export const ARCHIVE_FORMAT_VERSION = 1;

export const ArchiveHeader = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  formatVersion: z.int(),
  store: z.string(),
  /** The number of migrations that the store had run. */
  storeVersion: z.int(),
  /** The release that took it. */
  release: z.string(),
  takenAt: z.string(),
  position: StorePosition,
});
export type ArchiveHeader = z.output<typeof ArchiveHeader>;

export const ArchivedTable = z.object({ table: z.string(), columns: z.array(z.string()) });
export type ArchivedTable = z.output<typeof ArchivedTable>;

/** The number of a table's rows, and the hash of their lines. */
const TableDigest = z.object({ rows: z.int(), sha256: z.string() });
export type TableDigest = z.output<typeof TableDigest>;

export const ArchiveTrailer = z.object({
  tables: z.record(z.string(), TableDigest),
  rows: z.int(),
  /** The hash of every line before the trailer. */
  sha256: z.string(),
});
export type ArchiveTrailer = z.output<typeof ArchiveTrailer>;

/** An archive without its rows. */
export interface Archived {
  readonly header: ArchiveHeader;
  readonly trailer: ArchiveTrailer;
}

/** The bytes of a back-up are not those that were written. */
export class ArchiveDamaged extends Error {
  override readonly name = "ArchiveDamaged";
}

/** The archive is whole, and cannot be used here. */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused";
}

/** A line without its end. Null stands for itself; any other value is a text that begins with the letter of its type. */
export function formatRow(row: readonly SqlValue[]): string {
  return JSON.stringify(row.map(formatValue));
}

function formatValue(value: SqlValue): string | null {
  if (value === null) return null;
  if (typeof value === "string") return `t${value}`;
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value === "number") return `r${Object.is(value, -0) ? "-0" : value}`;
  return `b${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")}`;
}

/** Throws if the line is no row. */
export function parseRow(line: string): readonly SqlValue[] {
  const row: unknown = JSON.parse(line);
  if (!Array.isArray(row)) throw new Error("a row is no list");
  return row.map(parseValue);
}

function parseValue(given: unknown): SqlValue {
  if (given === null) return null;
  if (typeof given !== "string") throw new Error("a value is no text");
  const text = given.slice(1);
  switch (given[0]) {
    case "t":
      return text;
    case "i":
      return BigInt(text);
    case "r":
      return Number(text);
    case "b":
      return new Uint8Array(Buffer.from(text, "base64"));
    default:
      throw new Error("a value has no type");
  }
}
