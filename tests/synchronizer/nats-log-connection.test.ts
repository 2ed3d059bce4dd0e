/** The log on NATS when its connection fails: acknowledgements in doubt, reconnects, followers that are slow or stand still. */
import { randomUUID } from "node:crypto";
import { silentLog, systemHost } from "@callsign/node";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { NatsLogConfig } from "../../packages/synchronizer/src/log/nats-config.ts";
import { openNatsLog } from "../../packages/synchronizer/src/log/open-nats-log.ts";
import type { LogBatch, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { type NatsCluster, startNatsCluster } from "../support/nats-cluster.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import {
  APPENDED,
  appendAll,
  chainBatches,
  chainContents,
  contentsOf,
  EMPTY,
  LONG,
  readEntries,
} from "./log-entries.ts";

const atEnd = atEndOfFile();
let cluster: NatsCluster;
let proxy: TcpProxy;
let config: NatsLogConfig;

beforeAllOrSkip(async (skip) => {
  cluster = await startNatsCluster({}, atEnd, skip);
}, 120_000);

beforeEach(async () => {
  proxy = await TcpProxy.start(cluster.nodes[0]?.port ?? 0, onTestFinished);
  config = cluster.log(randomUUID());
});

async function open(servers: readonly string[] = cluster.servers): Promise<OrderedLog> {
  const log = await openNatsLog({ ...config, servers }, { host: systemHost, log: silentLog });
  onTestFinished(() => log.close());
  return log;
}

/** A log whose connection goes through the proxy. */
function openThroughProxy(): Promise<OrderedLog> {
  return open([`nats://127.0.0.1:${proxy.port}`]);
}

/** A publication of a batch, on its way to the server. */
function isBatch(bytes: Buffer): boolean {
  return bytes.includes("HPUB callsign.log.");
}

/** The acknowledgement of a batch, on its way to the client. */
function isAcknowledgement(bytes: Buffer): boolean {
  return bytes.includes(`"stream":"${config.stream}"`);
}

describe("an acknowledgement in doubt", () => {
  test("is resolved by reading if the batch was stored before the connection was lost", async () => {
    const log = await openThroughProxy();
    const batches = chainBatches(EMPTY, 3);
    let cuts = 0;
    proxy.hooks = {
      toClient: (bytes, connection) => {
        if (cuts === batches.length || !isAcknowledgement(bytes)) return bytes;
        cuts++;
        connection.cut();
        return null;
      },
    };
    for (const batch of batches) expect(await log.append(batch)).toEqual(APPENDED);
    expect(cuts).toBe(3);
    expect(await readEntries(await open(), 0, 3)).toEqual(batches.flatMap(({ entries }) => entries));
  });

  test("is resolved by sending again if the batch was cut off, wherever that was", async () => {
    const log = await openThroughProxy();
    const random = new Random(seed);
    const batches = chainBatches(EMPTY, 12);
    let isArmed = false;
    proxy.hooks = {
      toServer: (bytes, connection) => {
        if (!isArmed || !isBatch(bytes)) return bytes;
        isArmed = false;
        setImmediate(connection.cut);
        return bytes.subarray(0, random.below(bytes.length));
      },
    };
    for (const batch of batches) {
      isArmed = true;
      expect(await log.append(batch)).toEqual(APPENDED);
      expect(isArmed).toBe(false);
    }
    expect(await log.head()).toEqual(batches.at(-1)?.head);
    expect(await readEntries(await open(), 0, 12)).toEqual(batches.flatMap(({ entries }) => entries));
  });

  test("is resolved if the connection stays, and the acknowledgement never comes", async () => {
    const log = await openThroughProxy();
    const batch = chainContents(EMPTY, ["one"]);
    let swallowed = 0;
    proxy.hooks = {
      toClient: (bytes) => {
        if (swallowed > 0 || !isAcknowledgement(bytes)) return bytes;
        swallowed++;
        return null;
      },
    };
    expect(await log.append(batch)).toEqual(APPENDED);
    expect(swallowed).toBe(1);
    expect(await log.head()).toEqual(batch.head);
  });

  test("is an append if the batch was slow, and arrives together with the one that was sent again", async () => {
    const log = await openThroughProxy();
    const batches = chainBatches(EMPTY, 2);
    let slow: Buffer | null = null;
    proxy.hooks = {
      toServer: (bytes) => {
        if (!isBatch(bytes)) return bytes;
        proxy.hooks = { toServer: (again) => (isBatch(again) ? pass(again) : again) };
        slow = bytes;
        return null;
      },
    };
    const pass = (again: Buffer): Buffer => {
      proxy.hooks = {};
      return Buffer.concat([slow ?? Buffer.alloc(0), again]);
    };
    for (const batch of batches) expect(await log.append(batch)).toEqual(APPENDED);
    expect(slow).not.toBeNull();
    expect(await readEntries(log, 0, 2)).toEqual(batches.flatMap(({ entries }) => entries));
  });

  test("is a refusal if another sequencer's batch took the place meanwhile", async () => {
    const [log, other] = [await openThroughProxy(), await open()];
    const lost = chainContents(EMPTY, ["lost"]);
    const winner = chainContents(EMPTY, ["winner"]);
    proxy.hooks = {
      toServer: (bytes, connection) => {
        if (!isBatch(bytes)) return bytes;
        proxy.isDown = true;
        connection.cut();
        return null;
      },
    };
    const answer = log.append(lost);
    await until(() => proxy.isDown, "the batch was sent");
    expect(await other.append(winner)).toEqual(APPENDED);
    proxy.hooks = {};
    proxy.isDown = false;
    expect(await answer).toEqual({ appended: false, head: winner.head, term: await other.term() });
    expect(await readEntries(log, 0, 1)).toEqual(winner.entries);
  });

  test("is an append if the batch was stored and others have followed it", async () => {
    const [log, other] = [await openThroughProxy(), await open()];
    const [first, second] = chainBatches(EMPTY, 2) as [LogBatch, LogBatch];
    proxy.hooks = {
      toClient: (bytes, connection) => {
        if (!isAcknowledgement(bytes)) return bytes;
        proxy.isDown = true;
        connection.cut();
        return null;
      },
    };
    const answer = log.append({ ...first, term: await log.term() });
    await until(() => proxy.isDown, "the batch was stored");
    expect(await other.append(second)).toEqual(APPENDED);
    proxy.hooks = {};
    proxy.isDown = false;
    expect(await answer).toEqual(APPENDED);
    expect(await log.head()).toEqual(second.head);
  });

  test("does not keep a log from closing", async () => {
    const log = await openThroughProxy();
    const batch = chainContents(EMPTY, ["one"]);
    proxy.isDown = true;
    proxy.cutAll();
    const answer = log.append(batch);
    const rejected = expect(answer).rejects.toThrow("the log's NATS servers do not answer");
    await until(() => log.unwritable() !== null, "the log says that it cannot be written");
    await log.close();
    await rejected;
  });
});

test("a log that appends nothing says that it cannot be written while its servers are gone", async () => {
  const log = await openThroughProxy();
  expect(log.unwritable()).toBeNull();
  proxy.isDown = true;
  proxy.cutAll();
  await until(() => log.unwritable() !== null, "the log says that it cannot be written");
  proxy.isDown = false;
  await until(() => log.unwritable() === null, "the log can be written again");
  expect(await log.append(chainContents(EMPTY, ["one"]))).toEqual(APPENDED);
});

test("the largest batch is appended and read", async () => {
  const log = await open();
  // Three bytes each, in UTF-8.
  const batch = chainContents(EMPTY, ["名".repeat(4_000_000), "x".repeat(7_900_000)]);
  expect(await log.append(batch)).toEqual(APPENDED);
  const next = chainContents(batch.head, ["next"]);
  expect(await log.append(next)).toEqual(APPENDED);
  const read = await readEntries(await open(), 0, 3);
  expect(read.map((entry, i) => entry === [...batch.entries, ...next.entries][i])).toEqual([
    true,
    true,
    true,
  ]);
  const larger = chainContents(next.head, ["名".repeat(7_000_000)]);
  await expect(log.append(larger)).rejects.toThrow("20000000");
  expect(await log.head()).toEqual(next.head);
});

describe("followers", () => {
  test("miss nothing while their connection is cut again and again", async () => {
    const [log, writer] = [await openThroughProxy(), await open()];
    const random = new Random(seed);
    const batches = chainBatches(EMPTY, 200);
    const followers = [0, 0, 57].map((after) => readEntries(log, after, batches.length - after));
    for (const batch of batches) {
      expect(await writer.append(batch)).toEqual(APPENDED);
      if (random.chance(0.1)) proxy.cutAll();
    }
    const all = batches.flatMap(({ entries }) => entries);
    expect(await followers[0]).toEqual(all);
    expect(await followers[1]).toEqual(all);
    expect(await followers[2]).toEqual(all.slice(57));
  });

  test("go on when servers that were gone are back", async () => {
    const [log, writer] = [await openThroughProxy(), await open()];
    const batches = chainBatches(EMPTY, 5);
    const following = readEntries(log, 0, 5);
    await appendAll(writer, batches.slice(0, 2));
    proxy.isDown = true;
    proxy.cutAll();
    await appendAll(writer, batches.slice(2, 4));
    proxy.isDown = false;
    await appendAll(writer, batches.slice(4));
    expect(await following).toEqual(batches.flatMap(({ entries }) => entries));
  });

  test("that stand still keep nobody else waiting, and read on where they were", async () => {
    const log = await open();
    await appendAll(log, [chainContents(EMPTY, contentsOf("entry", LONG))]);
    const slow = log.follow(0, new AbortController().signal)[Symbol.asyncIterator]();
    const seen = [...((await slow.next()).value?.entries ?? [])];
    expect(seen.length).toBeGreaterThan(0);
    const later = chainBatches(await log.head(), 500);
    const fast = readEntries(log, LONG, later.length);
    const answers = await Promise.all(later.map((batch) => log.append(batch)));
    expect(answers).toEqual(later.map(() => APPENDED));
    expect(await fast).toEqual(later.flatMap(({ entries }) => entries));
    const total = LONG + later.length;
    while (seen.length < total) seen.push(...((await slow.next()).value?.entries ?? []));
    expect(seen).toEqual(await readEntries(log, 0, total));
  });

  test("hear of batches that other processes append without waiting for the next look", async () => {
    const [log, writer] = [await open(), await open()];
    const batches = chainBatches(EMPTY, 200);
    const pages = log.follow(0, new AbortController().signal)[Symbol.asyncIterator]();
    // With a look a second alone, this would run into the timeout.
    for (const batch of batches) {
      const next = pages.next();
      await writer.append(batch);
      expect((await next).value?.entries).toEqual(batch.entries);
    }
  });
});
