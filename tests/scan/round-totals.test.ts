/** Sums of rounds and leader boards, against what an economy earned and paid, counted apart from scan. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ClosedMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { type Decimal, formatDecimal } from "../../packages/ledger/src/values/decimal.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { formatTime } from "../../packages/ledger/src/values/time.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { Economy, type Kind } from "./economy.ts";
import { type NameWorld, ScannedWorld } from "./name-world.ts";
import { openScanReplica } from "./scan-replica.ts";
import { ServedWorld } from "./served-world.ts";

const ZERO = "0.0000000000";
const show = (units: bigint) => formatDecimal(units as Decimal);

/** 0.2 MB at 16.67 dollars, in coin at 0.005. */
const PAID = 6_668_000_000_000n;
const BYTES = 200_000;

interface Activity {
  readonly round: bigint;
  readonly party: PartyId;
  app: bigint;
  validator: bigint;
  purchases: number;
}

/** An economy, with what each party minted and bought in each round. */
class CountedEconomy extends Economy {
  readonly activities: Activity[] = [];

  constructor(world: NameWorld) {
    super(world);
  }

  live(rounds: number): void {
    for (let i = 0; i < rounds; i++) {
      this.#of(this.app.party).purchases++;
      this.earn();
      for (const wallet of [this.validator, this.app, ...this.svs]) {
        const before = { ...this.#sums() };
        const rewards = wallet.rewards();
        if (rewards.length === 0) continue;
        this.mint(rewards, (inputs) => wallet.mint(inputs));
        const activity = this.#of(wallet.party);
        activity.app += this.#sums().app - before.app;
        activity.validator += this.#sums().validator - before.validator;
      }
      this.dso.nextRound();
    }
  }

  #sums(): Record<Kind, bigint> {
    return this.expected.get(this.round) ?? { app: 0n, validator: 0n, sv: 0n };
  }

  #of(party: PartyId): Activity {
    const { round } = this;
    const found = this.activities.find((each) => each.round === round && each.party === party);
    if (found !== undefined) return found;
    const activity = { round, party, app: 0n, validator: 0n, purchases: 0 };
    this.activities.push(activity);
    return activity;
  }

  /** The sums of a party up to a round. */
  totalOf(party: PartyId, round: bigint) {
    const own = this.activities.filter((each) => each.party === party && each.round <= round);
    const sum = (amount: (each: Activity) => bigint) => own.reduce((total, each) => total + amount(each), 0n);
    return {
      app: sum(({ app }) => app),
      validator: sum(({ validator }) => validator),
      purchases: Number(sum(({ purchases }) => BigInt(purchases))),
    };
  }

  closings(): ReadonlyMap<bigint, string> {
    const closed = this.network.active(ClosedMiningRound, this.network.dso);
    return new Map(
      closed.map(({ contractId, payload }) => {
        const createdAt = this.network.state.findContract(contractId)?.createdAt;
        return [payload.round.number, createdAt === undefined ? "" : formatTime(createdAt)];
      }),
    );
  }

  get lastClosed(): bigint {
    return [...this.closings().keys()].reduce((last, round) => (round > last ? round : last), -1n);
  }
}

/** Turns an index into one from before these sums. */
const WITHOUT_SUMS = `
  delete from acs_contract;
  delete from row_sum where name = 'acs_contract';
  alter table acs_contract drop column id_bytes;
  drop table seen_round;
  drop table party_round;
  drop table activity_update;
  drop table activity_beginning;
  drop table update_block;
  delete from row_sum where name in ('seen_round', 'party_round', 'activity_update', 'activity_beginning');
  update store_version set version = version - 9 where store = 'scan';
`;

const inRounds = (start_round: number, end_round: number) => ({ start_round, end_round });

let world: ServedWorld;
let economy: CountedEconomy;
let last: number;

beforeAll(async () => {
  world = await ServedWorld.start({}, atEndOfFile);
  economy = new CountedEconomy(world);
  economy.live(9);
  await world.scan();
  last = Number(economy.lastClosed);
  expect(last).toBeGreaterThan(3);
});

test("rounds have the rewards that were minted in them, the sums up to them, and the time of their end", async () => {
  const { status, body } = await world.postJson("/v0/round-totals", inRounds(0, last));
  const sums = (kind: Kind, from: number, to: number) =>
    [...economy.expected].reduce(
      (sum, [round, minted]) => (round >= from && round <= to ? sum + minted[kind] : sum),
      0n,
    );
  const expected = Array.from({ length: last + 1 }, (_, round) => ({
    closed_round: round,
    closed_round_effective_at: economy.closings().get(BigInt(round)),
    app_rewards: show(sums("app", round, round)),
    validator_rewards: show(sums("validator", round, round)),
    change_to_initial_amount_as_of_round_zero: ZERO,
    change_to_holding_fees_rate: ZERO,
    cumulative_app_rewards: show(sums("app", 0, round)),
    cumulative_validator_rewards: show(sums("validator", 0, round)),
    cumulative_change_to_initial_amount_as_of_round_zero: ZERO,
    cumulative_change_to_holding_fees_rate: ZERO,
    total_amulet_balance: ZERO,
  }));
  expect(status).toBe(200);
  expect(body).toEqual({ entries: expected });
  expect(sums("app", 0, last)).toBeGreaterThan(0n);
  const some = await world.postJson("/v0/round-totals", inRounds(last - 1, last));
  expect(some.body).toEqual({ entries: expected.slice(-2) });
  expect(await world.getJson("/v0/round-of-latest-data")).toEqual({
    status: 200,
    body: { round: last, effectiveAt: economy.closings().get(BigInt(last)) },
  });
});

test("parties have what they minted and bought in each round, and their sums up to it", async () => {
  const { body } = await world.postJson("/v0/round-party-totals", inRounds(0, last));
  const expected = economy.activities
    .filter(({ round, app, validator, purchases }) => {
      return round <= BigInt(last) && (app > 0n || validator > 0n || purchases > 0);
    })
    .sort((a, b) => Number(a.round - b.round) || (a.party < b.party ? -1 : 1))
    .map(({ round, party, app, validator, purchases }) => {
      const totals = economy.totalOf(party, round);
      return {
        closed_round: Number(round),
        party,
        app_rewards: show(app),
        validator_rewards: show(validator),
        traffic_purchased: BYTES * purchases,
        traffic_purchased_cc_spent: show(PAID * BigInt(purchases)),
        traffic_num_purchases: purchases,
        cumulative_app_rewards: show(totals.app),
        cumulative_validator_rewards: show(totals.validator),
        cumulative_change_to_initial_amount_as_of_round_zero: ZERO,
        cumulative_change_to_holding_fees_rate: ZERO,
        cumulative_traffic_purchased: BYTES * totals.purchases,
        cumulative_traffic_purchased_cc_spent: show(PAID * BigInt(totals.purchases)),
        cumulative_traffic_num_purchases: totals.purchases,
      };
    });
  expect(body).toEqual({ entries: expected });
  expect(new Set(expected.map(({ party }) => party))).toEqual(
    new Set([economy.app.party, economy.validator.party]),
  );
});

test("leaders are those with the highest sums up to the last closed round", async () => {
  const { app, validator } = economy;
  const board = (path: string, round = last, limit = 10) =>
    world.getJson(`${path}?round=${round}&limit=${limit}`);
  const [ofApp, ofValidator] = [app, validator].map(({ party }) => economy.totalOf(party, BigInt(last)));
  expect(await board("/v0/top-providers-by-app-rewards")).toEqual({
    status: 200,
    body: { providersAndRewards: [{ provider: app.party, rewards: show(ofApp?.app ?? 0n) }] },
  });
  expect(await board("/v0/top-validators-by-validator-rewards")).toEqual({
    status: 200,
    body: {
      validatorsAndRewards: [{ provider: validator.party, rewards: show(ofValidator?.validator ?? 0n) }],
    },
  });
  const purchases = ofApp?.purchases ?? 0;
  const lastPurchase = economy.activities
    .filter(({ round, purchases: bought }) => round <= BigInt(last) && bought > 0)
    .at(-1);
  expect(await board("/v0/top-validators-by-purchased-traffic", last, 2 ** 31 - 1)).toEqual({
    status: 200,
    body: {
      validatorsByPurchasedTraffic: [
        {
          validator: app.party,
          numPurchases: purchases,
          totalTrafficPurchased: BYTES * purchases,
          totalCcSpent: show(PAID * BigInt(purchases)),
          lastPurchasedInRound: Number(lastPurchase?.round),
        },
      ],
    },
  });
  expect(await board("/v0/top-providers-by-app-rewards", last + 1)).toEqual({
    status: 404,
    body: { error: `Data for round ${last + 1} not yet computed` },
  });
  expect(await board("/v0/top-providers-by-app-rewards", last - 1)).toEqual({
    status: 404,
    body: { error: `No top providers by app rewards found for round ${last - 1}` },
  });
  expect(await board("/v0/top-providers-by-app-rewards", last, 0)).toEqual({
    status: 400,
    body: { error: "Limit must be at least 1." },
  });
});

describe("a range of rounds is refused", () => {
  test("that is not one, is too long, or is not known", async () => {
    for (const [path, most] of [
      ["/v0/round-totals", 200],
      ["/v0/round-party-totals", 50],
    ] as const) {
      for (const [start, end, error] of [
        [-1, 0, "rounds must be non-negative: start_round -1, end_round 0"],
        [2, 1, "end_round 1 must be >= start_round 2"],
        [0, most, `Cannot request more than ${most} rounds at a time`],
        [
          0,
          last + 1,
          `Requested rounds range 0-${last + 1} is outside of the available rounds range 0-${last}`,
        ],
      ] as const) {
        expect(await world.postJson(path, inRounds(start, end))).toEqual({ status: 400, body: { error } });
      }
    }
  });

  test("before a round is closed", async () => {
    const young = await ServedWorld.start();
    const body = { error: "No aggregated rounds found" };
    expect(await young.postJson("/v0/round-totals", inRounds(0, 0))).toEqual({ status: 404, body });
    expect(await young.getJson("/v0/round-of-latest-data")).toEqual({
      status: 404,
      body: { error: "No data has been made available yet" },
    });
    expect(await young.getJson("/v0/top-providers-by-app-rewards?round=0&limit=1")).toEqual({
      status: 404,
      body: { error: "Data for round 0 not yet computed" },
    });
  });
});

test("an index from before begins with the next round that opens, and counts rewards from the first", async () => {
  const world = new ScannedWorld();
  const economy = new CountedEconomy(world);
  economy.live(4);
  const path = join(world.folder, "former.db");
  await world.scan();
  const former = openScanReplica(world.log.log, path);
  await former.catchUp();
  former.index.state.database.exec(WITHOUT_SUMS);
  former.close();
  const opened = economy.round;
  economy.live(9);
  await world.scan();
  const again = openScanReplica(world.log.log, path);
  await again.catchUp();
  const [whole, later] = [world.node.index.roundTotals, again.index.roundTotals];
  const range = later.findRange();
  if (range === undefined) throw new Error("no round is known");
  expect(range.first).toBeGreaterThan(opened);
  expect(range.last).toBe(economy.lastClosed);
  expect(later.list(range)).toEqual(whole.list(range));
  expect(whole.findRange()?.first).toBe(0n);
  const rounds = whole.list(range).map(({ round }) => round);
  const sumsOf = (totals: typeof whole) =>
    rounds.flatMap((round) =>
      totals.listParties(round, 1000).map(({ party, sums }) => ({ party, round, sums })),
    );
  expect(sumsOf(later)).toEqual(sumsOf(whole));
  expect(sumsOf(later).length).toBeGreaterThan(1);
  again.close();
});
