import { DAY, MINUTE, type Outcome, type PartyId, type Time } from "@callsign/ledger";
import { bytesOfHex, migrateDatabase, openDatabase } from "@callsign/node";
import { CheckedRows, ReplicaDamaged, SqliteState } from "@callsign/synchronizer";
import { beforeEach, expect, test } from "vitest";
import type { KnownUpdate } from "../history/stored-update.ts";
import { ACS_CONTRACTS, openAcsRows, TEXT_ACS_CONTRACTS } from "./acs-rows.ts";
import { scanMigrations } from "./scan-migrations.ts";

const dso = "DSO::1220" as PartyId;
const START = 1_000_000n * DAY;
const MONTH = 30n * DAY;
let state: SqliteState;
let rows: ReturnType<typeof openAcsRows>;
let sequence: number;

beforeEach(() => {
  state = new SqliteState(openDatabase(":memory:"));
  migrateDatabase(state.database, scanMigrations);
  rows = openAcsRows({ state, findUpdateAt: () => undefined });
  sequence = 0;
  return () => state.database.close();
});

function absorb(at: bigint, { made = [], ended = [] }: { made?: string[]; ended?: string[] }): void {
  const outcome = {
    head: { sequence: ++sequence, recordTime: (START + at) as Time },
    imported: null,
    created: made.map((contractId, nodeId) => ({
      ...{ contract: { contractId }, nodeId, signatories: [dso], observers: [] },
    })),
    archived: ended.map((contractId) => ({ contractId })),
  };
  rows.absorb(outcome as unknown as Outcome, dso);
}

function kept(): unknown[] {
  rows.save();
  return state.database
    .prepare("select contract_id from acs_contract order by 1")
    .all()
    .flatMap(Object.values);
}

test("a contract that is created and archived before rows are written has none", () => {
  absorb(MINUTE, { made: ["a"] });
  absorb(2n * MINUTE, { made: ["b"], ended: ["a"] });
  expect(kept()).toEqual(["b"]);
  expect(state.database.prepare("select count(*) as rows from acs_contract").get()).toEqual({ rows: 1n });
});

test.each([false, true])(
  "a contract of a snapshot goes with a later end, a month on; rows written after each entry: %s",
  (isWritten) => {
    const next = (...entry: Parameters<typeof absorb>) => {
      absorb(...entry);
      if (isWritten) rows.save();
    };
    next(MINUTE, { made: ["a", "b", "c", "d"] });
    next(12n * MINUTE, { ended: ["a"] });
    next(11n * MINUTE + MONTH, { ended: ["b"] });
    expect(kept()).toEqual(["a", "b", "c", "d"]);
    next(12n * MINUTE + MONTH, { ended: ["c"] });
    next(10n * MINUTE + 2n * MONTH, { ended: ["d"] });
    expect(kept()).toEqual(["b", "c", "d"]);
    next(11n * MINUTE + 2n * MONTH, { made: ["e"] });
    next(11n * MINUTE + 2n * MONTH, { ended: ["e"] });
    expect(kept()).toEqual(["c", "d"]);
  },
);

test("a page that is rolled back deletes nothing, and the earliest end counts again", () => {
  absorb(MINUTE, { made: ["a", "b", "c"] });
  absorb(12n * MINUTE, { ended: ["a"] });
  expect(kept()).toEqual(["a", "b", "c"]);
  state.database.exec("begin");
  absorb(12n * MINUTE + MONTH, { ended: ["b"] });
  expect(kept()).toEqual(["b", "c"]);
  state.database.exec("rollback");
  rows.reload();
  expect(kept()).toEqual(["a", "b", "c"]);
  absorb(13n * MINUTE + MONTH, { ended: ["c"] });
  expect(kept()).toEqual(["b", "c"]);
});

test("readers see contracts whose rows wait", () => {
  const at = (START + MINUTE) as Time;
  const events = ["a", "b"].map((contractId) => ({
    ...{ kind: "create", contractId, templateId: "template", payload: [] },
  }));
  rows = openAcsRows({ state, findUpdateAt: () => ({ events, ledgerTime: at }) as unknown as KnownUpdate });
  state.saveAlso(rows);
  state.database.exec("begin");
  absorb(MINUTE, { made: ["a"] });
  expect(rows.find("a")).toMatchObject({ contractId: "a", createdIn: at });
  absorb(2n * MINUTE, { made: ["b"] });
  const asked = { snapshot: START + 10n * MINUTE, after: -1n, limit: 10, parties: null, templates: null };
  const { contracts } = rows.pageAt(asked as Parameters<typeof rows.pageAt>[0]);
  expect(contracts.map(({ contractId }) => contractId)).toEqual(["a", "b"]);
  state.database.exec("commit");
});

const IDS = ["ab", "cd"].map((digits) => `00${digits.repeat(68)}`) as [string, string];

test("ids are kept as bytes, and contracts are found by them", () => {
  absorb(MINUTE, { made: IDS });
  expect(kept()).toEqual(["", ""]);
  const bytes = state.database.prepare("select id_bytes from acs_contract order by place").all();
  expect(bytes).toEqual(IDS.map((id) => ({ id_bytes: bytesOfHex(id) })));
  rows.reload();
  absorb(2n * MINUTE, { ended: [IDS[0]] });
  rows.save();
  expect(() => rows.find(IDS[1])).toThrow(`no update creates ${IDS[1]}`);
  expect(rows.find(IDS[0])).toBeUndefined();
  expect(rows.find(IDS[1].replace("c", "d"))).toBeUndefined();
});

test("rows of the release before, whose ids are texts, end like others", () => {
  const former = new CheckedRows(state.database, TEXT_ACS_CONTRACTS, state.sums);
  const other = new CheckedRows(state.database, ACS_CONTRACTS);
  absorb(MINUTE, { made: IDS });
  rows.save();
  for (const [i, row] of [...other.list("order by place")].entries()) {
    state.database.exec(`delete from acs_contract where place = ${row["place"]}`);
    const { place, key, created } = row as Record<string, bigint>;
    former.insert(...([place, key, IDS[i], created, null, null] as (bigint | string | null)[]));
  }
  rows.reload();
  expect(() => rows.find(IDS[0])).toThrow(`no update creates ${IDS[0]}`);
  absorb(2n * MINUTE, { ended: [IDS[0]] });
  absorb(12n * MINUTE, { ended: [IDS[1]] });
  expect(kept()).toEqual([IDS[1]]);
  expect([...other.list()]).toMatchObject([{ ended: START + 12n * MINUTE, id_bytes: null }]);
  state.database.exec("update acs_contract set id_bytes = x'00'");
  expect(() => [...other.list()]).toThrow(ReplicaDamaged);
});
