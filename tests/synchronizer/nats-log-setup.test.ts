/** The settings without which a log on NATS may lose entries: refused, or accepted by name and warned of. */
import { randomUUID } from "node:crypto";
import {
  DatabaseDamaged,
  DatabaseRefused,
  type Log,
  StoreUnavailable,
  silentLog,
  systemHost,
} from "@callsign/node";
import { DiscardPolicy, jetstream, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream";
import { connect, headers, type NatsConnection } from "@nats-io/transport-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { type NatsLogConfig, subjectOf } from "../../packages/synchronizer/src/log/nats-config.ts";
import { openNatsLog } from "../../packages/synchronizer/src/log/open-nats-log.ts";
import type { OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { beforeAllOrSkip } from "../support/before-all-or-skip.ts";
import { freePort } from "../support/free-port.ts";
import { NATS_PASSWORD, NATS_USER, type NatsCluster, startNatsCluster } from "../support/nats-cluster.ts";
import { APPENDED, chainContents, EMPTY } from "./log-entries.ts";

const atEnd = atEndOfFile();
let synced: NatsCluster;
let lazy: NatsCluster;

beforeAllOrSkip(async (skip) => {
  synced = await startNatsCluster({ nodes: 1 }, atEnd, skip);
  lazy = await startNatsCluster(
    { nodes: 1, jetstream: {}, settings: { max_payload: 1_000_000 } },
    atEnd,
    skip,
  );
}, 120_000);

/** A log on one server, whose missing replicas are accepted. */
function single(cluster: NatsCluster, change: Partial<NatsLogConfig> = {}): NatsLogConfig {
  return cluster.log(randomUUID(), { replicas: 1, acceptedRisks: ["few-replicas"], ...change });
}

async function open(config: NatsLogConfig, log: Log = silentLog): Promise<OrderedLog> {
  const opened = await openNatsLog(config, { host: systemHost, log, patienceMilliseconds: 2000 });
  onTestFinished(() => opened.close());
  return opened;
}

async function refusal(config: NatsLogConfig): Promise<string> {
  const error = await open(config).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DatabaseRefused);
  return (error as Error).message;
}

async function client(cluster: NatsCluster): Promise<NatsConnection> {
  const connection = await connect({ servers: [...cluster.servers], user: NATS_USER, pass: NATS_PASSWORD });
  onTestFinished(() => connection.close());
  return connection;
}

describe("a log on NATS is refused", () => {
  test("with fewer than three replicas", async () => {
    const words = await refusal(single(synced, { acceptedRisks: [] }));
    expect(words).toContain("has 1 of 3 replicas");
    expect(words).toMatch(/\. To accept that entries may be lost, add few-replicas to log\.accept$/);
  });

  test("if its servers' settings cannot be read", async () => {
    const { systemLogin: _, ...config } = single(synced);
    expect(await refusal(config)).toMatch(/set log\.nats\.systemUser.*add unchecked-servers to log\.accept$/);
  });

  test("on a server that acknowledges messages before they are on disk", async () => {
    const { systemLogin: _, ...config } = single(synced);
    const unsynced = await startNatsCluster({ nodes: 1, jetstream: {} }, onTestFinished);
    const words = await refusal({ ...config, ...single(unsynced) });
    expect(words).toContain("node-1 acknowledges messages before they are on disk");
    expect(words).toContain("add unsynced-writes to log.accept");
  });

  test("on a server that does not take the largest batch", async () => {
    expect(await refusal(single(lazy))).toMatch(/takes messages of 1000000 bytes.*Set max_payload: 20000000/);
  });

  test("if its user is not known", async () => {
    const login = { user: NATS_USER, password: "a wrong secret" };
    const words = await refusal(single(synced, { login }));
    expect(words).toContain(`refuses the user ${NATS_USER}`);
    expect(words).not.toContain("secret");
  });

  test.each(["", "a.b", "a b", "*", "x".repeat(65)])("with the stream name %j", async (stream) => {
    expect(await refusal(single(synced, { stream }))).toContain("cannot name the log's stream");
  });

  test("without a server", async () => {
    expect(await refusal(single(synced, { servers: [] }))).toContain("names no server");
  });

  test("on a stream that drops messages or lets them be deleted, with all that is wrong with it", async () => {
    const config = single(synced);
    const manager = await jetstreamManager(await client(synced));
    await manager.streams.add({
      name: config.stream,
      subjects: [subjectOf(config.stream)],
      max_msgs: 5,
      max_age: 1_000_000_000,
      discard: DiscardPolicy.Old,
      retention: RetentionPolicy.Limits,
    });
    const words = await refusal(config);
    for (const part of [
      "max_msgs is 5 and must be -1",
      "max_age",
      'discard is "old" and must be "new"',
      "deny_delete",
    ])
      expect(words).toContain(part);
  });
});

test("accepted risks are warned of at every start, also those that are not there", async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
  const config = single(synced, { acceptedRisks: ["few-replicas", "unsynced-writes"] });
  for (let i = 1; i <= 2; i++) {
    await (await open(config, log)).close();
    expect(warnings).toHaveLength(2 * i);
  }
  expect(warnings[0]).toContain("the log accepts a stream with fewer than three replicas");
  expect(warnings[1]).toContain("withdraw the acceptance");
});

test("servers that do not answer are said to, and one that does is found among them", async () => {
  const nobody = `nats://127.0.0.1:${await freePort()}`;
  const config = single(synced);
  const alone = open({ ...config, servers: [nobody] });
  await expect(alone).rejects.toThrow(StoreUnavailable);
  await expect(alone).rejects.toThrow("the log's NATS servers do not answer");
  const log = await open({ ...config, servers: [nobody, nobody, ...synced.servers] });
  expect(await log.append(chainContents(EMPTY, ["one"]))).toEqual(APPENDED);
});

describe("a stream that something else has written to", () => {
  test("is not opened if its last message is no batch", async () => {
    const config = single(synced);
    await (await open(config)).close();
    await jetstream(await client(synced)).publish(subjectOf(config.stream), "something else");
    const opening = open(config);
    await expect(opening).rejects.toThrow(DatabaseDamaged);
    await expect(opening).rejects.toThrow("message 1 of the log's stream is no batch");
  });

  test("is not opened if its last entry does not have the hash that its head says", async () => {
    const config = single(synced);
    const log = await open(config);
    const { after, head, entries } = chainContents(EMPTY, ["one"]);
    await log.append({ after, head: { ...head, entryHash: "a".repeat(64) }, entries });
    await log.close();
    const opening = open(config);
    await expect(opening).rejects.toThrow(DatabaseDamaged);
    await expect(opening).rejects.toThrow("does not have the hash that its head says");
  });

  test("stops its followers at a batch that is chained to another one", async () => {
    const config = single(synced);
    const log = await open(config);
    const first = chainContents(EMPTY, ["one"]);
    await log.append(first);
    const pages = log.follow(0, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await pages.next()).value).toMatchObject({ head: first.head });
    const header = headers();
    const other = chainContents({ ...first.head, entryHash: "b".repeat(64) }, ["two"]);
    header.set(
      "Callsign-Batch",
      [other.after, other.head].map((h) => `${h.sequence} ${h.entryHash}`).join(" "),
    );
    const payload = Buffer.concat([
      encodeNumber(1),
      encodeNumber(Buffer.byteLength(other.entries[0] ?? "")),
      Buffer.from(other.entries[0] ?? ""),
    ]);
    await jetstream(await client(synced)).publish(subjectOf(config.stream), payload, { headers: header });
    const reading = pages.next();
    await expect(reading).rejects.toThrow(DatabaseDamaged);
    await expect(reading).rejects.toThrow(
      `the batch before it ends with entry 1 and hash ${first.head.entryHash}`,
    );
  });
});

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
