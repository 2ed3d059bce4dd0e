import { WalletAppInstall } from "@callsign/ledger";
import { openDatabase, openSqliteStore, type Sql } from "@callsign/node";
import { afterAll, expect, test } from "vitest";
import { MAX_ROWS } from "../limits/limits.ts";
import { walletMigrations } from "../store/wallet-migrations.ts";
import { WalletStore } from "../store/wallet-store.ts";
import { WalletDirectory } from "./wallet-directory.ts";

const store = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
afterAll(() => store.close());

const COUNT = MAX_ROWS + 500;
const operator = `operator::1220${"a".repeat(64)}` as never;
const other = `other::1220${"b".repeat(64)}`;

async function insert(sql: Sql, number: number, endUserName: string, validator: string): Promise<void> {
  const endUserParty = `party-${number}::1220${"c".repeat(64)}`;
  const payload = { dsoParty: other, validatorParty: validator, endUserName, endUserParty };
  await sql.run(
    `insert into contracts (contract_id, template, template_id, owner, link, name, payload, blob, created_at, arrival, node)
     values ($1, $2, '', $3, $4, $5, $6, '', '2026-01-01T00:00:00Z', $7, 0)`,
    ...[`00${number.toString(16).padStart(64, "0")}`, WalletAppInstall.entity, endUserParty, validator],
    ...[endUserName, JSON.stringify(payload), BigInt(number)],
  );
}

test("all users are listed, however many, each once and none of another validator", async () => {
  await store.transaction(async (sql) => {
    for (let i = 0; i < COUNT; i++) await insert(sql, i, `user-${i}`, operator);
    await insert(sql, COUNT, "user-7", operator);
    await insert(sql, COUNT + 1, "stranger", other);
  });
  const directory = new WalletDirectory(new WalletStore(store), operator);
  expect(await directory.listUsers()).toEqual(Array.from({ length: COUNT }, (_, i) => `user-${i}`));
});
