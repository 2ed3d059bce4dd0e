// Contracts at snapshots: the very ones that the ledger had then, for the DSO, for parties, for owners of coin.

import { join } from "node:path";
import type { SnapshotContract } from "@callsign/api";
import { beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { formatTime, type Time } from "../../packages/ledger/src/values/time.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { FORMER_INDEX, openScanReplica } from "./scan-replica.ts";
import { ServedWorld } from "./served-world.ts";

const atEnd = atEndOfFile();
const outcomes: Outcome[] = [];
const PERIOD = 10n * MINUTE;
/** So many that replicas pack the payloads of the next contracts. */
const FIRST_NAMES = Array.from({ length: 30 }, (_, i) => `first-${i}.unverified.cns`);
let world: ServedWorld;
let alice: WalletActor;
/** Two snapshots: names are bought before the first, between them, and after. */
let snapshots: readonly Time[];

interface Page {
  readonly record_time: string;
  readonly created_events: readonly SnapshotContract[];
  readonly next_page_token: number | null;
}

beforeAll(async () => {
  world = await ServedWorld.start({ observe: (_, outcome) => outcomes.push(outcome) }, atEnd);
  alice = world.wallet("alice");
  const bob = world.wallet("bob");
  for (const name of FIRST_NAMES) world.buy(bob, { name });
  const taken: Time[] = [];
  for (const name of ["one", "two", "three"]) {
    world.buy(alice, { name: `${name}.unverified.cns` });
    const boundary = (world.network.now / PERIOD + 1n) * PERIOD;
    world.network.advanceTo((boundary + 1n) as Time);
    world.network.tick();
    taken.push(boundary as Time);
  }
  alice.tap(decimal("5.0"));
  snapshots = taken.slice(0, 2);
  await world.scan();
});

async function ask(path: string, body: object): Promise<Page> {
  const answer = await world.postJson(`/api/scan${path}`, { migration_id: 0, ...body });
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

async function listAll(path: string, body: object, page_size: number): Promise<readonly SnapshotContract[]> {
  const found: SnapshotContract[] = [];
  let after: number | null = null;
  do {
    const page: Page = await ask(path, { ...body, page_size, after });
    found.push(...page.created_events);
    after = page.next_page_token;
  } while (after !== null);
  return found;
}

/** The contracts that the ledger's outcomes leave at a time, in the order of creation. */
function activeAt(time: Time, party: string): readonly string[] {
  const active = new Set<string>();
  for (const { head, created, archived } of outcomes) {
    if (head.recordTime > time) break;
    for (const { contractId } of archived) active.delete(contractId);
    for (const { contract, signatories, observers } of created)
      if ([...signatories, ...observers].includes(party as never)) active.add(contract.contractId);
  }
  return [...active];
}

const idsOf = (contracts: readonly SnapshotContract[]) => contracts.map(({ contract_id }) => contract_id);

describe("contracts at a snapshot", () => {
  test.each([0, 1])(
    "are those that the ledger had then, in the order of creation: snapshot %i",
    async (i) => {
      const record_time = formatTime(snapshots[i] as Time);
      const { dso } = world.network;
      const expected = activeAt(snapshots[i] as Time, dso);
      expect(expected.length).toBeGreaterThan(20);
      for (const size of [7, 1000])
        expect(idsOf(await listAll("/v1/state/acs", { record_time }, size))).toEqual(expected);
    },
  );

  test("differ between snapshots, and some have ended since", async () => {
    const [first, second] = snapshots.map((time) => new Set(activeAt(time, world.network.dso)));
    const now = new Set(activeAt(world.network.now, world.network.dso));
    expect([...(first ?? [])].some((id) => !second?.has(id))).toBe(true);
    expect([...(second ?? [])].some((id) => !now.has(id))).toBe(true);
  });

  test("name the update that created them, which shows them in the same words", async () => {
    const record_time = formatTime(snapshots[0] as Time);
    for (const contract of await listAll("/v1/state/acs", { record_time }, 1000)) {
      const { created_in_update_id, ...shown } = contract;
      const { body } = await world.getJson(`/api/scan/v2/updates/${created_in_update_id}`);
      const { events_by_id } = body as { events_by_id: Record<string, { contract_id: string }> };
      const event = Object.values(events_by_id).find((each) => each.contract_id === shown.contract_id);
      expect(event).toMatchObject(shown);
    }
  });

  test("are found by stakeholder and by template, at the last snapshot before a time too", async () => {
    const record_time = formatTime(((snapshots[1] as Time) + 5n) as Time);
    const body = { record_time, record_time_match: "at_or_before" };
    const templates = ["splice-amulet-name-service:Splice.Ans:AnsEntry"];
    const entries = await listAll("/v1/state/acs", { ...body, templates }, 1);
    expect(entries.map(({ create_arguments }) => create_arguments["name"])).toEqual([
      ...FIRST_NAMES,
      "one.unverified.cns",
      "two.unverified.cns",
    ]);
    const mine = await listAll("/v1/state/acs", { ...body, party_ids: [alice.party] }, 1000);
    const ofDso = new Set(activeAt(snapshots[1] as Time, world.network.dso));
    expect(idsOf(mine)).toEqual(activeAt(snapshots[1] as Time, alice.party).filter((id) => ofDso.has(id)));
    expect(mine.length).toBeGreaterThan(2);
  });

  test("are events in the older form, with the header that it will go", async () => {
    const record_time = formatTime(snapshots[0] as Time);
    const request = JSON.stringify({ migration_id: 0, record_time, page_size: 1 });
    const { text, headers } = await world.post("/api/scan/v0/state/acs", request);
    const [event] = JSON.parse(text).created_events;
    expect(event).toMatchObject({
      event_type: "created_event",
      event_id: expect.stringMatching(/^1220.*:\d+$/),
    });
    expect(headers.get("deprecation")).toMatch(/^@/);
  });
});

test("the coins of an owner at a snapshot are those of the summary", async () => {
  const record_time = formatTime(snapshots[1] as Time);
  const body = { record_time, owner_party_ids: [alice.party] };
  const coins = await listAll("/v1/holdings/state", body, 1);
  const { summaries } = (await ask("/v0/holdings/summary", body)) as unknown as {
    summaries: readonly { total_coin_holdings: string }[];
  };
  const amounts = coins.map(({ create_arguments: { amount, amulet } }) => {
    const { initialAmount } = (amount ?? (amulet as { amount: object }).amount) as { initialAmount: string };
    return decimal(initialAmount);
  });
  expect(amounts.reduce((sum, amount) => (sum + amount) as never, 0n)).toBe(
    decimal(summaries[0]?.total_coin_holdings ?? "0.0"),
  );
  expect(coins.length).toBeGreaterThan(0);
});

test.each([
  [{ page_size: 0 }, 400, "Limit must be at least 1."],
  [{ record_time: "2026-01-01T00:03:00Z" }, 404, "Failed to find ACS snapshot for migration id 0 at 2026"],
  [{ migration_id: 1 }, 404, "Failed to find ACS snapshot for migration id 1"],
  [
    { record_time: "2000-01-01T00:00:00Z", record_time_match: "at_or_before" },
    404,
    "No snapshots found before",
  ],
  [{ templates: ["a:b"] }, 400, "Malformed template_id, expected 'package_name:module_name:entity_name'"],
  [{ party_ids: ["alice"] }, 400, "with missing namespace"],
])("a request with %j is refused with %i", async (given, status, error) => {
  expect(await refusalOf(given)).toEqual({ status, body: { error: expect.stringContaining(error) } });
});

function refusalOf(given: object) {
  const record_time = formatTime(snapshots[0] as Time);
  const body = { migration_id: 0, record_time, page_size: 10, ...given };
  return world.postJson("/api/scan/v1/state/acs", body);
}

function texts(count: number, end: string): readonly string[] {
  return Array.from({ length: count }, (_, i) => `p${i}${end}`);
}

test("a request has a thousand different parties and templates at most", async () => {
  for (const [field, end] of [
    ["party_ids", "::1220"],
    ["templates", ":b:c"],
  ] as const) {
    const error = `Expected '${field}' to contain at most 1000 items, but contained 1001.`;
    expect(await refusalOf({ [field]: texts(1001, end) })).toEqual({ status: 400, body: { error } });
    const twice = [...texts(1000, end), ...texts(1000, end)];
    expect((await refusalOf({ [field]: twice })).status).toBe(200);
  }
});

test("an index that began in the middle of the log has the snapshots from then on, whole, and so has its copy", async () => {
  const path = join(world.folder, "old.db");
  const old = openScanReplica(world.log.log, path);
  await old.catchUp();
  old.database.exec(FORMER_INDEX);
  old.close();
  world.buy(alice, { name: "four.unverified.cns" });
  const boundary = ((world.network.now / PERIOD + 1n) * PERIOD) as Time;
  world.network.advanceTo((boundary + 1n) as Time);
  world.buy(alice, { name: "five.unverified.cns" });
  await world.scan();
  const again = openScanReplica(world.log.log, path);
  await again.catchUp();
  const { acs } = again.index;
  expect(acs.findFirstSnapshot()).toBeGreaterThan(snapshots[1] as Time);
  const asked = { snapshot: boundary, after: -(2n ** 62n), limit: 1000, parties: null, templates: null };
  const found = acs.pageAt(asked).contracts.map(({ contractId }) => contractId as string);
  expect(found.sort()).toEqual([...activeAt(boundary, world.network.dso)].sort());
  expect(again.index.copy().acs.pageAt(asked)).toEqual(acs.pageAt(asked));
  again.close();
});
