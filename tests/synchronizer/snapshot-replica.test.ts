/** A replica that starts from a snapshot is the same as one that applied the whole log. */
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { ScanIndex } from "@callsign/scan";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { dayOf } from "../../packages/synchronizer/src/replica/days.ts";
import { scrubStreams } from "../../packages/synchronizer/src/scrub/scrub-streams.ts";
import { loadSnapshot } from "../../packages/synchronizer/src/snapshots/load-snapshot.ts";
import { exportParts } from "../../packages/synchronizer/src/snapshots/snapshot-parts.ts";
import { historyKind, stateKinds } from "../../packages/synchronizer/src/snapshots/snapshot-rows.ts";
import { MemberStreams, StreamPruned } from "../../packages/synchronizer/src/streams/member-streams.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { openReplica } from "../support/open-replica.ts";
import { walkRows } from "../support/walk-rows.ts";
import { appendAll, cutIntoBatches } from "./log-entries.ts";

const { log: golden } = readGoldenLog();
const MIDDLE = 400;
const log = new SqliteLog(":memory:", systemHost);
const single = new SqliteLog(":memory:", systemHost);

beforeAll(async () => {
  await appendAll(log, cutIntoBatches(golden, 50));
  await appendAll(single, cutIntoBatches(golden, 1));
});
afterAll(() => Promise.all([log.close(), single.close()]));

type Node = ReturnType<typeof open>;

function open(file = ":memory:", from = log) {
  const node = openReplica({ log: from, file }, (state) => ({
    streams: new MemberStreams(state, sha256),
    index: new ScanIndex(state),
  }));
  onTestFinished(() => node.close());
  return node;
}

function partsOf({ database, replica, streams, index }: Node): readonly string[] {
  const history = [streams, index].flatMap(({ historyTables }) => historyTables.map(historyKind));
  return [...exportParts(database, replica.state.head, [...stateKinds(), ...history])];
}

/** A replica's file that was made from the state of another. */
async function load(node: Node, change: (part: string) => string = (part) => part): Promise<string> {
  const parts = partsOf(node);
  const path = join(temporaryFolder(), "replica.db");
  const manifest = { network: "", head: node.replica.state.head, parts: parts.map(sha256) };
  await loadSnapshot({
    ...{ path, options: {}, hash: sha256, host: systemHost },
    source: { manifest, proof: undefined as never, part: async (number) => change(parts[number] as string) },
    openConsumers: (state) => [new MemberStreams(state, sha256), new ScanIndex(state)],
  });
  return path;
}

/** All rows of a table that replicas from the log and from a snapshot share, in any order. */
function rowsOf({ database }: Node, table: string, columns = "*"): readonly string[] {
  const rows = database.prepare(`select ${columns} from ${table}`).all();
  return rows.map((row) => Object.values(row).join(" ")).sort();
}

function busiestOf({ database }: Node): string {
  const select =
    "select n.name as member from stream_item i join stream_member n on n.id = i.member group by 1 order by count(*) desc limit 1";
  return String(database.prepare(select).get()?.["member"]);
}

async function halfway(): Promise<Node> {
  const node = open();
  await node.catchUp(MIDDLE);
  return node;
}

test("a snapshot has the same parts whatever pages a replica got", async () => {
  const [whole, alone] = [await halfway(), open(":memory:", single)];
  await alone.catchUp(whole.replica.state.head.sequence);
  expect(partsOf(alone)).toEqual(partsOf(whole));
  expect(partsOf(whole).join("").length).toBeGreaterThan(100_000);
});

test("a replica from a snapshot has the same state, goes on with the log, and gives the same snapshot later", async () => {
  const whole = await halfway();
  const loaded = open(await load(whole));
  expect(loaded.replica.state.head).toEqual(whole.replica.state.head);
  expect(loaded.replica.state.contractSum).toBe(whole.replica.state.contractSum);
  expect(partsOf(loaded)).toEqual(partsOf(whole));
  expect(await walkRows(loaded)).toBeGreaterThan(200);
  for (const node of [whole, loaded]) await node.catchUp();
  for (const node of [whole, loaded]) expect(await walkRows(node)).toBeGreaterThan(300);
  expect(loaded.replica.state.head).toEqual(whole.replica.state.head);
  expect(partsOf(loaded)).toEqual(partsOf(whole));
  // Scan answers from the same rows; only the order numbers of creation differ.
  expect(rowsOf(loaded, "name_entry", "name, expires_at, json")).toEqual(
    rowsOf(whole, "name_entry", "name, expires_at, json"),
  );
});

/** Without order numbers of creation, which differ between replicas, and the beginnings of streams and log, which follow from pruning. */
const COMPARED_COLUMNS: Readonly<Record<string, string | null>> = {
  current_contract: "contract_id, round, payload, created_at, tick",
  party_contract: "contract_id, kind, party, rank",
  name_entry: "name, expires_at, json",
  head: null,
  template: null,
  contract_body: null,
  contract_dictionary: null,
  key_frame: null,
  consumer_kind: "consumer, template",
  day: null,
  stream_item: null,
  stream_entry: null,
  stream_member: null,
  stream_start: null,
  stream_dictionary: null,
  // Snapshots do not have the history of updates and of contracts: it begins where the replica does.
  update_history: null,
  update_block: null,
  update_beginning: null,
  update_dictionary: null,
  acs_contract: null,
  acs_beginning: null,
  activity_update: null,
  activity_beginning: null,
  row_sum: null,
};

test("a replica from a snapshot has the rows of every table, also of the results of votes", async () => {
  const whole = open();
  await whole.catchUp();
  const loaded = open(await load(whole));
  const listed = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'";
  const tables = whole.database
    .prepare(listed)
    .all()
    .map(({ name }) => String(name));
  // The parts of both are compared above.
  const state = new Set(stateKinds().map(({ name }) => name));
  const compared = tables.filter((table) => !state.has(table) && COMPARED_COLUMNS[table] !== null);
  for (const table of compared) {
    const columns = COMPARED_COLUMNS[table] ?? "*";
    expect([table, rowsOf(loaded, table, columns)]).toEqual([table, rowsOf(whole, table, columns)]);
  }
  for (const table of [
    "vote_result",
    "minted_reward",
    "opened_round",
    "holding_snapshot",
    "name_change",
    "name_day",
  ])
    expect([table, rowsOf(whole, table).length > 0]).toEqual([table, true]);
});

test("streams of a replica from a snapshot begin where they ended, with the same digests behind", async () => {
  const whole = await halfway();
  const loaded = open(await load(whole));
  const members = rowsOf(whole, "stream_member", "name");
  expect(members.length).toBeGreaterThan(0);
  const ends = new Map(members.map((member) => [member, whole.streams.end(member)]));
  for (const node of [whole, loaded]) await node.catchUp();
  for (const [member, end] of ends) {
    expect(loaded.streams.start(member)).toEqual(end);
    expect(loaded.streams.end(member)).toEqual(whole.streams.end(member));
    expect(loaded.streams.page(member, end.offset, 1000)).toEqual(
      whole.streams.page(member, end.offset, 1000),
    );
    // The last item before is kept apart, for a member that has it and goes on behind it.
    const before = whole.streams.page(member, end.offset - 1, 10).map((item) => ({ ...item, cause: null }));
    const resumed = loaded.streams.page(member, end.offset - 1, 10).map((item) => ({ ...item, cause: null }));
    expect(resumed).toEqual(before);
    if (end.offset > 1) expect(() => loaded.streams.page(member, end.offset - 2, 10)).toThrow(StreamPruned);
  }
});

test("a part that is not what its hash says is not loaded", async () => {
  const whole = await halfway();
  await expect(load(whole, (part) => part.replace("a", "b"))).rejects.toThrow(
    "part 0 of the snapshot is not what its hash says",
  );
});

test("streams are pruned in small steps, and have all items from a record time on", async () => {
  const node = open();
  await node.catchUp();
  const member = busiestOf(node);
  const all = node.streams.page(member, 0, 1_000_000, 1e9);
  const timeOf = ({ body }: { readonly body: string }) => BigInt(JSON.parse(body).recordTime);
  const middle = timeOf(all[Math.floor(all.length / 2)] as { readonly body: string }) as Time;
  let steps = 1;
  while (node.streams.prune(middle, 3)) steps++;
  expect(steps).toBeGreaterThan(2);
  const start = node.streams.start(member);
  expect(start.offset).toBe(all.filter((item) => timeOf(item) < middle).length);
  expect(node.streams.page(member, start.offset, 1_000_000, 1e9)).toEqual(all.slice(start.offset));
  expect(node.streams.end(member).offset).toBe(all.length);
  expect(node.streams.page(member, start.offset - 1, 2)).toEqual(
    all.slice(start.offset - 1, start.offset + 1),
  );
  expect(() => node.streams.page(member, 0, 10)).toThrow(
    `item 1 of the stream was pruned, and item ${start.offset} is the first that is kept`,
  );
  const scrubbed = scrubStreams(node.replica.state, sha256);
  const signal = new AbortController().signal;
  for (let after: string | null = ""; after !== null; ) ({ after } = await scrubbed.check(after, signal));
});

test("a stream that lost all items goes on where it ended", async () => {
  const node = open();
  await node.catchUp(MIDDLE);
  const member = busiestOf(node);
  const end = node.streams.end(member);
  while (node.streams.prune(((dayOf(node.replica.state.head.recordTime) + 1n) * DAY) as Time));
  for (const table of ["stream_item", "stream_entry"]) expect(rowsOf(node, table)).toEqual([]);
  node.streams.reload();
  expect(node.streams.end(member)).toEqual(end);
  await node.catchUp();
  const whole = open();
  await whole.catchUp();
  expect(node.streams.end(member)).toEqual(whole.streams.end(member));
});
