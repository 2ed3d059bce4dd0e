/** The log on three NATS nodes that crash, stand still and come back. */
import { randomUUID } from "node:crypto";
import { silentLog, systemHost } from "@callsign/node";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/node/testing/until.ts";
import type { NatsLogConfig } from "../../packages/synchronizer/src/log/nats-config.ts";
import { openNatsLog } from "../../packages/synchronizer/src/log/open-nats-log.ts";
import type { LogHead, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { type NatsCluster, type NatsNode, startNatsCluster } from "../support/nats-cluster.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { APPENDED, chainContents, findBreak, headOf, readEntries, readLog } from "./log-entries.ts";

let cluster: NatsCluster;
let config: NatsLogConfig;

beforeEach(async (context) => {
  cluster = await startNatsCluster({}, onTestFinished, context);
  config = cluster.log(randomUUID());
});

async function open(): Promise<OrderedLog> {
  const log = await openNatsLog(config, { host: systemHost, log: silentLog });
  onTestFinished(() => log.close());
  return log;
}

async function leaderOf(log: OrderedLog): Promise<NatsNode> {
  const [name = ""] = (await log.term()).split(" since ");
  return cluster.node(name);
}

/** Appends like a sequencer until it is stopped, and keeps what was acknowledged. */
class Appender {
  readonly acknowledged: LogHead[] = [];
  readonly #log: OrderedLog;
  readonly #name: string;
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(log: OrderedLog, name: string) {
    this.#log = log;
    this.#name = name;
    this.#ended = this.#run();
  }

  /** Resolves when so many more batches are acknowledged. */
  async more(count: number): Promise<void> {
    const enough = this.acknowledged.length + count;
    await until(() => this.acknowledged.length >= enough, `${this.#name} has ${enough} batches acknowledged`);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #run(): Promise<void> {
    let head = await this.#log.head();
    for (let i = 0; !this.#isStopped; i++) {
      for (;;) {
        const batch = chainContents(head, [`${this.#name}/${i}`]);
        const answer = await this.#log.append(batch);
        head = answer.appended ? batch.head : answer.head;
        if (answer.appended) break;
      }
      this.acknowledged.push(head);
    }
  }
}

/** The log is whole, each acknowledged batch is in it, and no content is in it twice. */
async function checkLog(log: OrderedLog, appenders: readonly Appender[]): Promise<void> {
  const entries = await readLog(log);
  expect(findBreak(entries)).toBeNull();
  const hashes = new Map(entries.map((entry) => [entry.sequence, headOf(entry).entryHash]));
  for (const { acknowledged } of appenders)
    for (const { sequence, entryHash } of acknowledged) expect(hashes.get(sequence)).toBe(entryHash);
  expect(new Set(entries.map(({ content }) => content)).size).toBe(entries.length);
}

test("a leader that is killed leaves every acknowledged batch, and its term is over", async () => {
  const logs = [await open(), await open()];
  const [log] = logs as [OrderedLog];
  const appenders = logs.map((each, i) => new Appender(each, `appender ${i}`));
  const following = readEntries(log, 0, 100);
  await Promise.all(appenders.map((appender) => appender.more(20)));
  const term = await log.term();
  const leader = await leaderOf(log);
  await leader.stop("SIGKILL");
  await Promise.all(appenders.map((appender) => appender.more(20)));
  expect(await log.term()).not.toBe(term);
  leader.start();
  await leader.ready();
  await Promise.all(appenders.map((appender) => appender.more(20)));
  await Promise.all(appenders.map((appender) => appender.stop()));
  await checkLog(log, appenders);
  // A reader takes whole pages, whose ends nobody promises.
  const [followed, read] = await Promise.all([following, readEntries(log, 0, 100)]);
  const both = Math.min(followed.length, read.length);
  expect(both).toBeGreaterThanOrEqual(100);
  expect(followed.slice(0, both)).toEqual(read.slice(0, both));
  const head = await log.head();
  const batch = chainContents(head, ["in the old term"]);
  expect(await log.append({ ...batch, term })).toEqual({ appended: false, head, term: await log.term() });
  expect(await log.head()).toEqual(head);
  expect(await log.append({ ...batch, term: await log.term() })).toEqual(APPENDED);
});

test("with two of three nodes lost nothing is appended, the log says so, and it goes on when they are back", async () => {
  const log = await open();
  const appender = new Appender(log, "appender");
  await appender.more(20);
  const lost = cluster.nodes.slice(1);
  await Promise.all(lost.map((node) => node.stop("SIGKILL")));
  await until(() => log.unwritable() !== null, "the log says that it cannot be written");
  expect(log.unwritable()).toContain("NATS servers");
  const before = appender.acknowledged.length;
  for (const node of lost) node.start();
  await Promise.all(lost.map((node) => node.ready()));
  await appender.more(20);
  expect(appender.acknowledged.length).toBeGreaterThan(before);
  await until(() => log.unwritable() === null, "the log can be written again");
  await appender.stop();
  await checkLog(log, [appender]);
});

test("a log is opened while the JetStream of one node is off for want of room", async (context) => {
  const disks = [1, 2, 3].map(() => SmallDisk.mount(64, context));
  cluster = await startNatsCluster({ folders: disks.map(({ folder }) => folder) }, onTestFinished, context);
  config = cluster.log(randomUUID());
  const log = await open();
  const appender = new Appender(log, "appender");
  await appender.more(20);
  const place = cluster.nodes.indexOf(await leaderOf(log));
  disks[place]?.fill();
  await until(() => cluster.nodes[place]?.output.includes("DISABLED") === true, "its JetStream is off");
  await appender.more(20);
  await appender.stop();
  await checkLog(await open(), [appender]);
});

test("a crash of all nodes at once loses no acknowledged batch", async () => {
  const log = await open();
  const appender = new Appender(log, "appender");
  for (let round = 0; round < 2; round++) {
    await appender.more(30);
    await Promise.all(cluster.nodes.map((node) => node.stop("SIGKILL")));
    for (const node of cluster.nodes) node.start();
    await Promise.all(cluster.nodes.map((node) => node.ready()));
  }
  await appender.more(1);
  await appender.stop();
  await checkLog(log, [appender]);
});

test("a leader that stands still for an election and comes back forks nothing", async () => {
  const log = await open();
  const appender = new Appender(log, "appender");
  await appender.more(20);
  const term = await log.term();
  const leader = await leaderOf(log);
  leader.pause();
  await appender.more(20);
  leader.resume();
  await leader.ready();
  await appender.more(20);
  await appender.stop();
  expect(await log.term()).not.toBe(term);
  await checkLog(log, [appender]);
});

test("nodes that crash one after the other while several append lose and double nothing", async () => {
  const random = new Random(seed);
  const logs = await Promise.all([open(), open(), open()]);
  const appenders = logs.map((each, i) => new Appender(each, `appender ${i}`));
  for (let round = 0; round < 3; round++) {
    await Promise.all(appenders.map((appender) => appender.more(10)));
    const node = random.pick(cluster.nodes);
    await node.stop("SIGKILL");
    await appenders[0]?.more(random.below(5));
    node.start();
    await node.ready();
  }
  await Promise.all(appenders.map((appender) => appender.more(10)));
  await Promise.all(appenders.map((appender) => appender.stop()));
  for (const log of logs) await checkLog(log, appenders);
});
