import type { DatabaseSync } from "node:sqlite";
import { Amulet, type ContractId, decimalFromUnits, type PartyId } from "@callsign/ledger";
import { openDatabase, sha256 } from "@callsign/node";
import { SqliteState } from "@callsign/synchronizer";
import { expect, onTestFinished, test } from "vitest";
import { AgendaCoins, COINS_SCHEMA } from "./agenda-coins.ts";

const DSO = "dso::1220" as PartyId;
const RATE = decimalFromUnits(1n);

/** A coin that is used up after so many rounds, counted from round 0. */
function coin(rounds: number) {
  return {
    dso: DSO,
    owner: "alice::1220" as PartyId,
    amount: {
      initialAmount: decimalFromUnits(BigInt(rounds)),
      createdAt: { number: 0n },
      ratePerRound: { rate: RATE },
    },
  };
}

function contractId(number: number): ContractId {
  return `00${sha256(`contract ${number}`)}ca101220${sha256(`content ${number}`)}` as ContractId;
}

/** In the database of a replica, which has contracts of coins alone. */
function openCoins() {
  const database = openDatabase(":memory:");
  onTestFinished(() => database.close());
  new SqliteState(database);
  database.exec(COINS_SCHEMA);
  database.prepare("insert into template (id, name) values (1, ?)").run(Amulet.id);
  return { database, coins: new AgendaCoins(database) };
}

function contractInserter(database: DatabaseSync) {
  const insert = database.prepare(
    "insert into contract (contract_id, template_id, created_at, body) values (?, 1, 0, ?)",
  );
  const insertBody = database.prepare("insert into contract_body (text) values (?)");
  return (id: ContractId, made: ReturnType<typeof coin>) =>
    insert.run(id, insertBody.run(Amulet.record.encode(made)).lastInsertRowid);
}

test("every coin is listed in the round in which it expires, and most have no row before the horizon", () => {
  const { database, coins } = openCoins();
  const insert = contractInserter(database);
  const expiries = new Map<ContractId, bigint>();
  const spent = new Set<ContractId>();
  for (let i = 0; i < 3000; i++) {
    const made = coin(1 + 2 * i);
    insert(contractId(i), made);
    expiries.set(contractId(i), coins.insert(contractId(i), made, 0n) as bigint);
    if (i % 10 === 0) spent.add(contractId(i));
  }
  coins.save();
  const countRows = () => Number(database.prepare("select count(*) as n from sv_coin").get()?.["n"]);
  expect(countRows()).toBeLessThan(500);
  const isActive = (id: ContractId) => !spent.has(id);
  for (const id of spent) coins.remove(id);
  for (let round = 1n; round < 3000n; round++) {
    coins.roundOpened(round, DSO, isActive);
    if (round % 100n !== 0n) continue;
    const expired = [...expiries].filter(([id, expiry]) => expiry <= round && isActive(id)).map(([id]) => id);
    expect(coins.listExpired(round, 10_000).toSorted()).toEqual(expired.toSorted());
  }
});

test.each([true, false])("a spent coin is gone, whenever rows are written: at once %s", (isWritten) => {
  const { database, coins } = openCoins();
  const write = () => isWritten && coins.save();
  const [near, far, spent] = [contractId(0), contractId(1), contractId(2)];
  const insert = contractInserter(database);
  const openRounds = (first: number) => {
    for (let round = first; round < first + 256; round++)
      coins.roundOpened(BigInt(round), DSO, (id) => id !== spent);
  };
  for (const [id, rounds] of [
    [near, 5],
    [far, 1000],
    [spent, 7],
  ] as const) {
    insert(id, coin(rounds));
    coins.insert(id, coin(rounds), 0n);
  }
  write();
  expect(coins.remove(spent)).not.toBeNull();
  write();
  // Every coin comes by again, also one that has a row; the far one comes within the horizon.
  openRounds(256);
  expect(coins.remove(near)).not.toBeNull();
  expect(coins.remove(far)).not.toBeNull();
  write();
  expect([near, far, spent].map((id) => coins.remove(id))).toEqual([null, null, null]);
  coins.save();
  expect(coins.listExpired(10_000n, 10)).toEqual([]);
});

test("coins that waited are dropped with their transaction", () => {
  const { coins } = openCoins();
  coins.insert(contractId(0), coin(5), 0n);
  coins.reload();
  expect(coins.listExpired(100n, 10)).toEqual([]);
  expect(coins.remove(contractId(0))).toBeNull();
});

test("coins of another DSO are left out", () => {
  const { database, coins } = openCoins();
  contractInserter(database)(contractId(0), { ...coin(1), dso: "other::1220" as PartyId });
  for (let round = 0n; round < 256n; round++) coins.roundOpened(round, DSO, () => true);
  expect(coins.listExpired(10_000n, 10)).toEqual([]);
});

test("a coin stays when another coin of the same transaction is spent", () => {
  const { coins } = openCoins();
  const first = contractId(0);
  const second = `${first.slice(0, 66)}${contractId(1).slice(66)}` as ContractId;
  for (const id of [first, second]) coins.insert(id, coin(5), 0n);
  expect(coins.remove(first)).toBe(coins.insert(first, coin(5), 0n));
  expect(coins.remove(first)).not.toBeNull();
  expect(coins.remove(first)).toBeNull();
  expect(coins.listExpired(100n, 10)).toEqual([second]);
});
