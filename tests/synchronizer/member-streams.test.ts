import type { DatabaseSync } from "node:sqlite";
import { compressText, migrateDatabase, systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import type { StreamItem } from "../../packages/api/src/sequencer/stream-item.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { Transition } from "../../packages/ledger/src/transition/transition.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { type SimulatedMember, SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import { anyCommand } from "../../packages/ledger/testing/transition-fixture.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { openCheckedDictionaries } from "../../packages/synchronizer/src/replica/checked-dictionaries.ts";
import { scrubStreams } from "../../packages/synchronizer/src/scrub/scrub-streams.ts";
import { MadeEntry, makeEntry } from "../../packages/synchronizer/src/streams/made-entry.ts";
import {
  MemberStreams,
  STREAM_BEGIN,
  type StreamRow,
} from "../../packages/synchronizer/src/streams/member-streams.ts";
import {
  STREAM_DICTIONARIES,
  unpackEntries,
} from "../../packages/synchronizer/src/streams/packed-entries.ts";
import { StreamEntries } from "../../packages/synchronizer/src/streams/stream-entries.ts";
import type { StreamEntry } from "../../packages/synchronizer/src/streams/stream-entry.ts";
import { streamMigrations } from "../../packages/synchronizer/src/streams/stream-schema.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { newTransition } from "../golden-log/replay-digests.ts";
import { listStreamEntries } from "../support/stream-entries.ts";
import { walkRows } from "../support/walk-rows.ts";
import { expectedStream } from "./expected-stream.ts";
import { appendAll, cutIntoBatches } from "./log-entries.ts";
import { Oracle } from "./oracle.ts";
import { replicateLog } from "./replicate-log.ts";
import { simulatedLog } from "./simulated-log.ts";
import { openStreamReplica, type StreamReplica } from "./stream-replica.ts";

const ALL = 100_000;

async function replicate(
  entries: readonly LogEntry[],
  { batch = 100, transition = newTransition() }: { batch?: number; transition?: Transition } = {},
): Promise<StreamReplica> {
  return await replicateLog(entries, (log) => openStreamReplica({ log, transition }), { batch });
}

function listMembers(database: DatabaseSync): readonly { readonly id: string }[] {
  const rows = database.prepare("select id from member order by id").all();
  return rows.map((row) => ({ id: row["id"] as string }));
}

/** Witnesses are a set. */
function parseItem({ body }: StreamRow): StreamItem {
  const item = JSON.parse(body) as StreamItem;
  if (item.update === null) return item;
  const events = item.update.events.map((event) => ({ ...event, witnesses: event.witnesses.toSorted() }));
  return { ...item, update: { ...item.update, events } };
}

function listItems({ streams }: StreamReplica, { id }: SimulatedMember): readonly StreamItem[] {
  return streams.page(id, 0, ALL).map(parseItem);
}

describe("a member's stream", () => {
  test.each<[string, () => readonly LogEntry[]]>([
    ["the golden log", () => readGoldenLog().log],
    ["the world of seed 4", () => simulatedLog(4, 200)],
    ["the world of seed 9", () => simulatedLog(9, 200)],
  ])("holds what the member may see of %s and its own completions, and no more", async (_name, makeLog) => {
    const entries = makeLog();
    const node = await replicate(entries);
    const oracle = new Oracle();
    oracle.apply(entries);
    const svs = new Set(oracle.state.network?.svs);
    const members = oracle.members.filter((id) => !svs.has(id));
    let rejections = 0;
    for (const member of members) {
      const rows = node.streams.page(member, 0, ALL);
      const expected = expectedStream(oracle.outcomes, member);
      expect(rows.map(parseItem)).toEqual(expected.map(({ item }) => item));
      expect(rows.map(({ cause }) => cause)).toEqual(expected.map(({ cause }) => cause));
      rejections += rows.filter(({ cause }) => cause !== null).length;
    }
    // There was something to see, to be refused, and to be kept from others.
    expect(rejections).toBeGreaterThan(0);
    const submissions = oracle.outcomes.filter(({ completion }) => completion !== null);
    const completions = members.flatMap((id) =>
      node.streams.page(id, 0, ALL).filter((row) => parseItem(row).completion !== null),
    );
    expect(completions).toHaveLength(
      submissions.filter(({ completion }) => !svs.has(completion?.member ?? "")).length,
    );
  });

  test("numbers its items 1, 2, 3…, chains a digest through them, and shares entries with others", async () => {
    const node = await replicate(readGoldenLog().log);
    const oracle = new Oracle();
    oracle.apply(readGoldenLog().log);
    let items = 0;
    for (const member of oracle.members) {
      let digest = "0".repeat(64);
      const rows = node.streams.page(member, 0, ALL);
      for (const [i, row] of rows.entries()) {
        digest = sha256(`${digest}\n${i + 1}\n${row.body}`);
        expect(row).toMatchObject({ offset: i + 1, digest });
      }
      expect(node.streams.end(member)).toEqual({ offset: rows.length, digest });
      // Bodies that are no longer in memory are made of the kept entries.
      expect(new MemberStreams(node.replica.state, sha256).page(member, 0, ALL)).toEqual(rows);
      items += rows.length;
    }
    expect(items).toBeGreaterThan(100);
    const count = (what: string) =>
      Number(node.database.prepare(`select count(${what}) as count from stream_item`).get()?.["count"]);
    expect(count("*")).toBeGreaterThan(count("distinct entry"));
    expect(listStreamEntries(node.database)).toHaveLength(count("distinct entry"));
    const rows = node.database.prepare("select sequence from stream_entry").all();
    expect(rows.length).toBeLessThan(count("distinct entry") / 2);
  });

  test("is the same on every replica, however the log was cut", async () => {
    const { log: entries } = readGoldenLog();
    const rowsOf = async (batch: number) => {
      const { database } = await replicate(entries, { batch });
      const items = database.prepare("select * from stream_item order by rowid").all();
      return { items, entries: listStreamEntries(database) };
    };
    const whole = await rowsOf(entries.length);
    expect(await rowsOf(7)).toEqual(whole);
    expect(await rowsOf(64)).toEqual(whole);
  });

  test("is not kept for SVs, who read the log itself", async () => {
    const node = await replicate(readGoldenLog().log);
    const { network } = node.replica.state;
    expect(network?.svs).toHaveLength(4);
    for (const sv of network?.svs ?? []) {
      expect(node.streams.page(sv, 0, ALL)).toEqual([]);
      expect(node.streams.end(sv)).toEqual({ offset: 0, digest: "0".repeat(64) });
    }
  });

  test("comes in pages of any size, from any offset", async () => {
    const network = new SimulatedNetwork({ svs: 1 });
    const alice = network.registerMember("alice");
    for (let i = 0; i < 10; i++)
      network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
    const { streams } = await replicate(network.log);
    const whole = streams.page(alice.id, 0, ALL);
    // The party, and ten submissions.
    expect(whole.map(({ offset }) => offset)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    for (const limit of [1, 2, 3, 10, 11, 12]) {
      const rows: StreamRow[] = [];
      for (;;) {
        const page = streams.page(alice.id, rows.length, limit);
        expect(page.length).toBeLessThanOrEqual(limit);
        if (page.length === 0) break;
        rows.push(...page);
      }
      expect(rows).toEqual(whole);
    }
    expect(streams.page(alice.id, 11, 5)).toEqual([]);
    expect(streams.page("nobody", 0, 5)).toEqual([]);
  });

  test("comes in pages of few bytes, of which each has an item at least", async () => {
    const log = new SqliteLog(":memory:", systemHost);
    const { database, streams } = openStreamReplica({ log });
    onTestFinished(() => database.close());
    database.exec("insert into stream_member values (1, 'alice')");
    const entries = new StreamEntries(database);
    const insertItem = database.prepare("insert into stream_item values (1, ?, ?, x'', ?, null)");
    const insert = (offset: number, updateId: string, cause: string | null) => {
      const update = {
        updateId,
        ledgerTime: "0",
        events: [{ witnesses: ["a"], signatories: [], observers: [] }],
      };
      const entry = { recordTime: "0", completion: null, update, hosts: [["a", ["alice"]]], rehosted: [] };
      entries.add(new MadeEntry(offset, entry as unknown as StreamEntry));
      entries.save();
      insertItem.run(offset, offset, cause);
    };
    const sizes = [2, 1, 9, 3, 2, 0, 0].map((millions) => millions * 1_000_000);
    for (const [i, size] of sizes.entries()) insert(i + 1, "x".repeat(size), null);
    // Bytes, not characters; and the words of an error are bytes as well.
    insert(8, "é".repeat(1_500_000), "y".repeat(1_500_000));
    const counts: number[] = [];
    for (let after = 0; after < 8; ) {
      const page = streams.page("alice", after, ALL);
      expect(page.map(({ offset }) => offset)).toEqual(page.map((_, i) => after + i + 1));
      counts.push(page.length);
      after += page.length;
    }
    expect(counts).toEqual([2, 1, 1, 3, 1]);
  });
});

test("items of an earlier release, which had their bodies, are the same afterwards, and can be pruned", async () => {
  const first = await replicate(simulatedLog(4, 100));
  const items = listMembers(first.database).flatMap(({ id }) =>
    first.streams.page(id, 0, ALL, 1e9).map((item) => ({ id, ...item })),
  );
  expect(items.length).toBeGreaterThan(50);
  const { database } = first;
  // As the earlier release had them, in the order of the log.
  for (const table of ["stream_item", "stream_entry", "stream_member", "stream_start", "stream_dictionary"])
    database.exec(`drop table ${table}`);
  database.exec("delete from store_version where store = 'member-streams'");
  const earlier = { ...streamMigrations, migrations: streamMigrations.migrations.slice(0, -3) };
  migrateDatabase(database, earlier);
  const insert = database.prepare("insert into stream_item values (?, ?, ?, ?, ?, null)");
  const timeOf = ({ body }: StreamRow) => Number((JSON.parse(body) as StreamItem).recordTime);
  for (const item of items.toSorted((a, b) => timeOf(a) - timeOf(b) || a.offset - b.offset))
    insert.run(item.id, item.offset, item.digest, item.body, item.cause);
  const migrated = new MemberStreams(first.replica.state, sha256);
  const found = listMembers(database).flatMap(({ id }) =>
    migrated.page(id, 0, ALL, 1e9).map((item) => ({ id, ...item })),
  );
  expect(found).toEqual(items);
  const scrubbed = scrubStreams({ database, flush: () => undefined }, sha256);
  const { signal } = new AbortController();
  for (let after: string | null = ""; after !== null; ) ({ after } = await scrubbed.check(after, signal));
  const middle = timeOf(items[Math.floor(items.length / 2)] as StreamRow);
  while (migrated.prune(BigInt(middle) as Time, 10));
  for (const { id } of listMembers(database)) {
    const { offset } = migrated.start(id);
    const kept = items.filter((item) => item.id === id && item.offset > offset);
    expect(migrated.page(id, offset, ALL, 1e9)).toEqual(kept.map(({ id: _, ...item }) => item));
  }
});

test("entries of earlier releases, compressed alone or together, are read beside those that are packed", async () => {
  const { database, streams, replica } = await replicate(simulatedLog(4, 100));
  const list = (read: MemberStreams) => listMembers(database).map(({ id }) => read.page(id, 0, ALL, 1e9));
  const items = list(streams);
  const dictionaries = openCheckedDictionaries(database, STREAM_DICTIONARIES);
  const insert = database.prepare("insert or replace into stream_entry values (?, ?, ?)");
  const select = database.prepare("select sequence, record_time, packed from stream_entry order by sequence");
  const rows = select.all().map((row) => ({
    sequence: row["sequence"] as bigint,
    recordTime: row["record_time"] as bigint,
    bytes: row["packed"] as Uint8Array,
  }));
  expect(rows.length).toBeGreaterThan(2);
  for (const [i, { sequence, recordTime, bytes }] of rows.entries()) {
    const { text } = unpackEntries(dictionaries, bytes, sequence);
    if (i % 3 === 0) insert.run(sequence, recordTime, compressText(text));
    if (i % 3 !== 1) continue;
    for (const line of text.split("\n")) {
      const [, own = "", json = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
      const entry = JSON.parse(json) as StreamEntry;
      insert.run(BigInt(own), BigInt(entry.recordTime), compressText(json));
    }
  }
  const before = select.all();
  expect(list(new MemberStreams(replica.state, sha256))).toEqual(items);
  expect(select.all()).toEqual(before);
});

/** Each entry in a row of its own. */
function packAlone(database: DatabaseSync, lines: readonly string[]): void {
  database.exec("delete from stream_entry");
  const entries = new StreamEntries(database);
  for (const line of lines) {
    const [, sequence = "", text = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
    entries.add(new MadeEntry(Number(sequence), JSON.parse(text) as StreamEntry));
    entries.save();
  }
}

test.each([
  ["has changed", "update stream_dictionary set body = body || 'x'", /stream_dictionary has another check/],
  ["is gone", "delete from stream_dictionary", /the table stream_dictionary lacks a row/],
])("the scrub finds a dictionary of the streams that %s", async (_, sql, words) => {
  const { database, streams, replica } = await replicate(simulatedLog(4, 100));
  const walk = () => walkRows({ replica, index: streams }, { table: "stream_dictionary" });
  expect(await walk()).toBe(1);
  // Long rows are compressed without the dictionary.
  packAlone(database, listStreamEntries(database));
  const { check } = scrubStreams({ database, flush: () => undefined }, sha256);
  const scrub = () => check("", new AbortController().signal);
  expect(scrub).not.toThrow();
  database.exec(sql);
  await expect(walk()).rejects.toThrow(words);
  expect(scrub).toThrow(/cannot be read/);
});

test("the scrub reads the dictionary that is there, not one that was rolled back", async () => {
  const { database } = await replicate(simulatedLog(4, 100));
  const { check } = scrubStreams({ database, flush: () => undefined }, sha256);
  const { signal } = new AbortController();
  const first = check("", signal);
  const lines = listStreamEntries(database);
  database.exec("delete from stream_dictionary");
  // The other way round, another dictionary is made.
  packAlone(database, lines.toReversed());
  expect(check("", signal)).toEqual(first);
});

test("entries of a page that failed are kept once when it is applied again", async () => {
  const log = simulatedLog(4, 60);
  const whole = await replicate(log);
  const plain = newTransition();
  let isFailing = true;
  const transition: Transition = {
    apply: (entry, view) => {
      if (isFailing && entry.sequence === log.length) throw new Error("no room");
      return plain.apply(entry, view);
    },
  };
  const ordered = new SqliteLog(":memory:", systemHost);
  const node = openStreamReplica({ log: ordered, transition });
  onTestFinished(() => node.close());
  await appendAll(ordered, cutIntoBatches(log, log.length));
  await expect(node.catchUp()).rejects.toThrow("no room");
  isFailing = false;
  await node.catchUp();
  expect(listStreamEntries(node.database)).toEqual(listStreamEntries(whole.database));
  await ordered.close();
});

test("replicas of one process share an entry if they find the same hosts, and no other", () => {
  const network = new SimulatedNetwork({ svs: 1 });
  const alice = network.registerMember("alice");
  const outcome = network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
  const make = (...hosts: readonly string[]) => {
    const state = { network: null, findHosting: (party: PartyId) => ({ party, hosts, serial: 1n }) };
    const entry = makeEntry(outcome, [], state);
    const bodies = [...(entry?.members ?? [])].map((member) => {
      const { body } = entry?.itemFor(member, sha256, STREAM_BEGIN) ?? { body: "{}" };
      return [member, (JSON.parse(body) as StreamItem).update !== null];
    });
    return { entry, bodies };
  };
  const first = make(alice.id);
  expect(first.bodies).toEqual([[alice.id, true]]);
  expect(make(alice.id).entry).toBe(first.entry);
  // The submitter has its completion.
  expect(make("bob").bodies).toEqual([
    [alice.id, false],
    ["bob", true],
  ]);
});

test.each([
  [
    "a bit of an entry",
    "update stream_entry set packed = cast(substr(packed, 1, 40) || x'00' || substr(packed, 42) as blob)",
    /cannot be read/,
  ],
  [
    "a lost entry",
    "delete from stream_entry where sequence = (select max(sequence) from stream_entry)",
    /is missing/,
  ],
  ["a record time", "update stream_entry set record_time = record_time + 1", /another record time/],
  [
    "another entry",
    "update stream_item set entry = (select max(sequence) from stream_entry)",
    /not what its digest says/,
  ],
  ["a digest", "update stream_item set digest = zeroblob(32) where offset = 2", /not what its digest says/],
  ["a lost item", "delete from stream_item where offset = 2", /item 3 behind item 1/],
  ["a member's name", "update stream_member set name = name || 'x'", /not what its digest says/],
])("the scrub finds %s of a stream that has changed", async (_, sql, words) => {
  const network = new SimulatedNetwork({ svs: 1 });
  const alice = network.registerMember("alice");
  for (let i = 0; i < 4; i++)
    network.submit(alice, { actAs: [alice.party], commands: [anyCommand(alice.party)] });
  const { database } = await replicate(network.log);
  const scrub = () =>
    scrubStreams({ database, flush: () => undefined }, sha256).check("", new AbortController().signal);
  expect(scrub()).toEqual({ after: null, rows: 5 });
  database.exec(sql);
  expect(scrub).toThrow(words);
});

describe("the words of an error", () => {
  test("reach the member, but not the digest", async () => {
    const { log: entries } = readGoldenLog();
    const plain = newTransition();
    /** Another program version, which says the same in other words. */
    const reworded: Transition = {
      apply: (entry, view) => {
        const outcome = plain.apply(entry, view);
        const { verdict } = outcome;
        if (verdict.kind !== "rejected") return outcome;
        return { ...outcome, verdict: { ...verdict, error: { ...verdict.error, cause: "In other words" } } };
      },
    };
    const select = "select member, offset, digest, cause from stream_item";
    const [one, other] = [await replicate(entries), await replicate(entries, { transition: reworded })];
    expect(listStreamEntries(other.database)).toEqual(listStreamEntries(one.database));
    const first = one.database.prepare(select).all();
    const second = other.database.prepare(select).all();
    const withoutCause = (rows: typeof first) => rows.map(({ cause: _, ...row }) => row);
    expect(withoutCause(second)).toEqual(withoutCause(first));
    const causes = (rows: typeof first) => rows.map(({ cause }) => cause).filter((cause) => cause !== null);
    expect(causes(first).length).toBeGreaterThan(10);
    expect(causes(first)).not.toContain("In other words");
    expect(new Set(causes(second))).toEqual(new Set(["In other words"]));
  });
});

describe("hosting a party", () => {
  function setUp() {
    const network = new SimulatedNetwork({ svs: 1 });
    const [north, south, west] = ["north", "south", "west"].map((name) => network.registerMember(name)) as [
      SimulatedMember,
      SimulatedMember,
      SimulatedMember,
    ];
    const party = network.hostParty(north, "guest");
    let serial = 1n;
    /** Says who hosts the guest from now on. */
    const rehost = (...hosts: readonly SimulatedMember[]) => {
      serial += 1n;
      const value = { ...network.once(north.id), party, hosts: hosts.map(({ id }) => id), serial };
      const signers = new Set([north, ...hosts]);
      return network.append(
        { tag: "HostParty", value },
        [...signers].map(({ signingKey }) => signingKey),
      );
    };
    const act = (member: SimulatedMember, commandId: string) =>
      network.submit(member, { actAs: [party], commands: [anyCommand(party)], commandId });
    return { network, north, south, west, party, rehost, act };
  }

  test("is told to those who begin, go on and cease, and to nobody else", async () => {
    const { network, north, south, west, party, rehost } = setUp();
    const changes = [[north, south], [south], [west, north]] as const;
    for (const hosts of changes) expect(rehost(...hosts).verdict.kind).toBe("accepted");
    const node = await replicate(network.log);
    const told = (member: SimulatedMember) =>
      listItems(node, member).flatMap(({ hostings }) =>
        hostings.filter((each) => each.party === party).map(({ hosted }) => hosted),
      );
    expect(told(north)).toEqual([true, true, false, true]);
    expect(told(south)).toEqual([true, true, false]);
    expect(told(west)).toEqual([true]);
  });

  test("makes the difference between seeing a transaction and not, from the next entry on", async () => {
    const { network, north, south, west, rehost, act } = setUp();
    act(north, "one");
    rehost(north, south);
    act(south, "two");
    rehost(south);
    act(south, "three");
    const node = await replicate(network.log);
    const seen = (member: SimulatedMember) => listItems(node, member).filter(({ update }) => update !== null);
    expect(seen(north)).toHaveLength(2);
    expect(seen(south)).toHaveLength(2);
    expect(seen(west)).toEqual([]);
    const completed = (member: SimulatedMember) =>
      listItems(node, member).flatMap(({ completion }) => completion?.commandId ?? []);
    expect(completed(north)).toEqual(["one"]);
    expect(completed(south)).toEqual(["two", "three"]);
  });

  test("is not told when it is refused", async () => {
    const { network, north, south, rehost } = setUp();
    const before = await replicate(network.log);
    const count = (node: StreamReplica) => node.streams.end(north.id).offset;
    const offsetBefore = count(before);
    network.append(
      {
        tag: "HostParty",
        value: { ...network.once(north.id), party: north.party, hosts: [south.id], serial: 2n },
      },
      [north.signingKey],
    );
    expect(rehost().verdict.kind).toBe("rejected");
    expect(count(await replicate(network.log))).toBe(offsetBefore);
  });
});
