// The log on one real PostgreSQL server.

import {
  DatabaseDamaged,
  DatabaseRefused,
  type Host,
  type Log,
  type PostgresConfig,
  silentLog,
  systemHost,
} from "@callsign/node";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import { LOG_POLL_MILLISECONDS } from "../../packages/synchronizer/src/limits/limits.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import type { LogBatch, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import {
  POSTGRES_RISKS,
  type PostgresRisk,
} from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { fresh } from "../support/fresh.ts";
import { sharedDatabase } from "../support/postgres.ts";
import {
  APPENDED,
  appendAll,
  chainBatches,
  chainContents,
  contentsOf,
  EMPTY,
  headOf,
  readEntries,
} from "./log-entries.ts";
import type { LogBackend } from "./open-log.ts";
import { describeOrderedLog } from "./ordered-log-conformance.ts";
import { describeSharedLog } from "./shared-log-conformance.ts";

let database: PostgresConfig;

beforeAllOrSkip(async (test) => {
  database = await sharedDatabase(systemHost.randomness.uuid(), test);
}, 300_000);

/** A schema of its own. */
function newSchema(): PostgresConfig {
  return { ...database, schema: fresh("log") };
}

interface Options {
  readonly acceptedRisks?: readonly PostgresRisk[];
  readonly host?: Host;
  readonly log?: Log;
}

async function open(config: PostgresConfig, options: Options = {}): Promise<OrderedLog> {
  const { acceptedRisks = POSTGRES_RISKS, host = systemHost, log = silentLog } = options;
  const opened = await openPostgresLog(config, { host, log, acceptedRisks, patienceMilliseconds: 0 });
  onTestFinished(() => opened.close());
  return opened;
}

/** Runs a statement on the log's tables, as an administrator. */
async function change({ schema, ...config }: PostgresConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ ...config, ssl: false });
  await client.connect();
  try {
    await client.query(`set search_path = "${schema}"`);
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe("the log on PostgreSQL", () => {
  const backend: LogBackend = { name: "postgres", newPlace: () => JSON.stringify(newSchema()) };
  describeOrderedLog(backend);
  describeSharedLog(backend);
});

test("the database itself refuses gaps, forks, batches of the wrong size and a second beginning", async () => {
  const config = newSchema();
  const log = await open(config);
  const batches = chainBatches(EMPTY, 3);
  await appendAll(log, batches);
  const [first, , last] = batches as [LogBatch, LogBatch, LogBatch];
  const insert = (previous: string, end: string, entries: string) =>
    change(
      config,
      `insert into batch (previous_sequence, previous_hash, last_sequence, last_hash, bytes, entries)
        values (${previous}, ${end}, 1, ${entries})`,
    );
  const one = "array['x']::bytea[]";
  await expect(insert(`3, 'another hash'`, `4, 'a'`, one)).rejects.toThrow(/foreign key/);
  await expect(insert(`4, '${last.head.entryHash}'`, `5, 'a'`, one)).rejects.toThrow(/foreign key/);
  await expect(insert(`1, '${first.head.entryHash}'`, `2, 'fork'`, one)).rejects.toThrow(/unique/);
  await expect(insert(`3, '${last.head.entryHash}'`, `5, 'a'`, one)).rejects.toThrow(/check/);
  await expect(insert(`3, '${last.head.entryHash}'`, `3, 'a'`, "'{}'")).rejects.toThrow(/check/);
  await expect(insert("null, null", `9, 'a'`, "'{}'")).rejects.toThrow(/batch_anchor/);
  await insert(`3, '${last.head.entryHash}'`, `4, 'a'`, one);
  expect(await log.head()).toEqual({ sequence: 4, entryHash: "a" });
});

test("batches that are sent at the same moment share a row and a transaction", async () => {
  const config = newSchema();
  const log = await open(config);
  const countTransactions = async () =>
    Number(
      ((await change(config, "select count(distinct xmin::text) from batch")) as { count: string }[])[0]
        ?.count,
    );
  const before = await countTransactions();
  const batches = chainBatches(EMPTY, 50);
  await Promise.all(batches.slice(0, 47).map((batch) => log.append(batch)));
  expect(await countTransactions()).toBe(before + 1);
  await appendAll(log, batches.slice(47));
  expect(await countTransactions()).toBe(before + 4);
  expect(await readEntries(log, 20, 30)).toEqual(batches.slice(20).flatMap(({ entries }) => entries));
});

test("a term that changes between two appends is noticed by the second", async () => {
  const config = newSchema();
  const log = await open(config);
  const [first, second] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
  const term = await log.term();
  expect(await log.append({ ...first, term })).toEqual(APPENDED);
  await change(config, "update office set nonce = 'another'");
  const changed = await log.term();
  expect(changed).not.toBe(term);
  const refusal = { appended: false, head: first.head, term: changed };
  expect(await log.append({ ...second, term })).toEqual(refusal);
  expect(await log.head()).toEqual(first.head);
  expect(await log.append({ ...second, term: changed })).toEqual(APPENDED);
});

describe("a follower of one process", () => {
  /** Looks at the head come a thousand times later. */
  const withoutPolls: Host = {
    ...systemHost,
    timers: {
      ...systemHost.timers,
      set: (callback, milliseconds) =>
        systemHost.timers.set(callback, milliseconds * (milliseconds === LOG_POLL_MILLISECONDS ? 1000 : 1)),
    },
  };

  test("is notified of batches that another process appends", async () => {
    const config = newSchema();
    const [one, other] = [await open(config, { host: withoutPolls }), await open(config)];
    for (const batch of chainBatches(EMPTY, 5)) {
      const read = readEntries(one, batch.after.sequence, 1);
      await other.append(batch);
      expect(await read).toEqual(batch.entries);
    }
  });

  test("finds batches of which no notification came", async () => {
    const config = newSchema();
    const log = await open(config);
    const { after, head, entries } = chainContents(EMPTY, ["one"]);
    const read = readEntries(log, 0, 1);
    const hex = Buffer.from(entries[0] ?? "").toString("hex");
    await change(
      config,
      `insert into batch (previous_sequence, previous_hash, last_sequence, last_hash, bytes, entries)
        values (0, '${after.entryHash}', 1, '${head.entryHash}', 1, array[decode('${hex}', 'hex')])`,
    );
    expect(await read).toEqual(entries);
  });
});

describe("damaged bytes", () => {
  /** Flips a bit of the last byte of a batch of one entry. */
  const damage = (config: PostgresConfig, sequence: number) => {
    const last = "octet_length(entries[1]) - 1";
    const flipped = `set_byte(entries[1], ${last}, get_byte(entries[1], ${last}) # 1)`;
    return change(config, `update batch set entries[1] = ${flipped} where last_sequence = ${sequence}`);
  };

  test("in the middle do not match the page's hash", async () => {
    const config = newSchema();
    const log = await open(config);
    const batches = chainBatches(EMPTY, 3);
    await appendAll(log, batches.slice(0, 2));
    await damage(config, 2);
    const pages = log.follow(0, new AbortController().signal);
    for await (const { entries, head } of pages) {
      expect(head).toEqual(batches[1]?.head);
      expect(headOf(expectParsed(parseLogEntry(entries.at(-1) ?? "")))).not.toEqual(head);
      break;
    }
  });

  test("in the last entry, or in its hash, keep the log from being opened", async () => {
    const config = newSchema();
    const log = await open(config);
    await appendAll(log, chainBatches(EMPTY, 3));
    await log.close();
    await (await open(config)).close();
    await damage(config, 3);
    const opening = open(config);
    await expect(opening).rejects.toBeInstanceOf(DatabaseDamaged);
    await expect(opening).rejects.toThrow(
      /schema "log-\d+" is damaged: its last entry, 3, does not have the hash that its head says. Restore it/,
    );
    await damage(config, 3);
    await (await open(config)).close();
    await change(config, "update batch set last_hash = repeat('a', 64) where last_sequence = 3");
    await expect(open(config)).rejects.toThrow(/does not have the hash that its head says/);
  });

  test("are not looked for behind the end of a log that is trimmed to its end", async () => {
    const config = newSchema();
    const log = await open(config);
    await log.append(chainContents(EMPTY, contentsOf("entry", 3)));
    await log.trim(3);
    await log.close();
    expect((await (await open(config)).head()).sequence).toBe(3);
  });
});

test("a server that may lose entries is refused, unless the operator accepts each risk by name", async () => {
  const config = newSchema();
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (fields) => warnings.push(fields), child: () => log };
  const refused = open(config, { acceptedRisks: [], log });
  await expect(refused).rejects.toBeInstanceOf(DatabaseRefused);
  await expect(refused).rejects.toThrow(/fsync = "off": set it to on.*synchronous_standby_names = ""/);
  await expect(refused).rejects.toThrow(/ add fsync, synchronous_standby_names to log\.accept$/);
  await expect(open(config, { acceptedRisks: ["fsync"], log })).rejects.toThrow(
    /^the log's database server runs with synchronous_standby_names = "".* add synchronous_standby_names to log\.accept$/,
  );
  expect(warnings).toEqual([]);
  const user = `"${config.user}"`;
  await change(config, `alter role ${user} in database "${config.database}" set synchronous_commit = local`);
  await expect(open(config, { acceptedRisks: ["fsync"], log })).rejects.toThrow(
    /synchronous_commit = "local"/,
  );
  await change(config, `alter role ${user} in database "${config.database}" reset synchronous_commit`);
  const opened = await open(config, { acceptedRisks: ["fsync", "synchronous_standby_names"], log });
  expect(warnings).toEqual([
    { setting: "fsync", value: "off" },
    { setting: "synchronous_standby_names", value: "" },
  ]);
  expect(await opened.append(chainContents(EMPTY, ["one"]))).toEqual(APPENDED);
});
