/**
 * Opens an embedded database. A commit is on disk when it returns (WAL with full synchronisation), foreign keys
 * hold, and integers come back as bigints, because money and time do not fit a double.
 */
import { constants, copyFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Clock, DatabaseOptions } from "../host/host.ts";
import { makePrivateFile, makePrivateFolder, tightenFile } from "../host/private-files.ts";
import type { TransactionOptions } from "./store.ts";
import { DatabaseDamaged, DatabaseInUse, StoreUnwritable } from "./store-errors.ts";

/** The pages of one large commit fit, so that none is written before the commit. */
const CACHE_KIBIBYTES = 16_384;
const PAGE_BYTES = 4096;
/**
 * Pages of the write-ahead log before they go to the database file, in bytes. Fewer keep the pause short. In a large file commits
 * change pages all over it, and the more commits share a pause, the less they take in sum.
 */
const CHECKPOINT = { leastBytes: 4_096_000, mostBytes: 16_384_000, partOfFile: 16 };
/** Four times the largest checkpoint: 64 MiB. A reader that stands still must not stop the writer often. */
const LONG_LOG = { maxBytes: 65_536_000, retryMilliseconds: 5000 };
/** A checkpoint waits so long for readers in other processes, which hold the file for less than a turn at a time. */
const READER_WAIT_MILLISECONDS = 250;
const BUSY = 5;
const LOCKED = 6;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const INPUT_OR_OUTPUT = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
/** An extended result code has its kind in the lowest byte. */
const KIND = 0xff;

export function openDatabase(path: string, options: DatabaseOptions = {}): DatabaseSync {
  const { exclusive = false, hasReaders = false, readOnly = false, synced = true, owner } = options;
  const { cacheKibibytes = CACHE_KIBIBYTES, pageBytes = PAGE_BYTES } = options;
  if (readOnly) return openReader(path, owner);
  if (path !== ":memory:") keepPrivate(path);
  const timeout = hasReaders ? READER_WAIT_MILLISECONDS : 0;
  const database = new DatabaseSync(path, { readBigInts: true, enableForeignKeyConstraints: true, timeout });
  try {
    if (exclusive) database.exec("pragma locking_mode = exclusive");
    // It counts for a file that is new.
    database.exec(`pragma page_size = ${pageBytes}`);
    database.exec("pragma journal_mode = wal; pragma temp_store = memory");
    database.exec(`pragma cache_size = -${cacheKibibytes}`);
    database.exec(`pragma wal_autocheckpoint = ${checkpointPages(database)}`);
    if (owner !== undefined) claim(database, owner, path);
    setSynced(database, synced);
    // In exclusive mode the lock is taken with the first write.
    if (exclusive) database.exec("begin immediate; commit");
  } catch (error) {
    database.close();
    if (isSqliteDamage(error))
      throw new DatabaseDamaged(`${path} is damaged, or no database at all`, { cause: error });
    if (hasCode(error, BUSY)) {
      throw new DatabaseInUse(`${path} is in use by another process: stop that one first`, { cause: error });
    }
    throw asUnwritable(error, path);
  }
  return database;
}

/** The writer has made the file, and is there for as long as the reader. */
function openReader(path: string, owner: string | undefined): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: true,
    readBigInts: true,
    timeout: READER_WAIT_MILLISECONDS,
  });
  try {
    database.exec(`pragma temp_store = memory; pragma cache_size = -${CACHE_KIBIBYTES}`);
    if (owner !== undefined && readMark(database) !== markOf(owner))
      throw new DatabaseDamaged(`${path} is the file of another store`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A signed number, and not that of files without an owner. */
function markOf(owner: string): number {
  return crc32(owner) | 0 || 1;
}

function readMark(database: DatabaseSync): number {
  return Number(database.prepare("pragma application_id").get()?.["application_id"]);
}

/** Writes the owner's mark into a new file, and throws at another owner's. It need not be synced: it is written again. */
function claim(database: DatabaseSync, owner: string, path: string): void {
  const mark = markOf(owner);
  const found = readMark(database);
  if (found === mark) return;
  if (found !== 0) throw new DatabaseDamaged(`${path} is the file of another store`);
  setSynced(database, false);
  database.exec(`pragma application_id = ${mark}`);
}

/** SQLite gives the files beside a database the database's own mode. */
function keepPrivate(path: string): void {
  makePrivateFolder(dirname(path));
  makePrivateFile(path);
  tightenFile(`${path}-wal`);
  tightenFile(`${path}-shm`);
}

function checkpointPages(database: DatabaseSync): number {
  const { leastBytes, mostBytes, partOfFile } = CHECKPOINT;
  const pageBytes = readPageBytes(database);
  const pages = Number(database.prepare("pragma page_count").get()?.["page_count"]);
  const bytes = Math.min(Math.max((pages * pageBytes) / partOfFile, leastBytes), mostBytes);
  return Math.trunc(bytes / pageBytes);
}

/** A file that was there may have pages of another size. */
function readPageBytes(database: DatabaseSync): number {
  return Number(database.prepare("pragma page_size").get()?.["page_size"]);
}

/** Databases of which a copy is being made. */
const copied = new WeakSet<DatabaseSync>();

/**
 * Copies the database as it is now, while writes go on: they stay in the write-ahead log until the file is copied. Call
 * outside of transactions, and close the database only behind the copy. SQLite's own online back-up fails whenever one of
 * its steps meets a transaction of the same connection.
 */
export async function copyDatabase(database: DatabaseSync, path: string): Promise<void> {
  const file = database.location();
  if (file === null) throw new Error("a database in memory has no file to copy");
  if (copied.has(database)) throw new Error(`a copy of ${file} is being made already`);
  const pages = database.prepare("pragma wal_autocheckpoint").get()?.["wal_autocheckpoint"];
  const checkpoint = database.prepare("pragma wal_checkpoint(truncate)").get();
  if (Number(checkpoint?.["busy"]) !== 0) throw new Error(`${file} is busy: its copy cannot begin`);
  database.exec("pragma wal_autocheckpoint = 0");
  copied.add(database);
  try {
    makePrivateFile(path);
    await copyFile(file, path, constants.COPYFILE_FICLONE);
    tightenFile(path);
  } finally {
    copied.delete(database);
    if (database.isOpen) database.exec(`pragma wal_autocheckpoint = ${pages}`);
  }
}

const attempted = new WeakMap<DatabaseSync, number>();

/**
 * Empties the write-ahead log if it has grown long: while readers in other processes come and go, no checkpoint may find the
 * moment to begin it anew. Call outside of transactions.
 */
export function boundWriteAheadLog(database: DatabaseSync, { elapsedMilliseconds }: Clock): void {
  const { maxBytes, retryMilliseconds } = LONG_LOG;
  if (copied.has(database) || database.isTransaction) return;
  const pages = Number(database.prepare("pragma wal_checkpoint(noop)").get()?.["log"]);
  const now = elapsedMilliseconds();
  const isShort = pages * readPageBytes(database) <= maxBytes;
  if (isShort || now - (attempted.get(database) ?? Number.NEGATIVE_INFINITY) < retryMilliseconds) return;
  attempted.set(database, now);
  database.exec("pragma wal_checkpoint(truncate)");
}

/** Takes effect with the next transaction. */
export function setSynced(database: DatabaseSync, synced: boolean): void {
  database.exec(`pragma synchronous = ${synced ? "full" : "normal"}`);
}

/** Runs the work in one transaction: all of it is kept, or none. A repeatable one is synced with the next that is not. */
export function inTransaction<T>(
  database: DatabaseSync,
  work: () => T,
  { repeatable = false }: TransactionOptions = {},
): T {
  if (repeatable) return withoutSync(database, () => inTransaction(database, work));
  try {
    database.exec("begin immediate");
    const result = work();
    database.exec("commit");
    return result;
  } catch (error) {
    // A full disk, among other errors, has already ended the transaction: a failing rollback would hide it.
    if (database.isTransaction) database.exec("rollback");
    throw asUnwritable(error, database.location());
  }
}

function withoutSync<T>(database: DatabaseSync, work: () => T): T {
  const synced = database.prepare("pragma synchronous").get()?.["synchronous"];
  setSynced(database, false);
  try {
    return work();
  } finally {
    database.exec(`pragma synchronous = ${synced}`);
  }
}

/** The same error, or the `StoreUnwritable` that it means. */
export function asUnwritable(error: unknown, path: string | null): unknown {
  const isUnwritable = [READ_ONLY, FULL, CANNOT_OPEN].some((code) => hasCode(error, code));
  return isUnwritable ? unwritableBy(error as Error, path) : error;
}

/** The `StoreUnwritable` that a failed transaction means if it may succeed later; null if it never will. */
export function asPassingFailure(error: unknown): StoreUnwritable | null {
  if (error instanceof StoreUnwritable) return error;
  const mayPass = [BUSY, LOCKED, NO_MEMORY, INPUT_OR_OUTPUT].some((code) => hasCode(error, code));
  return mayPass ? unwritableBy(error as Error, null) : null;
}

export function unwritableBy(cause: Error, path: string | null): StoreUnwritable {
  const file = path ?? "the database";
  const text = (name: string) => `${name} cannot be written: ${cause.message}`;
  return new StoreUnwritable(text(file), { reason: text(basename(file)), cause });
}

/** SQLite has found pages that are no pages of a database. */
export function isSqliteDamage(error: unknown): boolean {
  return hasCode(error, CORRUPT) || hasCode(error, NOT_A_DATABASE);
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & KIND) === code;
}
