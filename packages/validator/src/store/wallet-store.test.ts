import { Amulet, AnsEntry } from "@callsign/ledger";
import { openDatabase, openSqliteStore, type Sql } from "@callsign/node";
import { afterAll, expect, test } from "vitest";
import { MAX_ROWS } from "../limits/limits.ts";
import { walletMigrations } from "./wallet-migrations.ts";
import { WalletStore } from "./wallet-store.ts";

const store = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
afterAll(() => store.close());

const COUNT = 2 * MAX_ROWS + 1;
const dso = `dso::1220${"a".repeat(64)}`;
const owner = `alice::1220${"b".repeat(64)}`;

async function insert(sql: Sql, number: number, template: string, ofOwner: string): Promise<void> {
  const [expiresAt, name] = ["2030-01-01T00:00:00Z", `name-${number}`];
  const payload = { user: ofOwner, name, url: "", description: "", expiresAt, dso };
  // Of each update three contracts.
  const [arrival, node] = [BigInt(Math.floor(number / 3)), BigInt(number % 3)];
  await sql.run(
    `insert into contracts (contract_id, template, template_id, owner, link, name, payload, blob, created_at, arrival, node)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    ...[`00${number.toString(16).padStart(64, "0")}`, template, "", ofOwner, "", name],
    ...[JSON.stringify(payload), "", "2026-01-01T00:00:00Z", arrival, node],
  );
}

test("all contracts of an owner are read, page by page, in the order of the ledger", async () => {
  await store.transaction(async (sql) => {
    for (let i = 0; i < COUNT; i++) await insert(sql, i, AnsEntry.entity, owner);
    await insert(sql, COUNT, AnsEntry.entity, dso);
    await insert(sql, COUNT + 1, Amulet.entity, owner);
  });
  const names: string[] = [];
  for await (const { payload } of new WalletStore(store).listAll(AnsEntry, owner)) names.push(payload.name);
  expect(names).toEqual(Array.from({ length: COUNT }, (_, i) => `name-${i}`));
});

test("contracts of another owner with the same link or name are not among those sought by it", async () => {
  const other = `bob::1220${"c".repeat(64)}`;
  const [mine, theirs] = [COUNT + 10, COUNT + 11];
  await store.transaction(async (sql) => {
    await insert(sql, mine, AnsEntry.entity, owner);
    await insert(sql, theirs, AnsEntry.entity, other);
    await sql.run("update contracts set link = 'shared', name = 'same' where owner = $1", other);
    await sql.run("update contracts set link = 'shared', name = 'same' where name = $1", `name-${mine}`);
  });
  const wallet = new WalletStore(store);
  for (const sought of [{ reference: "shared" }, { entry: "same" }, { link: "shared", entry: "same" }])
    for (const [of, number] of [
      [owner, mine],
      [other, theirs],
    ] as const) {
      const found = await wallet.list(AnsEntry, { owner: of, ...sought });
      expect(found.map(({ payload }) => payload.name)).toEqual([`name-${number}`]);
    }
});
