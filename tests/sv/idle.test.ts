/** An SV reads as much of its database while time passes with a hundred thousand names as with none. */
import { type DatabaseSync, StatementSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Amulet,
  AnsEntry,
  type ContractId,
  MIN_TIME,
  OpenMiningRound,
  type PayloadOf,
  SubscriptionIdleState,
} from "../../packages/ledger/src/index.ts";
import { HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { inTransaction } from "../../packages/node/src/database/open-database.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";

const NAMES = 100_000;
/** Places of rows that each name takes; all of them lie before the log's. */
const PER_NAME = 3n;
/** Beyond all that the tests reach. */
const FAR = 4_000_000_000_000_000n;

interface Reads {
  /** By the statement's text: how often it ran, and how many rows it answered with. */
  readonly statements: Map<string, { runs: number; rows: number }>;
}

let reads: Reads = { statements: new Map() };
const { all, get } = StatementSync.prototype;

function count(statement: StatementSync, rows: number): void {
  const its = reads.statements.get(statement.sourceSQL) ?? { runs: 0, rows: 0 };
  its.runs++;
  its.rows += rows;
  reads.statements.set(statement.sourceSQL, its);
}

beforeEach(() => {
  StatementSync.prototype.all = function counted(this: StatementSync, ...parameters: never) {
    const rows = all.apply(this, parameters);
    count(this, rows.length);
    return rows;
  };
  StatementSync.prototype.get = function counted(this: StatementSync, ...parameters: never) {
    const row = get.apply(this, parameters);
    count(this, row === undefined ? 0 : 1);
    return row;
  };
});

afterEach(() => {
  StatementSync.prototype.all = all;
  StatementSync.prototype.get = get;
});

const REST = "0".repeat(49);

/** Spread over all that ids begin with, as hashes are. */
function contractId(number: bigint): ContractId {
  const begin = ((number * 0x9e3779b97f4a7c15n) & (2n ** 60n - 1n)).toString(16).padStart(15, "0");
  return `00${begin}${REST}ca101220${begin}${REST}` as ContractId;
}

/** Live names, each with its entry, its subscription and its owner's coin, as the agenda keeps them. */
function addNames({ agenda, database }: UnservedSv): void {
  const { rows, coins } = agenda;
  // Before all that is there.
  let created = -PER_NAME * BigInt(NAMES);
  // Within the horizon, and far from expired.
  const amount = { initialAmount: 700n, createdAt: { number: 0n }, ratePerRound: { rate: 1n } };
  inTransaction(database, () => {
    for (let i = 0; i < NAMES; i++) {
      const columns = { nameKey: BigInt(i) << 40n, due: FAR + BigInt((i * 7919) % NAMES) };
      for (const template of [AnsEntry, SubscriptionIdleState]) {
        const contract = { contractId: contractId(++created), createdAt: MIN_TIME };
        rows.insert({ created, contract, template, coinKey: null, columns });
      }
      coins.insert(contractId(created++), { amount } as PayloadOf<typeof Amulet>, 0n);
    }
  });
}

/** Reads while an hour of ticks went by, and while a round changed. */
async function readWhileTimePasses(names: boolean) {
  const network = await SvNetwork.found({ svs: 1 });
  if (names) addNames(network.first);
  await network.moveAndSettle(HOUR);
  await network.moveAndSettle(61n * MINUTE);
  const measure = async (micros: bigint, times: number) => {
    reads = { statements: new Map() };
    for (let i = 0; i < times; i++) await network.moveAndSettle(micros);
    const totals = [...reads.statements.values()];
    return {
      runs: totals.reduce((sum, { runs }) => sum + runs, 0),
      rows: totals.reduce((sum, { rows }) => sum + rows, 0),
      texts: [...reads.statements.keys()],
    };
  };
  const ticks = await measure(1_000_000n, 20);
  const before = network.active(OpenMiningRound).at(-1)?.payload.round.number as bigint;
  const change = await measure(10n * MINUTE, 3);
  const after = network.active(OpenMiningRound).at(-1)?.payload.round.number as bigint;
  expect(after).toBe(before + 3n);
  return { network, ticks, change };
}

function plansOf(database: DatabaseSync, texts: readonly string[]): readonly string[] {
  return texts
    .filter((text) => text.includes(" sv_"))
    .flatMap((text) => {
      const plan = database.prepare(`explain query plan ${text}`);
      const parameters = Array.from(text.matchAll(/\?/g), () => 0n);
      return all.apply(plan, parameters as never).map((row) => String((row as { detail: unknown }).detail));
    });
}

test("a hundred thousand live names and coins cost as much as none while time passes and rounds change", async () => {
  const none = await readWhileTimePasses(false);
  const many = await readWhileTimePasses(true);
  expect(none.ticks.runs).toBeGreaterThan(0);
  // The first SV depends on hashes, so that a few looks more or less are chance; a sweep would be thousands.
  expect(many.ticks.runs).toBeLessThanOrEqual(none.ticks.runs * 1.2 + 20);
  expect(many.ticks.rows).toBeLessThanOrEqual(none.ticks.rows * 1.2 + 20);
  expect(many.change.runs).toBeLessThanOrEqual(none.change.runs * 1.2 + 50);
  expect(many.change.rows).toBeLessThanOrEqual(none.change.rows * 1.2 + 50);
  // Nor does any of what ran go through all rows to answer with a few.
  const { database } = many.network.first;
  const plans = plansOf(database, [...many.ticks.texts, ...many.change.texts]);
  expect(plans.some((plan) => plan.startsWith("SEARCH sv_agenda_row"))).toBe(true);
  expect(plans.filter((plan) => /^SCAN sv_(agenda_row|coin|coupon)\b/.test(plan))).toEqual([]);
  expect(many.network.first.agenda.rows.findNextDueOf(AnsEntry, 0n)).toBe(FAR);
});
