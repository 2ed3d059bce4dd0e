// A PostgreSQL server that crashes, loses connections, fills its disk or conflicts: nothing acknowledged is lost, nothing that
// failed is kept, and everything goes on by itself.

import {
  type Host,
  openPostgresStore,
  type PostgresConfig,
  type Store,
  StoreInDoubt,
  StoreUnavailable,
  StoreUnwritable,
  silentLog,
  systemHost,
  type Timers,
} from "@callsign/node";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { fresh } from "../support/fresh.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

const PLAN = { store: "pots", migrations: ["create table pot (name text primary key, words text);\n"] };
const INSERT = "insert into pot (name) values ($1)";

const atEnd = atEndOfFile();
let server: PostgresServer;

beforeAll(async () => {
  server = await ownServer({ isDurable: true }, atEnd);
});

async function open(
  config: PostgresConfig = server.config(fresh("db")),
  host: Host = systemHost,
): Promise<Store> {
  const store = await openPostgresStore(config, PLAN, { host, log: silentLog });
  onTestFinished(() => store.close());
  return store;
}

async function namesIn(store: Store): Promise<unknown[]> {
  return (await store.all("select name from pot order by name")).map(({ name }) => name);
}

const isCommit = (bytes: Buffer) => bytes.includes("; commit");

const recovered = (store: Store) =>
  until(async () => {
    try {
      await store.run("update pot set words = ''");
      return (await store.get("select 1 as one"))?.["one"] === 1n;
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnwritable);
      return false;
    }
  }, "the store works again");

test("killed and restarted under load: acknowledged writes stay, failed ones do not", async () => {
  const store = await open();
  const [kept, failed] = [new Set<string>(), new Set<string>()];
  let isOver = false;
  const write = async (who: number) => {
    for (let i = 0; !isOver; i++) {
      const name = `${who}-${i}`;
      const writing = store.transaction((sql) => sql.run(INSERT, name), { repeatable: false });
      await writing.then(
        () => kept.add(name),
        (error: unknown) => {
          expect(error).toBeInstanceOf(StoreUnavailable);
          failed.add(name);
        },
      );
      if (failed.has(name)) await until(() => store.unwritable() === null, "it is back");
    }
  };
  const writers = [1, 2, 3].map(write);
  for (let kill = 0; kill < 2; kill++) {
    const goal = kept.size + 30;
    await until(() => kept.size >= goal, "enough was written");
    await server.stop("SIGKILL");
    await until(() => store.unwritable() !== null, "it says that it cannot be written");
    expect(store.unwritable()).toBe("the database does not answer");
    await expect(store.get("select 1 as one")).rejects.toBeInstanceOf(StoreUnavailable);
    await server.start();
    await until(() => store.unwritable() === null, "it is back");
  }
  isOver = true;
  await Promise.all(writers);
  expect(await namesIn(store)).toEqual([...kept].sort());
  expect(failed.size).toBeGreaterThan(0);
});

test("a commit whose answer is lost is found to have happened, or not", async () => {
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  const store = await open(server.config(fresh("db"), { port: proxy.port }));
  await store.run(INSERT, "before");
  let cuts = 0;
  // The commit reaches the server, and its answer does not come back.
  proxy.hooks = {
    toServer: (bytes) => {
      if (isCommit(bytes)) {
        cuts++;
        proxy.hooks = {
          toClient: (_, connection) => {
            proxy.hooks = {};
            connection.cut();
            return null;
          },
        };
      }
      return bytes;
    },
  };
  expect(await store.run(INSERT, "answered by nobody")).toBe(1);
  // The commit does not reach the server.
  proxy.hooks = {
    toServer: (bytes, connection) => {
      if (!isCommit(bytes)) return bytes;
      cuts++;
      proxy.hooks = {};
      connection.cut();
      return null;
    },
  };
  await expect(store.run(INSERT, "never sent")).rejects.toBeInstanceOf(StoreUnavailable);
  expect(cuts).toBe(2);
  expect(await store.run(INSERT, "after")).toBe(1);
  expect(await namesIn(store)).toEqual(["after", "answered by nobody", "before"]);
});

test("a commit whose outcome cannot be found out is in doubt, and nothing is lost or repeated", async () => {
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  // Half a minute of doubt passes in a second and a half.
  const set: Timers["set"] = (callback, milliseconds) => systemHost.timers.set(callback, milliseconds / 20);
  const host = { ...systemHost, timers: { ...systemHost.timers, set } };
  const store = await open(server.config(fresh("db"), { port: proxy.port }), host);
  proxy.hooks = {
    toServer: (bytes) => {
      if (!isCommit(bytes)) return bytes;
      proxy.hooks = {
        toClient: (_, connection) => {
          proxy.isDown = true;
          connection.cut();
          return null;
        },
      };
      return bytes;
    },
  };
  const inDoubt = store.run(INSERT, "in doubt");
  await expect(inDoubt).rejects.toThrow(/the write may have been kept/);
  await expect(inDoubt).rejects.toBeInstanceOf(StoreInDoubt);
  expect(store.unwritable()).toBe("the database does not answer");
  proxy.hooks = {};
  proxy.isDown = false;
  await recovered(store);
  expect(await namesIn(store)).toEqual(["in doubt"]);
  expect(await store.losses?.()).toBe(0);
});

test("sessions that the server ends are replaced, and a transaction among them is undone", async () => {
  const config = server.config(fresh("db"));
  const store = await open(config);
  await Promise.all([1, 2, 3, 4].map(() => store.get("select 1 as one")));
  const endAll = () =>
    server.sql(
      "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'callsign%'",
    );
  await endAll();
  expect(await Promise.all([1, 2, 3, 4].map(() => store.get("select 1 as one")))).toHaveLength(4);
  expect(await store.run(INSERT, "a")).toBe(1);
  const cut = store.transaction(async (sql) => {
    await sql.run(INSERT, "b");
    await endAll();
    await sql.run(INSERT, "c");
  });
  await expect(cut).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await store.run(INSERT, "d")).toBe(1);
  expect(await namesIn(store)).toEqual(["a", "d"]);
  // The lock was taken again.
  await expect(open(config)).rejects.toThrow(/in use by another process/);
});

test("texts are ordered by their bytes in a database that its operator made for a language", async ({
  skip,
}) => {
  const database = fresh("db").replaceAll("-", "_");
  const made = server.sql(
    `create database "${database}" template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US'`,
  );
  const refusal = await made.then(
    () => null,
    (error: unknown) => String(error),
  );
  if (refusal !== null) skip(`this PostgreSQL knows no languages: ${refusal}`);
  const store = await open(server.config(database));
  const names = ["B", "Z", "_", "a", "b", "ä"];
  for (const name of [...names].reverse()) await store.run(INSERT, name);
  expect(await namesIn(store)).toEqual(names);
});

test("a conflict with another session fails the transaction, and a later one succeeds", async () => {
  const config = server.config(fresh("db"));
  const store = await open(config);
  await store.run(INSERT, "a");
  const conflicting = store.transaction(async (sql) => {
    await sql.get("select words from pot where name = 'a'");
    await server.sql("update callsign.pot set words = 'theirs'", config.database);
    await sql.run("update pot set words = 'ours'");
  });
  await expect(conflicting).rejects.toThrow(/a transaction conflicted with another one/);
  await expect(conflicting).rejects.toBeInstanceOf(StoreUnwritable);
  expect(await store.get("select words from pot")).toEqual({ words: "theirs" });
  expect(await store.run("update pot set words = 'ours'")).toBe(1);
  expect(store.unwritable()).toBeNull();
});

test("a server that fails over to its standby loses nothing, and the old one is not written", async ({
  skip,
}) => {
  const primary = await ownServer({ isDurable: true }, onTestFinished);
  if (!primary.canHaveStandby) skip("PostgreSQL has no pg_basebackup here");
  const standby = await primary.standby(onTestFinished);
  await primary.setSetting("synchronous_standby_names", "*");
  const proxy = await TcpProxy.start(primary.port, onTestFinished);
  const store = await open(primary.config(fresh("db"), { port: proxy.port }));
  await store.run(INSERT, "before");
  await primary.stop("SIGKILL");
  proxy.moveTo(standby.port);
  await expect(store.run(INSERT, "during")).rejects.toBeInstanceOf(StoreUnavailable);
  // Not promoted yet: its rows may be old.
  await expect(store.get("select name from pot")).rejects.toBeInstanceOf(StoreUnavailable);
  await standby.sql("select pg_promote()");
  await recovered(store);
  expect(await store.run(INSERT, "after")).toBe(1);
  expect(await namesIn(store)).toEqual(["after", "before"]);
});

test("a full disk refuses writes, reads go on, and there is no trace when there is room", async (context) => {
  const disk = SmallDisk.mount(64, context);
  const full = await ownServer(
    { folder: disk.folder, walFolder: temporaryFolder() },
    onTestFinished,
    context,
  );
  const store = await open(full.config("small"));
  await store.run(INSERT, "before");
  disk.fill();
  const large = store.transaction((sql) =>
    sql.run(
      "insert into pot (name, words) select 'x' || i, repeat(md5(i::text), 100) from generate_series(1, 5000) i",
    ),
  );
  await expect(large).rejects.toThrow(/the database's disk is full/);
  await expect(large).rejects.toBeInstanceOf(StoreUnwritable);
  expect(await namesIn(store)).toEqual(["before"]);
  disk.empty();
  await recovered(store);
  expect(store.unwritable()).toBeNull();
  await store.run(INSERT, "after");
  expect(await namesIn(store)).toEqual(["after", "before"]);
});
