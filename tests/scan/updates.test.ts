// The history of updates: whole, in order, as the DSO sees it, and small.

import { join } from "node:path";
import type { UpdateV1, UpdateV2 } from "@callsign/api";
import { createCommand } from "@callsign/ledger";
import { beforeAll, describe, expect, test } from "vitest";
import { RenewalPreference } from "../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import type { Time } from "../../packages/ledger/src/values/time.ts";
import { makeDictionary, packText } from "../../packages/node/src/packing/packed-text.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { DICTIONARIES } from "../../packages/scan/src/rows/update-dictionaries.ts";
import { UPDATES } from "../../packages/scan/src/rows/update-rows.ts";
import { CheckedRows } from "../../packages/synchronizer/src/replica/checked-rows.ts";
import { listUpdateTexts } from "../support/update-texts.ts";
import { ScannedWorld } from "./name-world.ts";
import { FORMER_INDEX, openScanReplica } from "./scan-replica.ts";
import { ServedWorld } from "./served-world.ts";

const atEnd = atEndOfFile();
const outcomes: Outcome[] = [];
let world: ServedWorld;
let all: readonly UpdateV2[];
let secret: string;

beforeAll(async () => {
  world = await ServedWorld.start({ observe: (_, outcome) => outcomes.push(outcome) }, atEnd);
  const wallet = world.wallet("alice");
  for (const name of ["one.unverified.cns", "two.unverified.cns"])
    world.buy(wallet, { name, url: "https://example.com", description: "Grüße" });
  secret = hide();
  await world.scan();
  all = await list({ page_size: 1000 });
});

/** A contract that no party but the wallet's has a stake in. */
function hide(): string {
  const { party } = world.wallet("bob");
  const [request] = outcomes.flatMap(({ created }) => created);
  const reference = request?.contract.contractId as never;
  const payload = { subscriber: party, walletProvider: party, reference, autoRenew: false };
  const outcome = world.network.submit(world.validator, {
    actAs: [party],
    commands: [createCommand(RenewalPreference, payload)],
  });
  return outcome.created[0]?.contract.contractId ?? "";
}

async function list(body: object): Promise<readonly UpdateV2[]> {
  const answer = await world.postJson("/api/scan/v2/updates", body);
  expect(answer.status).toBe(200);
  return (answer.body as { transactions: UpdateV2[] }).transactions;
}

const afterOf = ({ migration_id, record_time }: UpdateV2) => ({
  after_migration_id: migration_id,
  after_record_time: record_time,
});

describe("the history of updates", () => {
  test("comes in pages that together are the whole, in the order of record times", async () => {
    const pages: UpdateV2[] = [];
    let page = await list({ page_size: 7 });
    while (page.length > 0) {
      pages.push(...page);
      page = await list({ page_size: 7, after: afterOf(pages.at(-1) as UpdateV2) });
    }
    expect(pages).toEqual(all);
    expect(all.length).toBeGreaterThan(15);
    const times = all.map(({ record_time }) => record_time);
    expect(times).toEqual([...times].sort());
    for (const time of times) expect(time).toMatch(/\.\d{6}Z$/);
  });

  test("leaves the very contracts active that the ledger's outcomes leave the DSO", () => {
    const { dso } = world.network;
    const ledger = new Set<string>();
    for (const { created, archived } of outcomes) {
      for (const { contractId } of archived) ledger.delete(contractId);
      for (const { contract, signatories, observers } of created)
        if ([...signatories, ...observers].includes(dso)) ledger.add(contract.contractId);
    }
    const events = all.flatMap(({ events_by_id }) => Object.values(events_by_id));
    const consumed = events.filter((event) => event.event_type === "exercised_event" && event.consuming);
    const gone = new Set(consumed.map(({ contract_id }) => contract_id));
    const held = events.filter(
      (event) =>
        event.event_type === "created_event" && [...event.signatories, ...event.observers].includes(dso),
    );
    const shown = new Set(held.map(({ contract_id }) => contract_id).filter((id) => !gone.has(id)));
    expect([...shown].sort()).toEqual([...ledger].sort());
    expect(shown.size).toBeGreaterThan(10);
  });

  test("has trees whose events are all reached from the roots, numbered without gaps, children behind parents", () => {
    for (const { update_id, root_event_ids, events_by_id } of all) {
      const reached: string[] = [];
      const visit = (id: string) => {
        reached.push(id);
        const event = events_by_id[id];
        if (event?.event_type === "exercised_event") event.child_event_ids.forEach(visit);
      };
      root_event_ids.forEach(visit);
      expect(reached).toEqual(reached.map((_, i) => `${update_id}:${i}`));
      expect(Object.keys(events_by_id)).toEqual([...reached].sort());
      for (const [id, event] of Object.entries(events_by_id)) expect(event.event_id).toBe(id);
    }
  });

  test("shows nothing of what the DSO has no part in", () => {
    expect(secret).toMatch(/^00[0-9a-f]+$/);
    expect(JSON.stringify(all).includes(secret)).toBe(false);
  });

  test("shows values in the words of Java's decimals and instants", () => {
    const entry = all
      .flatMap(({ events_by_id }) => Object.values(events_by_id))
      .find(({ template_id }) => template_id.endsWith(":AnsEntry"));
    expect(entry).toMatchObject({
      event_type: "created_event",
      package_name: "splice-amulet-name-service",
      create_arguments: { name: "one.unverified.cns", description: "Grüße", url: "https://example.com" },
    });
    const text = JSON.stringify(all);
    expect(text.includes('"initialAmount":"200.0000000000"')).toBe(true);
    expect(text.includes('"initialRate":"0E-10"')).toBe(true);
  });

  test("is empty after a later migration, and whole after an earlier one", async () => {
    const [first] = all as [UpdateV2];
    const behind = (migration: number) => ({ ...afterOf(first), after_migration_id: migration });
    expect(await list({ page_size: 10, after: behind(1) })).toEqual([]);
    expect(await list({ page_size: 1, after: behind(-1) })).toEqual([first]);
    expect(await list({ page_size: 1, after: behind(0) })).toEqual([all[1]]);
  });
});

describe("one update", () => {
  test("is found by its id in every form, and as an event", async () => {
    const update = all.at(-1) as UpdateV2;
    const { update_id } = update;
    const get = async (path: string) => (await world.getJson(`/api/scan${path}/${update_id}`)).body;
    expect(await get("/v2/updates")).toEqual(update);
    expect(await get("/v1/updates")).toEqual({ ...update, offset: "000000000000000001" });
    const first = (await get("/v0/updates")) as UpdateV1;
    expect(first.root_event_ids[0]).toBe(`#${update_id}:0`);
    expect(first.offset).toMatch(/^00[0-9a-f]{16}$/);
    const event = { update, verdict: null, traffic_summary: null, app_activity_records: null };
    expect(await get("/v0/events")).toEqual(event);
    const events = await world.postJson("/api/scan/v0/events", { page_size: 1 });
    expect(events.body).toEqual({ events: [{ ...event, update: all[0] }] });
    const { headers } = await world.get(`/api/scan/v1/updates/${update_id}`);
    expect(headers.get("deprecation")).toMatch(/^@\d+$/);
  });

  test.each([
    ["/v2/updates/ab", "Transaction with id ab not found"],
    [`/v2/updates/1220${"0".repeat(64)}`, `Transaction with id 1220${"0".repeat(64)} not found`],
    ["/v2/updates/hash/ab", "Transaction with hash ab not found"],
    ["/v0/events/ab", "Event with id ab not found"],
  ])("that is unknown is 404: %s", async (path, error) => {
    expect(await world.getJson(`/api/scan${path}`)).toEqual({ status: 404, body: { error } });
  });
});

test.each([
  [{ page_size: 0 }, 400, "Limit must be at least 1."],
  [{ page_size: 1001 }, 400, "Exceeded limit maximum (1001 > 1000)."],
  [{ page_size: 1, after: { after_migration_id: 0, after_record_time: "x" } }, 400, "Invalid timestamp: "],
  [{ page_size: 1, daml_value_encoding: "protobuf_json" }, 501, "Instead, ask for compact_json."],
])("a request of %j is refused with %i", async (body, status, error) => {
  const answer = await world.postJson("/api/scan/v2/updates", body);
  expect(answer).toEqual({ status, body: { error: expect.stringContaining(error) } });
});

test("an index that began in the middle of the log says so, and finds the updates that it has", async () => {
  const path = join(world.folder, "old.db");
  const old = openScanReplica(world.log.log, path);
  await old.catchUp();
  expect(old.index.updates.isComplete()).toBe(true);
  old.database.exec(FORMER_INDEX);
  old.close();
  world.wallet("carol");
  world.buy(world.wallet("dave"), { name: "dave.unverified.cns" });
  await world.scan();
  const again = openScanReplica(world.log.log, path);
  await again.catchUp();
  expect(again.index.updates.isComplete()).toBe(false);
  const last = again.index.updates.findAt(again.index.updates.findEnds()?.last as Time);
  expect(world.node.index.updates.find(last?.updateId ?? "")).toEqual(last);
  expect(again.index.updates.find((all[0] as UpdateV2).update_id)).toBeUndefined();
  again.close();
});

describe("texts of updates", () => {
  const everything = { after: -(2n ** 63n), until: 2n ** 62n, limit: 100_000 };

  test("share blocks, and are read one by one, in order and by their ids", async () => {
    const node = openScanReplica(world.log.log, ":memory:");
    await node.catchUp();
    const { updates } = node.index;
    const listed = updates.listAfter(everything);
    const rows = (table: string) =>
      Number(node.database.prepare(`select count(*) as n from ${table}`).get()?.["n"]);
    expect([listed.length, rows("update_history")]).toEqual([rows("update_history"), listed.length]);
    expect(rows("update_block")).toBeLessThan(listed.length / 3);
    for (const update of listed.toReversed()) {
      expect(updates.find(update.updateId)).toEqual(update);
      expect(updates.findAt(update.recordTime)).toEqual(update);
    }
    node.close();
  });

  test("are read while they wait for their block, and after a transaction that ended from outside", async () => {
    const whole = openScanReplica(world.log.log, ":memory:");
    await whole.catchUp();
    const listed = whole.index.updates.listAfter(everything);
    const node = openScanReplica(world.log.log, ":memory:", { sharedCommits: true });
    const stop = new AbortController();
    const running = node.replica.run(stop.signal);
    const { sequence } = await world.log.log.head();
    await node.replica.reach(sequence, stop.signal);
    const { updates } = node.index;
    const written = Number(node.database.prepare("select count(*) as n from update_history").get()?.["n"]);
    expect(written).toBeLessThan(listed.length);
    const readAll = () => {
      expect(updates.listAfter(everything)).toEqual(listed);
      const middle = listed[2]?.recordTime as Time;
      expect(
        updates.listAfter({ after: middle, until: listed.at(-2)?.recordTime ?? 0n, limit: 100_000 }),
      ).toEqual(listed.slice(3, -1));
      expect(updates.findEnds()).toEqual({ first: listed[0]?.recordTime, last: listed.at(-1)?.recordTime });
      for (const update of listed) {
        expect(updates.find(update.updateId)).toEqual(update);
        expect(updates.findAt(update.recordTime)).toEqual(update);
        expect(updates.findIdAt(update.recordTime)).toBe(update.updateId);
      }
    };
    readAll();
    node.database.exec("rollback");
    updates.find("1220ab");
    expect(node.database.prepare("select count(*) as n from update_history").get()?.["n"]).toBe(0n);
    stop.abort();
    await running.catch(() => undefined);
    const again = new AbortController();
    const rerun = node.replica.run(again.signal);
    await node.replica.reach(sequence, again.signal);
    readAll();
    again.abort();
    await rerun;
    readAll();
    node.close();
    whole.close();
  });

  test("of earlier releases, in rows of their own, are read beside them", async () => {
    const node = openScanReplica(world.log.log, ":memory:");
    await node.catchUp();
    const { updates, state } = node.index;
    const listed = updates.listAfter(everything);
    const rows = new CheckedRows(node.database, UPDATES, state.sums);
    const dictionary = makeDictionary([{ text: JSON.stringify(["1", "2"]), known: "" }]);
    const dictionaries = new CheckedRows(node.database, DICTIONARIES, state.sums);
    dictionaries.insert(77n, JSON.stringify(dictionary.ids), dictionary.text.toString());
    const texts = listUpdateTexts(node.database).map((line) => line.slice(line.indexOf(" ") + 1));
    for (const [i, row] of [...rows.list("order by record_time")].entries()) {
      if (i % 2 === 0) continue;
      const text = texts[i] ?? "";
      rows.change(row, { dictionary: 77n, body: new Uint8Array(packText(text, dictionary)) });
    }
    updates.reload();
    expect(updates.listAfter(everything)).toEqual(listed);
    node.database.exec("delete from update_block");
    updates.reload();
    expect(() => updates.findAt(listed[0]?.recordTime as Time)).toThrow("is in no block");
    expect(updates.findAt(listed[1]?.recordTime as Time)).toEqual(listed[1]);
    node.close();
  });
});

test("a registration takes less than five kilobytes of history", async () => {
  const scanned = new ScannedWorld();
  const wallet = scanned.wallet("alice");
  for (let i = 0; i < 9; i++) scanned.buy(wallet, { name: `early-${i}.unverified.cns` });
  const { database } = await scanned.scan();
  const size = () =>
    Number(
      database.prepare("select sum(pgsize) as bytes from dbstat where name like 'update_%'").get()?.[
        "bytes"
      ] ?? 0n,
    );
  const before = size();
  for (let i = 0; i < 24; i++) scanned.buy(wallet, { name: `name-${i}.unverified.cns` });
  await scanned.scan();
  expect((size() - before) / 24).toBeLessThan(5000);
  expect(await scanned.list("name-")).toHaveLength(24);
});
