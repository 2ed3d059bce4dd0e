/** Reads find what they need by an index: a million contracts cost a reader no more than a thousand. */

import { openDatabase, type Store, sha256, systemHost } from "@callsign/node";
import { beforeAll, describe, expect, test } from "vitest";
import { listActiveContracts } from "./active-contracts.ts";
import { contractNumber, NEVER } from "./contract-number.ts";
import { ContractRows } from "./contract-rows.ts";
import { LedgerStore } from "./ledger-store.ts";
import { listCompletions } from "./list-completions.ts";
import { listItems } from "./list-items.ts";
import { openParticipantStore } from "./open-participant-store.ts";
import { idPartOf } from "./packed-contract.ts";
import { PartyStore } from "./party-store.ts";
import { UserStore } from "./user-store.ts";

const CONTRACTS = 20_000;
const BODY = JSON.stringify({ completion: { userId: "alice", actAs: ["alice", "bob", "carol"] } });
const contractIdOf = (i: number) => `00${"ab".repeat(32)}ca101220${sha256(`${i}`)}`;
const statements = new Set<string>();
let ledger: LedgerStore;
let stored: Store;
let recorded: Store;

/** The store, and what it was asked. */
function recording(store: Store): Store {
  const record = <T extends readonly unknown[], R>(ask: (statement: string, ...parameters: T) => R) => {
    return (statement: string, ...parameters: T): R => {
      statements.add(statement);
      return ask(statement, ...parameters);
    };
  };
  return {
    ...store,
    all: record(store.all),
    get: record(store.get),
    run: record(store.run),
    transaction: store.transaction,
    close: store.close,
  };
}

/** Contracts of three parties and two templates; all but the last of each hundred are archived. */
beforeAll(async () => {
  stored = await openParticipantStore(openDatabase(":memory:"));
  await stored.transaction(async (sql) => {
    for (const [number, name] of ["alice", "bob", "carol", "T", "U"].entries()) {
      await sql.run("insert into name_number (name_number, name) values ($1, $2)", BigInt(number), name);
    }
    for (let i = 1; i <= CONTRACTS; i++) {
      const archived = i % 100 === 0 ? NEVER : BigInt(i + 1);
      const [party, template] = [BigInt(i % 3), 3n + BigInt(i % 2)];
      const number = contractNumber(i, 0);
      await sql.run(
        `insert into contract values ($1, $2, $3, 0, 1, $4, null, null, $5, '[]', '[]', '[]', '["alice"]')`,
        ...[number, idPartOf(contractIdOf(i)), template, archived, contractIdOf(i)],
      );
      await sql.run("insert into stakeholder values ($1, $2, $3, $4)", party, template, archived, number);
      await sql.run(
        "insert into stream_item values ($1, '', 0, $2, $3, '', null)",
        BigInt(i),
        `update ${i}`,
        BODY,
      );
      await sql.run("insert into update_witness values ($1, $2)", party, BigInt(i));
      await sql.run("insert into completion values ($1, '', '', 0, 1)", BigInt(i));
      await sql.run("insert into party_completion values ($1, $2)", party, BigInt(i));
    }
  });
  recorded = recording(stored);
  ledger = new LedgerStore(recorded);
});

describe("active contracts", () => {
  const page = { activeAt: CONTRACTS + 1, after: -1n, limit: 200 };
  test.each([
    ["of a party", { party: "alice", templateId: null }, CONTRACTS / 300],
    ["of a party and a template", { party: "alice", templateId: "T" }, CONTRACTS / 300],
    ["of anybody", { party: null, templateId: null }, 200],
    ["of a template", { party: null, templateId: "T" }, 200],
  ])("%s", async (_, selection, count) => {
    const found = await listActiveContracts(ledger, { ...page, selections: [selection] });
    expect(Math.abs(found.length - count)).toBeLessThanOrEqual(1);
    expect(found.every(({ archived }) => archived === null)).toBe(true);
  });

  test("as of a past offset include contracts archived since", async () => {
    const selections = [{ party: null, templateId: null }];
    const found = await listActiveContracts(ledger, { selections, activeAt: 550, after: -1n, limit: 200 });
    expect(found.map(({ offset }) => offset)).toEqual([100, 200, 300, 400, 500, 550]);
  });
});

test("no statement scans a whole table", async () => {
  const selections = [null, "alice"].flatMap((party) =>
    [null, "T"].map((templateId) => ({ party, templateId })),
  );
  await listActiveContracts(ledger, { selections, activeAt: 550, after: 7n, limit: 200 });
  for (const descending of [false, true]) {
    const range = { beginExclusive: 5, endInclusive: 100, limit: 10, descending };
    for (const hostings of [null, { parties: null }, { parties: new Set(["alice"]) }]) {
      for (const witnesses of [["alice", "bob"], [], null])
        await listItems(ledger, { ...range, hostings, witnesses });
    }
  }
  const completions = { beginExclusive: 0, endInclusive: 10, limit: 10, descending: false };
  await listCompletions(ledger, { ...completions, userId: "alice", parties: null });
  await listCompletions(ledger, { ...completions, userId: null, parties: null });
  await listCompletions(ledger, { ...completions, userId: null, parties: new Set(["alice"]) });
  await ledger.findItemById("update 5");
  await ledger.findItemById("topology 7");
  await ledger.findItem(5);
  await ledger.findContract(contractIdOf(5));
  await ledger.findAccepted("key");
  const rows = new ContractRows(ledger.memory);
  for (const i of [5, 100, 200]) rows.archive(CONTRACTS + 2, { contractId: contractIdOf(i), nodeId: 0 });
  await rows.write(recorded);
  expect((await ledger.findContract(contractIdOf(200)))?.archived?.offset).toBe(CONTRACTS + 2);
  await ledger.findRecordTime(5);
  await new PartyStore(recorded).list({ after: "a", prefix: "b", limit: 10 });
  await new PartyStore(recorded).find("a");
  const users = new UserStore(recorded, systemHost.clock);
  await users.find("a");
  await users.list({ identityProviderId: "", after: "a", limit: 10 });
  await users.listRights("a");
  await users.findCaller("a");
  await users.hasRoomFor("a", { kind: "CanActAs", party: "p" });
  const plans = [...statements].map(async (statement) => {
    const plan = await stored.all(`explain query plan ${statement}`);
    return plan
      .map((row) => String(row["detail"]))
      .filter((detail) => /^SCAN\b|TEMP B-TREE/.test(detail))
      .map((detail) => `${detail}: ${statement}`);
  });
  const scans = (await Promise.all(plans)).flat();
  expect(statements.size).toBeGreaterThan(27);
  // Only contracts archived since a past offset are sorted; the others come in order.
  const allowed = (scan: string) => scan.includes("TEMP B-TREE") && scan.includes("archived_offset > ");
  expect(scans.filter((scan) => !allowed(scan))).toEqual([]);
});
