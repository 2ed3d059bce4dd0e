// The log on a PostgreSQL cluster: a primary, and two standbys of which one must have each commit.

import {
  DatabaseRefused,
  type Host,
  type PostgresConfig,
  StoreUnavailable,
  StoreUnwritable,
  silentLog,
  systemHost,
} from "@callsign/node";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { until } from "../../packages/node/testing/until.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import type { LogBatch, LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import type { PostgresRisk } from "../../packages/synchronizer/src/log/postgres-log-safety.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import {
  APPENDED,
  appendAll,
  chainBatches,
  chainContents,
  EMPTY,
  findBreak,
  headOf,
  readEntries,
  readLog,
} from "./log-entries.ts";

type Cluster = readonly [PostgresServer, PostgresServer, PostgresServer];

async function startCluster(context: Pick<TestContext, "skip">): Promise<Cluster> {
  const primary = await ownServer({ isDurable: true }, onTestFinished, context);
  if (!primary.canHaveStandby) context.skip("PostgreSQL has no pg_basebackup here");
  // Standbys take the setting over.
  await primary.setSetting("synchronous_standby_names", "ANY 1 (*)");
  return [primary, await primary.standby(onTestFinished), await primary.standby(onTestFinished)];
}

/** The database of the log, on all servers. */
function configOf(servers: readonly PostgresServer[]): PostgresConfig {
  const [first, ...others] = servers.map((server) => server.config("log"));
  return { ...(first as PostgresConfig), otherPlaces: others.map(({ host, port }) => ({ host, port })) };
}

interface Options {
  readonly acceptedRisks?: readonly PostgresRisk[];
  readonly host?: Host;
}

async function open(
  servers: readonly PostgresServer[],
  { acceptedRisks = [], host = systemHost }: Options = {},
): Promise<OrderedLog> {
  const parts = { host, log: silentLog, acceptedRisks, patienceMilliseconds: 0 };
  const log = await openPostgresLog(configOf(servers), parts);
  onTestFinished(() => log.close());
  return log;
}

async function promote(server: PostgresServer): Promise<void> {
  expect(await server.sql("select pg_promote()")).toBe("t");
}

/** Sessions that read find the new server on their own, after a pause of their own. */
async function writable(log: OrderedLog): Promise<void> {
  await until(() => log.unwritable() === null, "the log can be written");
  const canRead = () =>
    log.head().then(
      () => true,
      () => false,
    );
  await until(canRead, "the log can be read");
}

test("goes on with a promoted standby: every entry is there, the term is another, and nothing is appended for the old one", async (context) => {
  const [primary, second, third] = await startCluster(context);
  await expect(open([second])).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(open([second])).rejects.toThrow(/is a standby/);
  // Standbys are passed over.
  const log = await open([second, third, primary]);
  const term = await log.term();
  const batches = chainBatches(EMPTY, 30);
  await appendAll(
    log,
    batches.slice(0, 10).map((batch) => ({ ...batch, term })),
  );
  const followed = readEntries(log, 0, 30);
  await primary.stop("SIGKILL");
  await until(() => log.unwritable() !== null, "the log cannot be written");
  await promote(second);
  await third.follow(second);
  await writable(log);
  const changed = await log.term();
  expect(changed).not.toBe(term);
  expect(await log.head()).toEqual(batches[9]?.head);
  const next = batches[10] as LogBatch;
  expect(await log.append({ ...next, term })).toEqual({
    appended: false,
    head: batches[9]?.head,
    term: changed,
  });
  expect(await log.head()).toEqual(batches[9]?.head);
  await appendAll(
    log,
    batches.slice(10).map((batch) => ({ ...batch, term: changed })),
  );
  expect(await followed).toEqual(batches.flatMap(({ entries }) => entries));
});

test("names the server that lacks batches and the one that has them differently, also in timelines of one number", async (context) => {
  const [primary, second, third] = await startCluster(context);
  const log = await open([primary]);
  const term = await log.term();
  const batches = chainBatches(EMPTY, 13);
  await appendAll(log, batches.slice(0, 10));
  const hasAll = async () =>
    (await third.sql("select max(last_sequence) from callsign.batch", "log")) === "10";
  await until(hasAll, "the third server has the first ten batches");
  await third.stop();
  // The second one has them.
  await appendAll(log, batches.slice(10));
  await primary.stop("SIGKILL");
  await log.close();
  await third.start();
  const acceptedRisks = ["synchronous_standby_names"] as const;
  const found: { readonly head: LogHead; readonly term: string }[] = [];
  for (const server of [second, third]) {
    await promote(server);
    await server.setSetting("synchronous_standby_names", "");
    await expect(open([server])).rejects.toBeInstanceOf(DatabaseRefused);
    const promoted = await open([server], { acceptedRisks });
    const present = { head: await promoted.head(), term: await promoted.term() };
    found.push(present);
    const stale = chainContents(present.head, ["stale"]);
    expect(await promoted.append({ ...stale, term })).toEqual({ appended: false, ...present });
    expect(await promoted.head()).toEqual(present.head);
  }
  const timelines = await Promise.all(
    [second, third].map((server) => server.sql("select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)")),
  );
  expect(timelines).toEqual(["00000002", "00000002"]);
  expect(found.map(({ head }) => head)).toEqual([batches[12]?.head, batches[9]?.head]);
  expect(new Set([term, ...found.map((each) => each.term)]).size).toBe(3);
});

test("acknowledges nothing while no standby has it, says so, and goes on when one is back", async (context) => {
  const [primary, second, third] = await startCluster(context);
  // The time after which a commit takes long passes twenty times as fast.
  const elapsedMilliseconds = () => systemHost.clock.elapsedMilliseconds() * 20;
  const host: Host = { ...systemHost, clock: { ...systemHost.clock, elapsedMilliseconds } };
  const log = await open([primary], { host });
  const [first, next] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
  expect(await log.append(first)).toEqual(APPENDED);
  await second.stop();
  await third.stop();
  let isAnswered = false;
  const appending = log.append(next).finally(() => {
    isAnswered = true;
  });
  await until(() => log.unwritable() !== null, "the log cannot be written");
  expect(log.unwritable()).toBe(
    "a commit takes long: the database does not answer, or waits for its standbys",
  );
  // The server calls a commit a success whose wait is cancelled.
  const cancel = "select count(pg_cancel_backend(pid)) from pg_stat_activity where wait_event = 'SyncRep'";
  let cancelled = 0;
  await until(async () => {
    cancelled += Number(await primary.sql(cancel));
    return isAnswered || cancelled >= 3;
  }, "three waits were cancelled");
  expect(isAnswered).toBe(false);
  await second.start();
  expect(await appending).toEqual(APPENDED);
  await writable(log);
  const isThere = async () =>
    (await second.sql("select max(last_sequence) from callsign.batch", "log")) === "2";
  await until(isThere, "the standby has the batch");
});

test("hands out nothing that a restarted primary alone has, and goes on without it when another takes over", async (context) => {
  const [primary, second, third] = await startCluster(context);
  const log = await open([primary, second]);
  const [first, lost] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
  await appendAll(log, [first]);
  const seen: string[] = [];
  const ending = new AbortController();
  const following = (async () => {
    for await (const { entries } of log.follow(0, ending.signal)) seen.push(...entries);
  })();
  await until(() => seen.length === 1, "the first batch is handed out");
  await second.stop();
  await third.stop();
  // The batch is as one whose commit waited for standbys when the server was killed.
  const entry = Buffer.from(lost.entries[0] ?? "").toString("hex");
  const insert = `insert into callsign.batch values (2, '${lost.head.entryHash}', 1, '${first.head.entryHash}', 1, array['\\x${entry}'::bytea])`;
  await primary.stop("SIGKILL");
  await primary.start();
  await primary.sql(`set synchronous_commit = local; ${insert}`, "log");
  const waits = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";
  const isDecided = async () => seen.length > 1 || Number(await primary.sql(waits)) > 0;
  await until(isDecided, "a commit of the follower waits for standbys, or the batch is handed out");
  expect(seen).toEqual(first.entries);
  await primary.stop("SIGKILL");
  await second.start();
  await promote(second);
  await third.start();
  await third.follow(second);
  await writable(log);
  const other = chainContents(first.head, ["other"]);
  expect(await log.append(other)).toEqual(APPENDED);
  await until(() => seen.length > 1, "the other batch is handed out");
  expect(seen).toEqual([...first.entries, ...other.entries]);
  ending.abort();
  await following;
});

test("loses nothing acknowledged when the primary is killed while two logs append", async (context) => {
  const servers = await startCluster(context);
  const [primary, second, third] = servers;
  const logs = [await open(servers), await open(servers)] as const;
  const acknowledged = new Map<string, LogHead>();
  let isOver = false;
  const write = async (log: OrderedLog, who: string) => {
    let head = EMPTY;
    let term = await log.term();
    for (let i = 0; !isOver; i++) {
      try {
        const batch = chainContents(head, [`${who}/${i}`]);
        const answer = await log.append({ ...batch, term });
        if (answer.appended) acknowledged.set(`${who}/${i}`, batch.head);
        else ({ term } = answer);
        head = answer.appended ? batch.head : answer.head;
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnwritable);
        await writable(log);
      }
    }
  };
  const writers = logs.flatMap((log, i) => [write(log, `${i}/a`), write(log, `${i}/b`)]);
  const follower = readEntries(logs[0], 0, 250);
  await until(() => acknowledged.size >= 60, "enough was appended");
  await primary.stop("SIGKILL");
  const before = acknowledged.size;
  // Of two standbys, the one that received more has everything that was acknowledged.
  const [secondEnd, thirdEnd] = await Promise.all(
    [second, third].map((server) => server.sql("select pg_last_wal_receive_lsn() - '0/0'::pg_lsn")),
  );
  const [next, other] = Number(secondEnd) >= Number(thirdEnd) ? [second, third] : [third, second];
  await promote(next);
  await other.follow(next);
  await until(() => acknowledged.size >= Math.max(before + 60, 250), "the logs go on");
  isOver = true;
  await Promise.all(writers);
  const entries = await readLog(logs[1]);
  expect(findBreak(entries)).toBeNull();
  const ends = new Map(entries.map((entry) => [entry.content, headOf(entry)]));
  expect(ends.size).toBe(entries.length);
  for (const [content, head] of acknowledged) expect(ends.get(content)).toEqual(head);
  expect(await follower).toEqual(
    (await readEntries(logs[1], 0, entries.length)).slice(0, (await follower).length),
  );
});
