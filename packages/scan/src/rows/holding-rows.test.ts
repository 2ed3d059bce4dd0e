import { Amulet, DAY, MINUTE, type PartyId, type Time } from "@callsign/ledger";
import { migrateDatabase, openDatabase } from "@callsign/node";
import { type ReplicaChange, SqliteState } from "@callsign/synchronizer";
import { beforeEach, expect, test } from "vitest";
import { openHoldingRows } from "./holding-rows.ts";
import { scanMigrations } from "./scan-migrations.ts";

const dso = "DSO::1220" as PartyId;
const START = 1_000_000n * DAY;
let state: SqliteState;
let rows: ReturnType<typeof openHoldingRows>;

beforeEach(() => {
  state = new SqliteState(openDatabase(":memory:"));
  migrateDatabase(state.database, scanMigrations);
  rows = openHoldingRows(state);
  return () => state.database.close();
});

const amulet = {
  dso,
  owner: "alice::1220",
  amount: { initialAmount: 5n, createdAt: { number: 1n }, ratePerRound: { rate: 0n } },
};

function absorb(at: bigint, { made = [], ended = [] }: { made?: string[]; ended?: string[] }): void {
  const change = {
    outcome: {},
    created: made.map((contractId) => ({ contract: { contractId, templateId: Amulet.id }, value: amulet })),
    archived: ended.map((contractId) => ({ contractId, templateId: Amulet.id })),
  };
  rows.absorb(change as unknown as ReplicaChange, { dso, now: (START + at) as Time });
}

function kept(): unknown[] {
  rows.save();
  return state.database.prepare("select contract_id from holding order by 1").all().flatMap(Object.values);
}

test("a coin that no snapshot shows goes when it ends", () => {
  absorb(MINUTE, { made: ["a", "b"] });
  absorb(2n * MINUTE, { ended: ["a"] });
  expect(kept()).toEqual(["b"]);
});

test.each([false, true])(
  "a coin of a snapshot goes with a later end, a month on; opened anew: %s",
  (isOpenedAnew) => {
    absorb(MINUTE, { made: ["a", "b", "c", "d"] });
    absorb(12n * MINUTE, { ended: ["a"] });
    if (isOpenedAnew) {
      rows.save();
      rows = openHoldingRows(state);
    }
    const month = 30n * DAY;
    absorb(11n * MINUTE + month, { ended: ["b"] });
    expect(kept()).toEqual(["a", "b", "c", "d"]);
    absorb(12n * MINUTE + month, { ended: ["c"] });
    expect(kept()).toEqual(["b", "c", "d"]);
    // The end of the first is behind: the next one counts.
    absorb(10n * MINUTE + 2n * month, { ended: ["d"] });
    expect(kept()).toEqual(["b", "c", "d"]);
    absorb(11n * MINUTE + 2n * month, { made: ["e"] });
    absorb(11n * MINUTE + 2n * month, { ended: ["e"] });
    expect(kept()).toEqual(["c", "d"]);
  },
);

test("a coin that is made and spent before rows are written has none", () => {
  absorb(MINUTE, { made: ["a"] });
  expect(kept()).toEqual(["a"]);
  const changes = () => state.database.prepare("select total_changes() as changes").get()?.["changes"];
  const before = changes() as bigint;
  absorb(2n * MINUTE, { made: ["b"], ended: ["a"] });
  absorb(3n * MINUTE, { made: ["c"], ended: ["b"] });
  expect(kept()).toEqual(["c"]);
  expect(changes()).toBe(before + 2n);
});

test("coins of a transaction that is rolled back are gone", () => {
  absorb(MINUTE, { made: ["a"] });
  expect(kept()).toEqual(["a"]);
  absorb(2n * MINUTE, { made: ["b"], ended: ["a"] });
  rows.reload();
  expect(kept()).toEqual(["a"]);
});

test("an old coin that ended earlier in the same transaction goes", () => {
  absorb(MINUTE, { made: ["a", "b"] });
  absorb(12n * MINUTE, { ended: ["a"] });
  absorb(12n * MINUTE + 30n * DAY, { ended: ["b"] });
  expect(kept()).toEqual(["b"]);
});

test("readers see coins whose rows wait", () => {
  state.saveAlso(rows);
  const snapshot = (START + 10n * MINUTE) as Time;
  state.database.exec("begin");
  absorb(MINUTE, { made: ["a"] });
  absorb(12n * MINUTE, { made: ["b"] });
  expect(rows.listAt(snapshot, amulet.owner, 10)).toHaveLength(1);
  absorb(13n * MINUTE, { ended: ["a"] });
  absorb(21n * MINUTE, { made: ["c"] });
  expect(rows.listIdsAt((START + 20n * MINUTE) as Time, [amulet.owner], 10)).toEqual(["b"]);
  expect(rows.listIdsAt(snapshot, [amulet.owner], 10)).toEqual(["a"]);
  state.database.exec("commit");
});
