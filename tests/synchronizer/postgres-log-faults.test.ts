// The log on a PostgreSQL server that crashes and loses connections: nothing acknowledged is missing or doubled, and
// everything goes on by itself.

import {
  type Host,
  type PostgresConfig,
  StoreInDoubt,
  StoreUnavailable,
  StoreUnwritable,
  silentLog,
  systemHost,
} from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { formatLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { openPostgresLog } from "../../packages/synchronizer/src/log/open-postgres-log.ts";
import type { LogBatch, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { fresh } from "../support/fresh.ts";
import { ownServer } from "../support/postgres.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import {
  APPENDED,
  appendAll,
  chainBatches,
  chainContents,
  EMPTY,
  findBreak,
  readEntries,
  readLog,
} from "./log-entries.ts";

const atEnd = atEndOfFile();
let server: PostgresServer;

beforeAllOrSkip(async (test) => {
  server = await ownServer({ isDurable: true }, atEnd, test);
}, 300_000);

/** A schema of its own, behind the proxy if one is given. */
function newSchema(proxy?: TcpProxy): PostgresConfig {
  return server.config("faults", { schema: fresh("log"), port: proxy?.port ?? server.port });
}

async function open(config: PostgresConfig, host: Host = systemHost): Promise<OrderedLog> {
  const log = await openPostgresLog(config, {
    host,
    log: silentLog,
    acceptedRisks: ["synchronous_standby_names"],
  });
  onTestFinished(() => log.close());
  return log;
}

/** The same log without the proxy. */
function direct(config: PostgresConfig): Promise<OrderedLog> {
  return open({ ...config, port: server.port });
}

/** The statement with this text reaches the server up to a byte, and then the connection is cut. */
function cutQuestion(proxy: TcpProxy, mark: string, at: (length: number) => number, onCut: () => void): void {
  proxy.hooks = {
    toServer: (bytes, connection) => {
      if (!bytes.includes(mark)) return bytes;
      proxy.hooks = {};
      onCut();
      setImmediate(connection.cut);
      return bytes.subarray(0, at(bytes.length));
    },
  };
}

/** The statement with this text reaches the server, and its answer comes back up to a byte. */
function cutAnswer(proxy: TcpProxy, mark: string, at: (length: number) => number, onCut: () => void): void {
  let isSent = false;
  proxy.hooks = {
    toServer: (bytes) => {
      isSent ||= bytes.includes(mark);
      return bytes;
    },
    toClient: (bytes, connection) => {
      if (!isSent) return bytes;
      proxy.hooks = {};
      onCut();
      setImmediate(connection.cut);
      return bytes.subarray(0, at(bytes.length));
    },
  };
}

describe("an append in doubt", () => {
  const positions: readonly (readonly [string, (length: number) => number])[] = [
    ["nothing", () => 0],
    ["one byte", () => 1],
    ["five bytes", () => 5],
    ["a third", (length) => Math.floor(length / 3)],
    ["a half", (length) => Math.floor(length / 2)],
    ["all but six bytes", (length) => length - 6],
    ["all but one byte", (length) => length - 1],
  ];

  test.each([
    ["the statement", cutQuestion],
    ["its answer", cutAnswer],
  ] as const)("is appended once, whichever part of %s is lost", async (_, cut) => {
    const proxy = await TcpProxy.start(server.port, onTestFinished);
    const config = newSchema(proxy);
    const log = await open(config);
    const term = await log.term();
    let head = EMPTY;
    let cuts = 0;
    for (const [what, at] of positions) {
      for (const isPrepared of [true, false]) {
        // Without this the session is new, and the statement is prepared on the way.
        if (isPrepared) {
          const before = chainContents(head, [`before ${what}`]);
          expect(await log.append(before)).toEqual(APPENDED);
          head = before.head;
        }
        const [first, second] = chainBatches(head, 2) as [LogBatch, LogBatch];
        cut(proxy, first.entries[0] ?? "", at, () => cuts++);
        const answers = [log.append({ ...first, term }), log.append(second)];
        expect(await Promise.all(answers)).toEqual([APPENDED, APPENDED]);
        head = second.head;
        proxy.cutAll();
      }
    }
    expect(cuts).toBe(positions.length * 2);
    const entries = await readLog(await direct(config));
    expect(findBreak(entries)).toBeNull();
    expect(entries).toHaveLength(head.sequence);
  });

  test("is refused if another one has taken its place meanwhile", async () => {
    const proxy = await TcpProxy.start(server.port, onTestFinished);
    const config = newSchema(proxy);
    const [log, other] = [await open(config), await direct(config)];
    const [ours, theirs] = [chainContents(EMPTY, ["ours"]), chainContents(EMPTY, ["theirs"])];
    const cut = Promise.withResolvers<void>();
    cutQuestion(
      proxy,
      "ours",
      (length) => length - 1,
      () => {
        proxy.isDown = true;
        cut.resolve();
      },
    );
    const answer = log.append(ours);
    await cut.promise;
    expect(await other.append(theirs)).toEqual(APPENDED);
    proxy.isDown = false;
    expect(await answer).toEqual({ appended: false, head: theirs.head, term: await other.term() });
  });

  test("is found although others have appended behind it", async () => {
    const proxy = await TcpProxy.start(server.port, onTestFinished);
    const config = newSchema(proxy);
    const [log, other] = [await open(config), await direct(config)];
    const [ours, theirs] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
    cutAnswer(
      proxy,
      ours.entries[0] ?? "",
      () => 0,
      () => {
        proxy.isDown = true;
      },
    );
    const answer = log.append(ours);
    expect(await readEntries(other, 0, 1)).toEqual(ours.entries);
    expect(await other.append(theirs)).toEqual(APPENDED);
    proxy.isDown = false;
    expect(await answer).toEqual(APPENDED);
  });

  test("fails as one while the server stays away, and the log goes on when it is back", async () => {
    const proxy = await TcpProxy.start(server.port, onTestFinished);
    // Half a minute of doubt passes in a second and a half.
    const host: Host = {
      ...systemHost,
      timers: {
        ...systemHost.timers,
        set: (callback, milliseconds) => systemHost.timers.set(callback, milliseconds / 20),
      },
      clock: {
        ...systemHost.clock,
        elapsedMilliseconds: () => systemHost.clock.elapsedMilliseconds() * 20,
      },
    };
    const log = await open(newSchema(proxy), host);
    const [first, second] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
    cutAnswer(
      proxy,
      first.entries[0] ?? "",
      () => 0,
      () => {
        proxy.isDown = true;
      },
    );
    const inDoubt = log.append(first);
    await expect(inDoubt).rejects.toBeInstanceOf(StoreInDoubt);
    await expect(inDoubt).rejects.toThrow(/the batch may have been appended/);
    await expect(log.append(second)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(log.unwritable()).toBe("the database does not answer");
    proxy.isDown = false;
    await until(() => log.unwritable() === null, "the log can be written again");
    expect(await log.head()).toEqual(first.head);
    expect(await log.append(second)).toEqual(APPENDED);
  });
});

test("a follower whose connections are cut again and again misses nothing and gets nothing twice", async () => {
  const random = new Random(seed);
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  const config = newSchema(proxy);
  const [log, other] = [await open(config), await direct(config)];
  const batches = chainBatches(EMPTY, 80);
  const read = readEntries(log, 0, batches.length);
  let cuts = 0;
  for (const batch of batches) {
    await other.append(batch);
    if (!random.chance(0.3)) continue;
    proxy.cutAll();
    cuts++;
    // Some cuts come while a page is on its way.
    proxy.hooks = random.chance(0.5)
      ? {}
      : {
          toClient: (bytes, connection) => {
            proxy.hooks = {};
            setImmediate(connection.cut);
            return bytes.subarray(0, random.below(bytes.length));
          },
        };
  }
  expect(cuts).toBeGreaterThan(0);
  expect(await read).toEqual(batches.flatMap(({ entries }) => entries));
});

test("a server that does not answer is passed over for the next one that is named", async () => {
  const proxy = await TcpProxy.start(server.port, onTestFinished);
  proxy.isDown = true;
  const config = { ...newSchema(proxy), otherPlaces: [{ host: "127.0.0.1", port: server.port }] };
  const log = await open(config);
  const batches = chainBatches(EMPTY, 3);
  await appendAll(log, batches);
  expect(await readEntries(log, 0, 3)).toEqual(batches.flatMap(({ entries }) => entries));
});

test.each(["SIGKILL", "SIGINT"] as const)(
  "a server that ends by %s under load loses nothing that was acknowledged",
  async (signal) => {
    const config = newSchema();
    const logs = [await open(config), await open(config)];
    const term = await logs[0]?.term();
    const acknowledged = new Set<string>();
    const tried = new Set<string>();
    let failures = 0;
    let isOver = false;
    const write = async (log: OrderedLog, who: string) => {
      let head = EMPTY;
      for (let i = 0; !isOver; i++) {
        const content = `${who}/${i}`;
        tried.add(content);
        try {
          for (let isAppended = false; !isAppended; ) {
            const batch = chainContents(head, [content]);
            const answer = await log.append(batch);
            isAppended = answer.appended;
            head = answer.appended ? batch.head : answer.head;
          }
          acknowledged.add(content);
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnwritable);
          failures++;
          await until(() => log.unwritable() === null, "the log can be written again");
        }
      }
    };
    const writers = logs.flatMap((log, i) => [write(log, `${i}/a`), write(log, `${i}/b`)]);
    const follower = readEntries(logs[1] as OrderedLog, 0, 200);
    for (let stop = 0; stop < 2; stop++) {
      const goal = acknowledged.size + 40;
      await until(() => acknowledged.size >= goal, "enough was appended");
      await server.stop(signal);
      await until(() => logs.every((log) => log.unwritable() !== null), "the logs cannot be written");
      await server.start();
      await until(() => logs.every((log) => log.unwritable() === null), "the logs can be written again");
    }
    const goal = Math.max(200, acknowledged.size + 40);
    await until(() => acknowledged.size >= goal, "enough was appended");
    isOver = true;
    await Promise.all(writers);
    const entries = await readLog(logs[0] as OrderedLog);
    expect(findBreak(entries)).toBeNull();
    const contents = entries.map(({ content }) => content);
    expect(new Set(contents).size).toBe(contents.length);
    const missing = acknowledged.difference(new Set(contents));
    expect([...missing]).toEqual([]);
    expect([...new Set(contents).difference(tried)]).toEqual([]);
    const followed = await follower;
    expect(entries.slice(0, followed.length).map(formatLogEntry)).toEqual(followed);
    // The same server is back: nobody else has been in office.
    expect(await logs[0]?.term()).toBe(term);
    expect(failures).toBeLessThan(tried.size);
  },
);
