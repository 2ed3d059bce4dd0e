import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DatabaseDamaged, migrateDatabase, nextTurn, systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { logMigrations } from "../../packages/synchronizer/src/log/sqlite-log-rows.ts";
import { Child } from "../support/child-process.ts";
import { appendAll, chainContents, EMPTY, readEntries } from "./log-entries.ts";
import { APPEND_BATCHES, logFile } from "./open-log.ts";
import { describeOrderedLog } from "./ordered-log-conformance.ts";

describe("the log in SQLite", () => {
  describeOrderedLog({ name: "sqlite", newPlace: temporaryFolder });
});

describe("the log's file", () => {
  test("is refused to a second process while one has it open, with words that say so", async () => {
    const folder = temporaryFolder();
    const log = new SqliteLog(logFile(folder), systemHost);
    onTestFinished(() => log.close());
    const { code, errors, lines } = await new Child(APPEND_BATCHES, "sqlite", folder, "second").ended;
    expect(code).toBe(1);
    expect(lines).toEqual([]);
    expect(errors).toContain(`${logFile(folder)} is in use by another process: stop that one first`);
    // The first is none the worse for it.
    const batch = chainContents(EMPTY, ["one"]);
    expect(await log.append(batch)).toEqual({ appended: true });
  });

  test("is refused a second time within the process, too", async () => {
    const file = logFile(temporaryFolder());
    const log = new SqliteLog(file, systemHost);
    expect(() => new SqliteLog(file, systemHost)).toThrow("is in use by another process");
    await log.close();
    await new SqliteLog(file, systemHost).close();
  });

  test("is made with the folders that lead to it", async () => {
    const log = new SqliteLog(`${temporaryFolder()}/a/b/log.db`, systemHost);
    expect(await log.head()).toEqual(EMPTY);
    await log.close();
  });

  test("is not opened if it is something else", () => {
    const file = logFile(temporaryFolder());
    writeFileSync(file, "This is no database, but it is long enough to be taken for one. ".repeat(100));
    expect(() => new SqliteLog(file, systemHost)).toThrow(/log\.db is damaged, or no database at all/);
  });
});

test("the log's file begins anew behind an entry that it does not have, and goes on there", async () => {
  const file = logFile(temporaryFolder());
  const log = new SqliteLog(file, systemHost);
  await log.append(chainContents(EMPTY, ["one", "two"]));
  const start = { sequence: 40, entryHash: "a".repeat(64) };
  await log.beginBehind(start, "the first of all");
  expect([await log.start(), await log.head()]).toEqual([start, start]);
  const next = chainContents(start, ["next"]);
  expect(await log.append(next)).toEqual({ appended: true });
  await log.close();
  const again = new SqliteLog(file, systemHost);
  onTestFinished(() => again.close());
  expect([await again.start(), await again.head()]).toEqual([start, next.head]);
  expect(await again.keptFirst()).toBe("the first of all");
  expect(await readEntries(again, 40, 1)).toEqual(next.entries);
});

test("nobody sees an entry before it is on disk", async () => {
  const log = new SqliteLog(logFile(temporaryFolder()), systemHost);
  onTestFinished(() => log.close());
  let { head } = chainContents(EMPTY, []);
  const seenEarly: number[] = [];
  for (let i = 0; i < 20; i++) {
    const batch = chainContents(head, [`entry ${i}`]);
    let isAppended = false;
    const appending = log.append(batch).then(() => {
      isAppended = true;
    });
    const before = head.sequence;
    while (!isAppended) {
      await nextTurn(systemHost.timers);
      const seen = log.readBehind(before);
      if (!isAppended) seenEarly.push((await log.head()).sequence - before, seen.entries.length);
    }
    await appending;
    ({ head } = batch);
  }
  // A sync takes several turns of the event loop.
  expect(seenEarly.length).toBeGreaterThan(0);
  expect(new Set(seenEarly)).toEqual(new Set([0]));
});

test("behind a failed sync the log takes nothing more, and nothing of it was seen", async () => {
  const file = logFile(temporaryFolder());
  const log = new SqliteLog(file, systemHost);
  rmSync(`${file}-wal`);
  mkdirSync(`${file}-wal`);
  const batch = chainContents(EMPTY, ["one"]);
  const refused = { name: "StoreUnwritable", reason: expect.stringContaining("log.db cannot be written") };
  await expect(log.append(batch)).rejects.toMatchObject(refused);
  await expect(log.append(batch)).rejects.toMatchObject(refused);
  expect(log.unwritable()).toContain("log.db cannot be written");
  expect([await log.head(), log.readBehind(0).entries]).toEqual([EMPTY, []]);
  await log.close();
});

test("a log that is cut while an entry is put on disk ends where it was cut", async () => {
  const log = new SqliteLog(logFile(temporaryFolder()), systemHost);
  onTestFinished(() => log.close());
  const first = chainContents(EMPTY, ["a"]);
  await log.append(first);
  const appending = log.append(chainContents(first.head, ["b"]));
  await nextTurn(systemHost.timers);
  log.cutBehind(first.head);
  expect(await appending).toEqual({ appended: true });
  expect(await log.head()).toEqual(first.head);
  expect(await log.append(chainContents(first.head, ["c"]))).toEqual({ appended: true });
});

test("a copy of the log is cut behind an entry, also behind none, and goes on there", async () => {
  const file = logFile(temporaryFolder());
  const first = chainContents(EMPTY, ["a", "b"]);
  const log = new SqliteLog(file, systemHost);
  await log.append(first);
  await log.append(chainContents(first.head, ["c", "d"]));
  expect(await readEntries(log, 2, 2)).toHaveLength(2);
  expect(() => log.cutBehind({ sequence: 2, entryHash: "00".repeat(32) })).toThrow("the log has no entry 2");
  log.cutBehind(first.head);
  expect([log.findHash(2), log.findHash(3)]).toEqual([first.head.entryHash, null]);
  const other = chainContents(first.head, ["e"]);
  expect(await log.append(other)).toEqual({ appended: true });
  expect(await readEntries(log, 2, 1)).toEqual(other.entries);
  log.cutBehind(EMPTY);
  await log.close();
  const again = new SqliteLog(file, systemHost);
  onTestFinished(() => again.close());
  expect(await again.head()).toEqual(EMPTY);
  expect(await again.append(first)).toEqual({ appended: true });
  expect(await readEntries(again, 0, 2)).toEqual(first.entries);
});

describe("the log's end", () => {
  const damages: readonly (readonly [string, string, string])[] = [
    ["a changed byte of the last entry", "update entry set bytes = bytes || ' ' where sequence = 3", "hash"],
    ["an unreadable last entry", "update entry set bytes = 'nothing' where sequence = 3", "cannot be read"],
    [
      "another last entry",
      "update entry set bytes = (select bytes from entry where sequence = 2) where sequence = 3",
      "number 2",
    ],
    ["a changed hash of the head", "update head set hash = 'a' || substr(hash, 2) || 'b'", "hash"],
    ["a lower head", "update head set sequence = 2", "it has an entry 3, and its head says 2"],
    ["a higher head", "update head set sequence = 4", "its last entry, 4, is missing"],
    ["a head that is gone", "delete from head", "it has an entry 3, and its head says 0"],
    ["entries that are gone", "delete from entry", "its last entry, 3, is missing"],
  ];

  test.each(damages)("keeps the log from being opened: %s", async (_, statement, reason) => {
    const file = logFile(temporaryFolder());
    const log = new SqliteLog(file, systemHost);
    await log.append(chainContents(EMPTY, ["one", "two", "three"]));
    await log.close();
    await new SqliteLog(file, systemHost).close();
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
    const opening = () => new SqliteLog(file, systemHost);
    expect(opening).toThrow(DatabaseDamaged);
    expect(opening).toThrow(reason);
    expect(opening).toThrow(/log\.db is damaged: .* Restore it from a copy/);
  });

  test("is its start after a trim to the end, and nothing else", async () => {
    const file = logFile(temporaryFolder());
    const log = new SqliteLog(file, systemHost);
    await log.append(chainContents(EMPTY, ["one", "two"]));
    await log.trim(2);
    await log.close();
    await new SqliteLog(file, systemHost).close();
    const database = new DatabaseSync(file);
    database.exec("update head set hash = 'a' || substr(hash, 2) || 'b'");
    database.close();
    expect(() => new SqliteLog(file, systemHost)).toThrow(/its head and its start have different hashes/);
  });
});

describe("packed entries", () => {
  const contents = Array.from({ length: 120 }, (_, i) =>
    JSON.stringify(["Submit", `party-${i}`, "the same words"]),
  );
  const batch = chainContents(EMPTY, contents);

  test("come back as they were, also at the next opening, in a fraction of their bytes", async () => {
    const file = logFile(temporaryFolder());
    const log = new SqliteLog(file, systemHost);
    await log.append(batch);
    expect(await readEntries(log, 0, 120)).toEqual(batch.entries);
    await log.close();
    const again = new SqliteLog(file, systemHost);
    expect(await readEntries(again, 0, 120)).toEqual(batch.entries);
    await again.close();
    const database = new DatabaseSync(file, { readOnly: true });
    onTestFinished(() => database.close());
    const rows = database.prepare("select bytes, length(packed) as size from entry order by sequence").all();
    expect(rows.slice(0, 63)).toEqual(batch.entries.slice(0, 63).map((bytes) => ({ bytes, size: null })));
    for (const [i, { bytes, size }] of rows.slice(63).entries()) {
      expect(bytes).toBe("");
      expect(size).toBeLessThan(0.6 * (batch.entries[63 + i]?.length ?? 0));
    }
  });

  test("follow those that an earlier release wrote as texts", async () => {
    const file = logFile(temporaryFolder());
    const earlier = new DatabaseSync(file);
    migrateDatabase(earlier, { ...logMigrations, migrations: logMigrations.migrations.slice(0, 3) });
    const first = chainContents(EMPTY, contents.slice(0, 80));
    const insert = earlier.prepare("insert into entry (sequence, bytes) values (?, ?)");
    for (const [i, bytes] of first.entries.entries()) insert.run(i + 1, bytes);
    earlier.prepare("insert into head values (1, ?, ?)").run(80, first.head.entryHash);
    earlier.close();
    const log = new SqliteLog(file, systemHost);
    onTestFinished(() => log.close());
    const later = chainContents(first.head, contents);
    await log.append(later);
    expect(await readEntries(log, 0, 200)).toEqual([...first.entries, ...later.entries]);
  });

  test.each([
    [
      "an entry",
      "update entry set packed = cast(substr(packed, 1, 20) || x'00' || substr(packed, 22) as blob) where sequence = 100",
    ],
    ["the dictionary", "update dictionary set body = 'another one'"],
    ["a dictionary that is gone", "delete from dictionary"],
  ])("that have changed are told, not read: %s", async (_, statement) => {
    const file = logFile(temporaryFolder());
    const log = new SqliteLog(file, systemHost);
    await log.append(batch);
    // The last entry is a long one, which stands as it is: the log can be opened.
    await log.append(chainContents(batch.head, ["x".repeat(70_000)]));
    await log.close();
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
    const damaged = new SqliteLog(file, systemHost);
    onTestFinished(() => damaged.close());
    expect(() => damaged.readBehind(90)).toThrow(DatabaseDamaged);
    expect(() => damaged.readBehind(90)).toThrow(
      /log\.db is damaged: a packed text .* Restore it from a copy/,
    );
  });

  test("that were rolled back leave no dictionary behind", async () => {
    const file = logFile(temporaryFolder());
    const { log, database } = openWithDatabase(file);
    failAt(database, 101);
    await expect(log.append(batch)).rejects.toThrow("full");
    database.exec("drop trigger full");
    await log.append(batch);
    await log.close();
    const again = new SqliteLog(file, systemHost);
    onTestFinished(() => again.close());
    expect(await readEntries(again, 0, 120)).toEqual(batch.entries);
  });
});

/** A log, and the connection that it writes with. */
function openWithDatabase(file: string) {
  let opened: DatabaseSync | undefined;
  const openDatabase: typeof systemHost.files.openDatabase = (path, options) => {
    opened = systemHost.files.openDatabase(path, options);
    return opened;
  };
  const log = new SqliteLog(file, { ...systemHost, files: { ...systemHost.files, openDatabase } });
  return { log, database: opened as DatabaseSync };
}

function failAt(database: DatabaseSync, sequence: number): void {
  database.exec(
    `create trigger full before insert on entry when new.sequence = ${sequence} begin select raise(abort, 'full'); end`,
  );
}

describe("the tail", () => {
  test("stands behind batches that wait and fit, and at the head behind a failed write", async () => {
    const { log, database } = openWithDatabase(logFile(temporaryFolder()));
    onTestFinished(() => log.close());
    const first = chainContents(log.tail(), ["first"]);
    const answers = [log.append(first)];
    expect(log.tail()).toEqual(first.head);
    answers.push(log.append(chainContents(EMPTY, ["stale"])), log.append({ ...second(), term: "another" }));
    expect(log.tail()).toEqual(first.head);
    expect((await Promise.all(answers)).map(({ appended }) => appended)).toEqual([true, false, false]);
    failAt(database, 2);
    const failing = log.append(second());
    expect(log.tail()).toEqual(second().head);
    await expect(failing).rejects.toThrow("full");
    expect(log.tail()).toEqual(first.head);
    database.exec("drop trigger full");
    expect(await log.append(second())).toEqual({ appended: true });
    expect(await log.head()).toEqual(log.tail());

    function second() {
      return chainContents(first.head, ["second"]);
    }
  });

  test("is the head of a log that is opened, cut or begins anew", async () => {
    const file = logFile(temporaryFolder());
    const written = new SqliteLog(file, systemHost);
    const [one, two] = [chainContents(EMPTY, ["one"]), ["two"]];
    await appendAll(written, [one, chainContents(one.head, two)]);
    await written.close();
    const log = new SqliteLog(file, systemHost);
    onTestFinished(() => log.close());
    expect(log.tail()).toEqual(chainContents(one.head, two).head);
    log.cutBehind(one.head);
    expect(log.tail()).toEqual(one.head);
    const start = { sequence: 40, entryHash: "a".repeat(64) };
    await log.beginBehind(start, "the first of all");
    expect(log.tail()).toEqual(start);
  });
});

describe("a group commit", () => {
  test("writes all appends that wait at the same moment in one transaction", async () => {
    const file = logFile(temporaryFolder());
    const log = new SqliteLog(file, systemHost);
    onTestFinished(() => log.close());
    const before = countCommits(file);
    let head = EMPTY;
    const answers = Array.from({ length: 100 }, (_, i) => {
      const batch = chainContents(head, [`entry ${i}`]);
      head = batch.head;
      return log.append(batch);
    });
    expect(countCommits(file)).toBe(before);
    await Promise.all(answers);
    expect(countCommits(file)).toBe(before + 1);
    // One after the other they have one each.
    for (let i = 0; i < 3; i++) {
      const batch = chainContents(head, [`later ${i}`]);
      await log.append(batch);
      head = batch.head;
    }
    expect(countCommits(file)).toBe(before + 4);
  });
});

test("a follower is handed long entries a few at a time, and one that is longer than a page alone", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => log.close());
  const lengths = [3, 3, 3, 9, 1, 1].map((millions) => millions * 1_000_000);
  const batch = chainContents(
    EMPTY,
    lengths.map((length, i) => String(i).repeat(length)),
  );
  await log.append(batch);
  const stop = new AbortController();
  const counts: number[] = [];
  const entries: string[] = [];
  for await (const page of log.follow(0, stop.signal)) {
    counts.push(page.entries.length);
    entries.push(...page.entries);
    const { sequence } = page.head;
    const next = batch.entries[sequence];
    // The next entry is chained to the end of the page.
    if (next === undefined) expect(page.head).toEqual(batch.head);
    else expect(next).toContain(page.head.entryHash);
    if (sequence === batch.head.sequence) stop.abort();
  }
  expect(counts).toEqual([2, 1, 1, 2]);
  expect(entries).toEqual(batch.entries);
});

/** Transactions in the write-ahead log: a frame that ends one says how large the database is then. */
function countCommits(file: string): number {
  const wal = readFileSync(`${file}-wal`);
  const frameSize = 24 + wal.readUInt32BE(8);
  const salt = wal.readBigUInt64BE(16);
  let commits = 0;
  for (let at = 32; at + frameSize <= wal.length; at += frameSize) {
    if (wal.readBigUInt64BE(at + 8) !== salt) break;
    if (wal.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits;
}
