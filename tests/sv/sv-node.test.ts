/** An SV's node as a whole: it acts while its replica follows the log, and only then. */
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { type NetworkFounding, signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { LogBatch, LogPage, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { openReplica } from "../support/open-replica.ts";
import { identityNamed, openSvNode } from "../support/sv-nodes.ts";

const identity = identityNamed("sv1");

async function startNode(orderedLog: OrderedLog, dataFolder = temporaryFolder()): Promise<SvNode> {
  const node = await openSvNode({ dataFolder, identity, orderedLog });
  onTestFinished(() => node.close());
  return node;
}

async function found(node: SvNode, founding: Partial<NetworkFounding> = {}): Promise<void> {
  const envelope = signFounding({ svs: [{ identity }], movableClock: true, isDevNet: true, ...founding });
  await node.replica.reach(await node.submit(envelope), AbortSignal.timeout(60_000));
}

/** A log whose pages pass through a hand, and how often it was appended to. */
function through(log: OrderedLog, hand: (page: LogPage) => Promise<LogPage>) {
  let appends = 0;
  return {
    appends: () => appends,
    ...{ head: log.head, start: log.start, term: log.term, trim: log.trim, unwritable: log.unwritable },
    append: (batch: LogBatch) => {
      appends++;
      return log.append(batch);
    },
    close: log.close,
    follow: async function* (after: number, signal: AbortSignal) {
      for await (const page of log.follow(after, signal)) yield await hand(page);
    },
  };
}

/** Another copy of the SV goes on until the log has so many entries more. */
async function letAnotherWrite(log: OrderedLog, entries: number): Promise<void> {
  const other = await startNode(log);
  await other.replica.reach((await log.head()).sequence + entries, AbortSignal.timeout(60_000));
  await other.close();
}

/** Rounds that open several times a second. */
const SHORT_ROUNDS = { tickMicroseconds: 200_000n };

test("an SV whose replica has stopped writes nothing more", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  let damaged = false;
  const own = through(log, async (page) => {
    return damaged ? { ...page, entries: page.entries.map(() => "?") } : page;
  });
  const node = await startNode(own);
  await found(node, SHORT_ROUNDS);
  await node.replica.reach(5, AbortSignal.timeout(60_000));
  damaged = true;
  await expect.poll(() => node.failure()?.message, { timeout: 60_000 }).toContain("damaged");
  // An entry that was under way may still come.
  await letAnotherWrite(log, 3);
  const before = own.appends();
  await letAnotherWrite(log, 5);
  expect(own.appends()).toBe(before);
  await expect(node.moveClock(1n)).rejects.toThrow("damaged");
});

test("a replica that cannot write answers reads, is not ready, and goes on from the log when it can", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  const node = await startNode(log);
  await found(node, SHORT_ROUNDS);
  const { database } = node.replica.state;
  const statusOf = async (path: string) => (await fetch(`${node.scanUrl}/api/scan${path}`)).status;
  await expect.poll(() => statusOf("/readyz"), { timeout: 60_000 }).toBe(200);
  // SQLite gives the error of a full disk where the database must grow.
  database.exec("pragma max_page_count = 1");
  await expect.poll(() => node.failure()?.message, { timeout: 60_000 }).toContain("disk is full");
  await expect.poll(() => statusOf("/readyz"), { timeout: 60_000 }).toBe(503);
  expect(await statusOf("/v0/dso-party-id")).toBe(200);
  // The memory has nothing of the page that was rolled back; while it is tried again, the memory is ahead for a moment.
  const head = database.prepare("select sequence from head");
  const ahead = () => node.replica.state.head.sequence - Number(head.get()?.["sequence"]);
  await expect.poll(ahead).toBe(0);
  // Nobody acts on a state that does not follow the log.
  const { sequence } = await log.head();
  expect((await fetch(`${node.appUrl}/api/sv/v0/dso`)).status).toBe(503);
  await expect(node.moveClock(1n)).rejects.toThrow("cannot be written");
  expect((await log.head()).sequence).toBe(sequence);
  database.exec("pragma max_page_count = 1000000");
  await node.replica.reach(sequence + 3, AbortSignal.timeout(60_000));
  await expect.poll(() => statusOf("/readyz"), { timeout: 60_000 }).toBe(200);
  expect(node.failure()).toBeNull();
  await node.close();
  const other = openReplica({ log }, () => ({}));
  const heads: object[] = [];
  other.replica.onApplied((outcomes) => heads.push(...outcomes.map(({ head }) => head)));
  await other.catchUp();
  expect(heads).toContainEqual(node.replica.state.head);
});

test("an SV catches up with the log before it acts", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  const folder = temporaryFolder();
  const first = await startNode(log, folder);
  await found(first, SHORT_ROUNDS);
  await first.close();
  await letAnotherWrite(log, 3);
  const { sequence: end } = await log.head();
  const released = Promise.withResolvers<void>();
  const own = through(log, async (page) => {
    if (page.head.sequence >= end) await released.promise;
    return page;
  });
  const second = await startNode(own, folder);
  await letAnotherWrite(log, 3);
  expect(own.appends()).toBe(0);
  released.resolve();
  await second.replica.reach((await log.head()).sequence + 2, AbortSignal.timeout(60_000));
  expect(own.appends()).toBeGreaterThan(0);
});

test("a move of the clock that is refused says why", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  const node = await startNode(log);
  await found(node, { movableClock: false });
  await expect(node.moveClock(1_000_000n)).rejects.toThrow("a clock that cannot be moved");
});

test("a listener of the replica that throws does not stop it", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  const node = await startNode(log);
  node.replica.onApplied(() => {
    throw new Error("disk I/O error");
  });
  await found(node);
  await node.moveClock(1_000_000n);
  expect(node.failure()).toBeNull();
});
