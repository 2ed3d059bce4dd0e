import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { systemHost, type Timers } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import type { Network } from "../../packages/ledger/src/transition/ledger-view.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { COMMIT_ENTRIES, COMMIT_MILLISECONDS } from "../../packages/synchronizer/src/limits/limits.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import type { Replica } from "../../packages/synchronizer/src/replica/replica.ts";
import { scrubContracts } from "../../packages/synchronizer/src/scrub/scrub-contracts.ts";
import type { ScrubbedPage, ScrubPart } from "../../packages/synchronizer/src/scrub/scrub-part.ts";
import { scrubStreams } from "../../packages/synchronizer/src/scrub/scrub-streams.ts";
import { MemberState } from "../../packages/synchronizer/src/streams/member-state.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { Journal } from "./journal.ts";
import { cutIntoBatches } from "./log-entries.ts";
import { Oracle } from "./oracle.ts";
import { committedIn, openStreamReplica } from "./stream-replica.ts";

const { log: golden } = readGoldenLog();
const batches = cutIntoBatches(golden, 40);
const never = new AbortController().signal;

/** Timers of which the one for a commit fires when the test says so. */
function heldTimers() {
  const held = new Set<() => void>();
  const timers: Timers = {
    ...systemHost.timers,
    set: (callback, milliseconds) => {
      if (milliseconds !== COMMIT_MILLISECONDS) return systemHost.timers.set(callback, milliseconds);
      held.add(callback);
      return callback as never;
    },
    clear: (timer) => {
      if (!held.delete(timer as never)) systemHost.timers.clear(timer);
    },
  };
  const fire = () => {
    const callbacks = [...held];
    held.clear();
    for (const callback of callbacks) callback();
  };
  return { timers, fire, count: () => held.size };
}

type Faults = (database: DatabaseSync) => ReplicaConsumer["absorb"];

function setUp(faults: Faults = () => () => undefined) {
  const folder = temporaryFolder();
  const file = join(folder, "replica.db");
  const log = new SqliteLog(join(folder, "log.db"), systemHost);
  onTestFinished(() => log.close());
  const held = heldTimers();
  const consumers = (database: DatabaseSync) => ({
    journal: new Journal(database),
    fault: { name: "fault", kinds: [], absorb: faults(database), reload: () => undefined },
  });
  const open = () => openStreamReplica({ log, file, sharedCommits: true, timers: held.timers }, consumers);
  const committed = () => committedIn(file);
  const append = async (from: number, to: number) => {
    for (const batch of batches.slice(from, to)) await log.append(batch);
  };
  return { held, open, committed, append };
}

/** A replica that follows the log until it is stopped. */
function start(world: ReturnType<typeof setUp>) {
  const node = world.open();
  const stopping = new AbortController();
  const running = node.replica.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
    node.close();
  };
  return { node, stop };
}

/** Appends batches one after the other, each when the one before it is applied. */
async function applyOneByOne(
  { append }: Pick<ReturnType<typeof setUp>, "append">,
  { replica }: ReturnType<ReturnType<typeof setUp>["open"]>,
  last: number,
): Promise<void> {
  for (let i = 0; i < last; i++) {
    await append(i, i + 1);
    await replica.reach(batches[i]?.head.sequence ?? 0, never);
  }
}

test("pages of a moment are applied and told at once, and committed together", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 3);
  expect(node.replica.state.head.sequence).toBe(120);
  expect(world.committed()).toBe(0);
  expect(world.held.count()).toBe(1);
  world.held.fire();
  expect(world.committed()).toBe(120);
  expect(node.database.isTransaction).toBe(false);
  await stop();
});

test("contracts that come and go between two commits are never written", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  node.database.exec(`
    create temp table written (contract_id text);
    create temp trigger note_written after insert on contract begin insert into written values (new.contract_id); end;
  `);
  await applyOneByOne(world, node, 4);
  const { state, outcomes } = Oracle.behind(golden, 160);
  const ended = outcomes.flatMap(({ archived }) => archived);
  expect(ended.length).toBeGreaterThan(0);
  world.held.fire();
  const written = node.database.prepare("select contract_id from written order by contract_id").all();
  expect(written.map((row) => row["contract_id"])).toEqual([...state.contracts.keys()].sort());
  await stop();
});

/** The number of contracts that a reader sees. */
const READERS: readonly (readonly [string, (replica: Replica) => number | Promise<number>])[] = [
  ["the scrub", (replica) => scrubWhole(scrubContracts(replica, sha256))],
  ["a count", ({ state }) => state.countContracts()],
];

/** The number of rows. Throws at one that is not what it should be. */
async function scrubWhole({ check }: ScrubPart): Promise<number> {
  let total = 0;
  for (let after: string | null = ""; after !== null; ) {
    const page: ScrubbedPage = await check(after, never);
    total += page.rows;
    ({ after } = page);
  }
  return total;
}

test.each(READERS)("%s sees contracts that have not been committed", async (_reader, count) => {
  const world = setUp();
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 4);
  expect(await count(node.replica)).toBe(Oracle.behind(golden, 160).state.contracts.size);
  expect(world.committed()).toBe(0);
  await stop();
});

test("the scrub of streams reads entries that have not been committed", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 3);
  const items = Oracle.behind(golden, 120).members.map((member) => node.streams.end(member).offset);
  expect(await scrubWhole(scrubStreams(node.replica.state, sha256))).toBe(items.reduce((a, b) => a + b));
  expect(world.committed()).toBe(0);
  await stop();
});

test("a member that joins gets contracts that have not been committed", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 4);
  const { state, outcomes } = Oracle.behind(golden, 160);
  const { dso, svs } = state.network as Network;
  const ofDso = outcomes
    .flatMap(({ created }) => created)
    .filter(
      ({ signatories, contract }) => signatories.includes(dso) && state.contracts.has(contract.contractId),
    );
  const memberState = new MemberState(node.database, node.replica.state);
  const listed = memberState
    .listContracts(svs[0] as string, "")
    .contracts.map(({ contractId }) => contractId);
  expect(ofDso.length).toBeGreaterThan(0);
  expect(listed).toEqual(expect.arrayContaining(ofDso.map(({ contract }) => contract.contractId)));
  expect(world.committed()).toBe(0);
  await stop();
});

test("nothing stays open behind the last page, nor when the replica stops", async () => {
  const world = setUp();
  const node = world.open();
  await world.append(0, 2);
  await node.catchUp();
  expect(world.committed()).toBe(80);
  expect(world.held.count()).toBe(0);
  node.close();
});

test("many entries are committed without waiting", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  const pages = Math.ceil(COMMIT_ENTRIES / 40);
  await applyOneByOne(world, node, pages);
  expect(world.committed()).toBe(pages * 40);
  await stop();
});

test("a replica that ends with a transaction open applies its entries again, exactly once each", async () => {
  const world = setUp();
  const first = world.open();
  const running = first.replica.run(never);
  await applyOneByOne(world, first, 2);
  first.close();
  const again = world.open();
  expect(again.replica.state.head.sequence).toBe(0);
  await again.catchUp();
  Oracle.behind(golden, 80).compare(again.replica.state);
  expect(again.journal.list().map(({ sequence }) => sequence)).toEqual(
    golden.slice(0, 80).map(({ sequence }) => sequence),
  );
  again.close();
  void running.catch(() => undefined);
});

/** A consumer that fails at that entry, so many times. */
function failingAt(sequence: number, times: number): Faults {
  let left = times;
  return () =>
    (_change, { head }) => {
      if (left === 0 || head.sequence !== sequence) return;
      left--;
      throw new Error("the consumer has failed");
    };
}

test("a page that fails leaves the pages before it, which shared its transaction", async () => {
  // The log hands out pages of 50: behind the first failure a part of the page is sound.
  const world = setUp(failingAt(75, 3));
  const node = world.open();
  const told: number[] = [];
  node.replica.onApplied((outcomes) => told.push(outcomes.at(-1)?.head.sequence ?? 0));
  const running = node.replica.run(never);
  const rejected = expect(running).rejects.toThrow("the consumer has failed");
  await applyOneByOne(world, node, 1);
  expect(world.committed()).toBe(0);
  await world.append(1, 2);
  await rejected;
  Oracle.behind(golden, 50).compare(node.replica.state);
  expect(world.committed()).toBe(50);
  expect(told).toEqual([40, 40, 50, 50]);
  await node.catchUp();
  Oracle.behind(golden, 80).compare(node.replica.state);
  expect(node.journal.list()).toHaveLength(80);
  node.close();
});

test("a page that fails once is applied again with those before it, and pages share transactions again behind it", async () => {
  const world = setUp(failingAt(115, 1));
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 3);
  expect(world.committed()).toBe(80);
  await world.append(3, 4);
  await node.replica.reach(160, never);
  expect(world.committed()).toBe(80);
  world.held.fire();
  expect(world.committed()).toBe(160);
  Oracle.behind(golden, 160).compare(node.replica.state);
  expect(node.journal.list()).toHaveLength(160);
  await stop();
});

test("rows that wait for the commit are there when the tables are about to be read", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 2);
  const read = () => Number(node.database.prepare("select sequence from head").get()?.["sequence"] ?? 0);
  expect(read()).toBe(0);
  node.replica.state.flush();
  expect([read(), world.committed()]).toEqual([80, 0]);
  world.held.fire();
  expect(world.committed()).toBe(80);
  // No transaction is open: there is nothing to write.
  node.replica.state.flush();
  await stop();
});

test("a commit that fails by itself ends the run, and the next one goes on from the rows", async () => {
  let isFaulty = true;
  const world = setUp((database) => {
    database.exec(
      "create table whole (id integer primary key);" +
        "create table part (id integer references whole deferrable initially deferred)",
    );
    return (_change, { head }) => {
      if (isFaulty && head.sequence === 75) database.exec("insert into part values (1)");
    };
  });
  const node = world.open();
  const running = node.replica.run(never);
  const rejected = expect(running).rejects.toThrow("FOREIGN KEY");
  await applyOneByOne(world, node, 2);
  world.held.fire();
  await rejected;
  expect(node.database.isTransaction).toBe(false);
  Oracle.behind(golden, 0).compare(node.replica.state);
  isFaulty = false;
  await node.catchUp();
  Oracle.behind(golden, 80).compare(node.replica.state);
  expect(world.committed()).toBe(80);
  node.close();
});

test("pages whose transaction was ended from outside are applied again with the next page", async () => {
  const world = setUp();
  const { node, stop } = start(world);
  await applyOneByOne(world, node, 2);
  // As a statement does that meets a full disk.
  node.database.exec("rollback");
  await world.append(2, 3);
  await node.replica.reach(120, never);
  await stop();
  const again = world.open();
  Oracle.behind(golden, 120).compare(again.replica.state);
  expect(again.journal.list()).toHaveLength(120);
  again.close();
});

test("a transaction that was ended from outside ends the run at its commit, and the next one goes on from the rows", async () => {
  const world = setUp();
  const node = world.open();
  const running = node.replica.run(never);
  const rejected = expect(running).rejects.toThrow("a transaction has ended before its commit");
  await applyOneByOne(world, node, 2);
  node.database.exec("rollback");
  world.held.fire();
  await rejected;
  Oracle.behind(golden, 0).compare(node.replica.state);
  await node.catchUp();
  Oracle.behind(golden, 80).compare(node.replica.state);
  expect(world.committed()).toBe(80);
  node.close();
});

test("whoever waits for a day finds its first entry committed", async () => {
  const world = setUp();
  const node = world.open();
  const days: number[] = [];
  node.replica.onDay((outcomes) => {
    days.push(outcomes.at(-1)?.head.sequence ?? 0);
    expect(node.database.isTransaction).toBe(false);
    expect(world.committed()).toBe(days.at(-1));
  });
  await world.append(0, batches.length);
  await node.catchUp();
  expect(days.length).toBeGreaterThan(1);
  node.close();
});
