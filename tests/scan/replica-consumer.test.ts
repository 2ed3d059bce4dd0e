import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { ScanIndex } from "../../packages/scan/src/rows/scan-index.ts";
import type { ReplicaConsumer } from "../../packages/synchronizer/src/replica/consumer.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { NameWorld, ScannedWorld, shown } from "./name-world.ts";
import { NetworkLog, openScanReplica } from "./scan-replica.ts";

const NAME = "alice.unverified.cns";

/** Everything that a client could ask for here. */
function answersOf(index: ScanIndex, parties: readonly PartyId[]) {
  const { names, now, network, state, contracts, openedRounds } = index;
  return {
    position: { sequence: state.head.sequence, now, network },
    byName: [NAME, "bob.unverified.cns", "dso.cns", "sv-3.sv.cns"].map((name) => names.findByName(name, now)),
    byParty: parties.map((party) => names.findByParty(party, now)),
    list: names.listByPrefix("", now, 1000),
    rules: contracts.list(DsoRules),
    rounds: contracts.list(OpenMiningRound),
    tick: contracts.findShortestTick(),
    config: openedRounds.findLatestConfig(now),
  };
}

function dump(database: DatabaseSync): unknown {
  const tables = ["name_entry", "current_contract", "opened_round", "head"];
  return tables.map((table) => database.prepare(`select * from ${table}`).all());
}

test("a name enters the index in the transaction of its entry", async () => {
  const seen: string[] = [];
  const world = new ScannedWorld({
    consumers: (index) => ({
      outsider: {
        name: "outsider",
        kinds: [],
        absorbsBySlice: true,
        absorb: (_change, { head }) => {
          const inside = index.names.findByName(NAME, head.recordTime).kind;
          const outside = readOutside(join(world.folder, "replica.db"), NAME);
          seen.push(`${inside}, ${outside.names} for others at ${outside.sequence}`);
        },
        reload: () => undefined,
      },
    }),
  });
  const alice = world.wallet("alice");
  world.pay(alice, { name: NAME });
  await world.scan();
  const before = world.network.log.length;
  expect(seen.at(-1)).toMatch("not-found, 0 for others");
  seen.length = 0;
  for (const decision of world.dso.decideInitialPayments()) world.dso.carryOut(decision);
  await world.scan();
  expect(seen.at(-1)).toBe(`found, 0 for others at ${before}`);
  const after = readOutside(join(world.folder, "replica.db"), NAME);
  expect(after).toEqual({ names: 1, sequence: world.network.log.length });
});

/** The rows as another process sees them. */
function readOutside(path: string, name: string): { names: number; sequence: number } {
  const other = new DatabaseSync(path, { readOnly: true });
  const names = other.prepare("select count(*) as names from name_entry where name = ?").get(name);
  const position = other.prepare("select sequence from head").get();
  other.close();
  return { names: Number(names?.["names"]), sequence: Number(position?.["sequence"] ?? 0) };
}

test("a rolled-back page leaves nothing in memory, and the next attempt applies it", async () => {
  let isFailing = false;
  const failing: ReplicaConsumer = {
    name: "failing",
    kinds: [],
    absorb: (_change, { head }) => {
      if (isFailing && head.sequence === world.network.log.length) throw new Error("the disk is full");
    },
    reload: () => undefined,
  };
  const world = new ScannedWorld({ consumers: () => ({ failing }) });
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  const parties = [alice.party, bob.party, world.network.dso];
  world.buy(alice, { name: NAME });
  const { index } = await world.scan();
  const before = answersOf(index, parties);
  world.network.advance(61n * DAY);
  world.renew(alice);
  world.buy(bob, { name: "bob.unverified.cns" });
  isFailing = true;
  await expect(world.scan()).rejects.toThrow("the disk is full");
  expect(answersOf(index, parties)).toEqual(before);
  isFailing = false;
  await world.node.catchUp();
  const after = answersOf(index, parties);
  expect(after.position.sequence).toBe(world.network.log.length);
  expect(after.byName.map(({ kind }) => kind)).toEqual(["found", "found", "found", "found"]);
  expect(after.byName[0]).not.toEqual(before.byName[0]);
});

test("scan resumes after a restart where its rows stand", async () => {
  const world = new NameWorld();
  const folder = temporaryFolder();
  const log = new NetworkLog(join(folder, "log.db"), world.network);
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  const parties = [alice.party, bob.party];
  world.buy(alice, { name: NAME });
  await log.append();
  const first = openScanReplica(log.log, join(folder, "replica.db"));
  await first.catchUp();
  const before = answersOf(first.index, parties);
  first.close();
  const second = openScanReplica(log.log, join(folder, "replica.db"));
  expect(answersOf(second.index, parties)).toEqual(before);
  world.buy(bob, { name: "bob.unverified.cns" });
  await log.append();
  await second.catchUp();
  const { names, now, state } = second.index;
  expect(shown(names.findByName("bob.unverified.cns", now))).toMatchObject({ user: bob.party });
  expect(state.head.sequence).toBe(world.network.log.length);
  second.close();
  await log.close();
});

test("four replicas give equal answers and have equal rows, however the log reached them", async () => {
  const world = new NameWorld();
  const folder = temporaryFolder();
  const log = new NetworkLog(join(folder, "log.db"), world.network);
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  world.buy(alice, { name: NAME });
  world.buy(bob, { name: "bob.unverified.cns" });
  world.network.advance(61n * DAY);
  world.renew(alice);
  world.network.advance(40n * DAY);
  world.dso.settle();
  const nodes = [1, 2, 3, 4].map((i) => {
    return openScanReplica(log.log, join(folder, `replica-${i}.db`), { cachedNames: i === 4 ? 0 : 100 });
  });
  const ends = [1, 2, 10, 30, world.network.log.length];
  for (const [i, end] of ends.entries()) {
    await log.append(end);
    for (const node of nodes.slice(0, i)) {
      await node.catchUp();
      node.index.names.findByName(NAME, node.index.now);
    }
  }
  const [first, ...others] = nodes.map(({ index }) => answersOf(index, [alice.party, bob.party]));
  expect(first?.byName.map(({ kind }) => kind)).toEqual(["found", "not-found", "found", "found"]);
  for (const other of others) expect(other).toEqual(first);
  const [rows, ...otherRows] = nodes.map(({ database }) => dump(database));
  for (const other of otherRows) expect(other).toEqual(rows);
  for (const node of nodes) node.close();
  await log.close();
});

test("a reader of the same file, which may not write, answers what was committed when it reloads", async () => {
  const world = new ScannedWorld();
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  const parties = [alice.party, bob.party];
  world.buy(alice, { name: NAME });
  const { index } = await world.scan();
  const file = new DatabaseSync(join(world.folder, "replica.db"), { readOnly: true, readBigInts: true });
  const state = new SqliteState(file);
  const reader = new ScanIndex(state);
  expect(answersOf(reader, parties)).toEqual(answersOf(index, parties));
  world.network.advance(61n * DAY);
  world.renew(alice);
  world.buy(bob, { name: "bob.unverified.cns" });
  await world.scan();
  state.reload();
  reader.reload();
  expect(answersOf(reader, parties)).toEqual(answersOf(index, parties));
  file.close();
});
