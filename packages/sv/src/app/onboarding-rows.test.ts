import { type ContractId, type PartyId, timeFromMicros } from "@callsign/ledger";
import { migrateDatabase, openDatabase } from "@callsign/node";
import { CheckedRows, SqliteState } from "@callsign/synchronizer";
import { beforeEach, describe, expect, test } from "vitest";
import { preparedSecret, usedSecret } from "../../testing/onboarding-contracts.ts";
import { APP_MIGRATIONS } from "./app-index.ts";
import { FORMER_ONBOARDING_ROWS, OnboardingRows, type OnboardingState } from "./onboarding-rows.ts";
import { hashSecret } from "./onboarding-secret.ts";

const sv = "sv-1::1220ab" as PartyId;
const other = "sv-2::1220ef" as PartyId;
const alice = "alice::1220cd" as PartyId;

let state: SqliteState;
let rows: OnboardingRows;
beforeEach(() => {
  state = new SqliteState(openDatabase(":memory:"));
  migrateDatabase(state.database, APP_MIGRATIONS);
  rows = new OnboardingRows(state, sv);
});

const prepared = (id: string, secret: string, expiresAt: bigint) =>
  preparedSecret(id, { sv, secret, expiresAt });
const used = (id: string, secret: string) => usedSecret(id, { sv, secret, validator: alice });

const at = (micros: bigint) => timeFromMicros(micros);
const stateOf = (secret: string) => rows.findBySecret(hashSecret({ secret }))?.state;

function list(state: OnboardingState | null, limit = 20_000): readonly string[] {
  return rows.list({ state, limit, now: at(0n), before: null }).map(({ contractId }) => contractId);
}

describe("expiry", () => {
  test("is next of those that are open, after that moment", () => {
    expect(rows.nextExpiry(at(0n))).toBeNull();
    rows.insert(prepared("a", "first", 10n), 1n);
    rows.insert(prepared("b", "second", 20n), 2n);
    expect([9n, 10n, 19n, 20n].map((time) => rows.nextExpiry(at(time)))).toEqual([10n, 20n, 20n, null]);
    rows.end("a" as ContractId);
    rows.use(used("u", "second"), 3n, ["b" as ContractId]);
    expect(rows.nextExpiry(at(0n))).toBeNull();
  });

  test("is due from its moment on, soonest first, as many as asked for", () => {
    rows.insert(prepared("late", "second", 20n), 1n);
    rows.insert(prepared("soon", "first", 10n), 2n);
    const due = (now: bigint, limit: number) =>
      rows.listExpired(at(now), limit).map(({ contractId }) => contractId);
    expect([due(9n, 5), due(10n, 5), due(20n, 5), due(20n, 1)]).toEqual([
      [],
      ["soon"],
      ["soon", "late"],
      ["soon"],
    ]);
    expect(rows.countOpen()).toBe(2);
  });

  test("stays visible for the newest ten thousand; those that were used, or are open, are not among them", () => {
    rows.insert(prepared("used", "of alice", 10n), 1n);
    rows.use(used("u", "of alice"), 2n, ["used" as ContractId]);
    rows.insert(prepared("open", "nobody's", 10n), 3n);
    for (let i = 0; i <= 10_000; i++) {
      rows.insert(prepared(`c${i}`, `secret ${i}`, 10n), BigInt(10 + i));
      rows.end(`c${i}` as ContractId);
    }
    expect(stateOf("secret 0")).toBeUndefined();
    expect([stateOf("secret 1"), stateOf("of alice"), stateOf("nobody's")]).toEqual([
      "expired",
      "used",
      "unused",
    ]);
    expect(list("expired")).toHaveLength(10_000);
    expect([list("used"), list("unused")]).toEqual([["used"], ["open"]]);
  });
});

describe("use", () => {
  test("of a secret that was made before rows were kept is noted once", () => {
    rows.use(used("u", "old"), -1n, []);
    rows.use(used("u", "old"), -1n, []);
    rows.use(used("again", "old"), -2n, []);
    expect(list(null)).toEqual(["u"]);
    expect(rows.findBySecret(hashSecret({ secret: "old" }))).toMatchObject({ state: "used", usedBy: alice });
  });

  test("is of the contract that ended with it, and of no other secret that ended then", () => {
    for (const [id, secret] of [
      ["a", "first"],
      ["b", "second"],
      ["c", "first"],
    ] as const) {
      rows.insert(prepared(id, secret, 10n), BigInt(id.charCodeAt(0)));
    }
    const ended = ["a", "b"] as ContractId[];
    rows.use(used("u", "first"), 200n, ended);
    for (const id of ended) rows.end(id);
    expect([list("used"), list("expired"), list("unused")]).toEqual([["a"], ["b"], ["c"]]);
    expect(stateOf("first")).toBe("used");
  });
});

describe("two SVs on one replica", () => {
  test("see their own secrets alone, of which the same words are two", () => {
    const others = new OnboardingRows(state, other);
    rows.insert(prepared("a", "word", 10n), 1n);
    others.insert(prepared("b", "word", 20n), 2n);
    expect([rows.countOpen(), others.countOpen()]).toEqual([1, 1]);
    expect([list(null), idsOf(others)]).toEqual([["a"], ["b"]]);
    expect([rows.nextExpiry(at(0n)), others.nextExpiry(at(0n))]).toEqual([10n, 20n]);
    expect(others.listExpired(at(30n), 5).map(({ contractId }) => contractId)).toEqual(["b"]);
    others.use(used("u", "word"), 3n, ["a", "b"] as ContractId[]);
    for (const id of ["a", "b"] as ContractId[]) rows.end(id);
    for (const id of ["a", "b"] as ContractId[]) others.end(id);
    expect([stateOf("word"), others.findBySecret(hashSecret({ secret: "word" }))?.state]).toEqual([
      "expired",
      "used",
    ]);
  });

  test("forget their own oldest expired secrets alone", () => {
    const others = new OnboardingRows(state, other);
    others.insert(prepared("kept", "first of all", 10n), 1n);
    others.end("kept" as ContractId);
    for (let i = 0; i <= 10_000; i++) {
      rows.insert(prepared(`c${i}`, `secret ${i}`, 10n), BigInt(10 + i));
      rows.end(`c${i}` as ContractId);
    }
    expect(stateOf("secret 0")).toBeUndefined();
    expect(idsOf(others)).toEqual(["kept"]);
    expect(list("expired")).toHaveLength(10_000);
  });
});

test("rows of earlier releases are of the only SV, and can be used and end", () => {
  const database = openDatabase(":memory:");
  const earlier = new SqliteState(database);
  migrateDatabase(database, { ...APP_MIGRATIONS, migrations: APP_MIGRATIONS.migrations.slice(0, 3) });
  const former = new CheckedRows(database, FORMER_ONBOARDING_ROWS, earlier.sums);
  for (const [created, id, secret] of [
    [1n, "a", "first"],
    [2n, "b", "second"],
  ] as const)
    former.insert(created, id, hashSecret({ secret }), null, 1n, 10n, "unused", null, null);
  migrateDatabase(database, APP_MIGRATIONS);
  const own = new OnboardingRows(earlier, sv);
  expect(idsOf(own)).toEqual(["b", "a"]);
  own.use(used("u", "first"), 3n, ["a" as ContractId]);
  for (const id of ["a", "b"] as ContractId[]) own.end(id);
  const states = own.list({ state: null, limit: 5, now: at(0n), before: null }).map((row) => row.state);
  expect(states).toEqual(["expired", "used"]);
});

function idsOf(of: OnboardingRows): readonly string[] {
  return of
    .list({ state: null, limit: 20_000, now: at(0n), before: null })
    .map(({ contractId }) => contractId);
}
