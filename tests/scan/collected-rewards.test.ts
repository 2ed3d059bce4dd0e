import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Amulet } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { AppRewardCoupon } from "../../packages/ledger/src/contracts/splice-amulet/declarations/reward-coupons.ts";
import {
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { createCommand, exerciseCommand } from "../../packages/ledger/src/engine/command.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { type Decimal, decimal, formatDecimal } from "../../packages/ledger/src/values/decimal.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import { Economy } from "./economy.ts";
import { MINTING_WAYS } from "./minting-ways.ts";
import { ScannedWorld } from "./name-world.ts";
import { FORMER_INDEX, openScanReplica, type ScanReplica } from "./scan-replica.ts";
import { ServedWorld } from "./served-world.ts";

const REWARDS = "/v0/rewards-collected";
const NOT_YET = { status: 404, body: { error: "No data has been made available yet" } };

const found = (units: bigint) => ({ status: 200, body: { amount: formatDecimal(units as Decimal) } });

/** The last round such that none up to it is open, summarised or issuing, by the ledger's contracts. */
function lastClosed({ network }: Economy): bigint {
  const numbers = [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound].flatMap((template) =>
    network.active(template, network.dso).map(({ payload }) => payload.round.number),
  );
  return numbers.reduce((least, number) => (number < least ? number : least)) - 1n;
}

function collectedIn(economy: Economy, round: bigint): bigint {
  const { app, validator } = economy.expected.get(round) ?? { app: 0n, validator: 0n };
  return app + validator;
}

function earnAndMint(economy: Economy, rounds: number): void {
  for (let i = 0; i < rounds; i++) {
    economy.earn();
    economy.mintAll();
    economy.dso.nextRound();
  }
}

test("minted rewards count in the round of the transfer, once it and all rounds before it are closed", async () => {
  const world = await ServedWorld.start();
  const economy = new Economy(world);
  const seen = new Set<string>();
  for (let i = 0; i < 9; i++) {
    earnAndMint(economy, 1);
    await world.scan();
    const last = lastClosed(economy);
    let total = 0n;
    for (let round = -1n; round <= last + 3n; round++) {
      const answer = await world.getJson(`${REWARDS}?round=${round}`);
      const isKnown = last >= 0n && round <= last;
      expect(answer).toEqual(isKnown ? found(collectedIn(economy, round)) : NOT_YET);
      if (isKnown) total += collectedIn(economy, round);
    }
    expect(await world.getJson(REWARDS)).toEqual(found(total));
    expect(await world.getJson("/v0/aggregated-rounds")).toEqual(
      last < 0n
        ? { status: 404, body: { error: "No aggregated rounds found" } }
        : { status: 200, body: { start: 0, end: Number(last) } },
    );
    seen.add(formatDecimal(total as Decimal));
  }
  // A round: 100 times the app's dollar at 0.005, a fifth of the 666.8 that were burned, and 570 for being up.
  expect([...seen]).toEqual(["0.0000000000", "20703.3600000000", "41406.7200000000"]);
});

test("rewards of every kind are kept, also of SVs and of open rounds", async () => {
  const world = new ScannedWorld();
  const economy = new Economy(world);
  earnAndMint(economy, 5);
  const { index } = await world.scan();
  expect([...economy.expected.keys()]).toEqual([3n, 4n, 5n]);
  const nothing = { "activity-record": 0n, "development-fund": 0n };
  for (const [round, sums] of economy.expected)
    expect(index.rewards.byKind(round)).toEqual({ ...nothing, ...sums });
  expect(economy.expected.get(4n)?.sv).toBeGreaterThan(0n);
});

describe("rewards count whoever mints them, and once", () => {
  test.each(Object.entries(MINTING_WAYS))("by %s", async (_way, mint) => {
    const world = new ScannedWorld();
    const economy = new Economy(world);
    economy.shop.tap(decimal("9000.0"));
    // The first coupon pays for a preapproval, which some of the ways need.
    economy.earnByApp();
    economy.earnByApp();
    while (economy.app.rewards().length === 0) economy.dso.nextRound();
    const [first, second, ...others] = economy.app.rewards();
    if (first === undefined || second === undefined) throw new Error("there is nothing to mint");
    expect(others).toEqual([]);
    economy.mint([first], (inputs) => MINTING_WAYS["a preapproval"](economy, inputs));
    const before = economy.expected.get(economy.round)?.app ?? 0n;
    economy.mint([second], (inputs) => mint(economy, inputs));
    const after = economy.expected.get(economy.round)?.app ?? 0n;
    expect(after).toBe(2n * before);
    const { index } = await world.scan();
    expect(index.rewards.byKind(economy.round)).toMatchObject({ app: after, validator: 0n, sv: 0n });
  });
});

describe("every scan says the same", () => {
  test("however far apart they read the log, stop and start again", async () => {
    const world = new ScannedWorld();
    const economy = new Economy(world);
    const late = join(world.folder, "late.db");
    earnAndMint(economy, 4);
    await world.scan();
    const first = openScanReplica(world.log.log, late);
    await first.catchUp();
    first.close();
    earnAndMint(economy, 4);
    await world.scan();
    const [again, fresh] = [late, join(world.folder, "fresh.db")].map((p) =>
      openScanReplica(world.log.log, p),
    );
    if (again === undefined || fresh === undefined) throw new Error("there are no nodes");
    await again.catchUp();
    await fresh.catchUp();
    const answers = ({ index: { rewards } }: ScanReplica) => ({
      total: rewards.total(),
      rounds: [-1n, 0n, 3n, 4n, 5n, 6n, 9n].map((round) => rewards.findByRound(round)),
      kinds: [3n, 4n, 5n, 6n, 7n, 8n].map((round) => rewards.byKind(round)),
    });
    expect(answers(again)).toEqual(answers(world.node));
    expect(answers(fresh)).toEqual(answers(world.node));
    expect(answers(fresh).total).toBeGreaterThan(0n);
    again.close();
    fresh.close();
  });

  test("but one that lags, which stands where it stood, and one that lies", async () => {
    const world = await ServedWorld.start();
    const economy = new Economy(world);
    earnAndMint(economy, 8);
    await world.scan();
    const then = await world.getJson(REWARDS);
    expect(then).toEqual(found(collectedIn(economy, 4n)));
    world.misbehaviour.behave("lag");
    earnAndMint(economy, 1);
    await world.scan();
    expect(await world.getJson(REWARDS)).toEqual(then);
    expect(await world.getJson(`${REWARDS}?round=4`)).toEqual(then);
    world.misbehaviour.behave("lie");
    expect(await world.getJson(REWARDS)).toEqual({ status: 200, body: { amount: "141406.7200000000" } });
    world.misbehaviour.behave("honest");
    expect(await world.getJson(REWARDS)).toEqual(found(collectedIn(economy, 4n) + collectedIn(economy, 5n)));
  });
});

test("rewards minted by rules of another DSO do not count", async () => {
  const world = new ScannedWorld();
  const economy = new Economy(world);
  const { network } = world;
  const forger = network.registerMember("forger");
  const dso = forger.party;
  const copies = [AmuletRules, OpenMiningRound].map((template) => {
    const [genuine] = network.active(template, network.dso);
    return createCommand(template, { ...genuine?.payload, dso } as never);
  });
  const issued = {
    dso,
    round: { number: 0n },
    issuancePerValidatorRewardCoupon: decimal("0.2"),
    issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
    issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
    issuancePerSvRewardCoupon: decimal("1.0"),
    opensAt: network.now,
    targetClosesAt: network.now,
    optIssuancePerValidatorFaucetCoupon: null,
  };
  const coupon = { provider: dso, featured: true, amount: decimal("7.0"), round: { number: 0n } };
  const made = network.submit(forger, {
    actAs: [dso],
    commands: [
      ...copies,
      createCommand(IssuingMiningRound, issued),
      createCommand(AppRewardCoupon, { dso, ...coupon, beneficiary: null }),
    ],
  });
  const [rules, openMiningRound, issuing, reward] = accept(made).created.map(
    ({ contract }) => contract.contractId,
  ) as [ContractId, ContractId, ContractId, ContractId];
  const minted = network.submit(forger, {
    actAs: [dso],
    commands: [
      exerciseCommand(AmuletRules, rules, "AmuletRules_Transfer", {
        transfer: {
          sender: dso,
          provider: dso,
          inputs: [{ tag: "InputAppRewardCoupon", value: reward }],
          outputs: [],
          beneficiaries: null,
        },
        context: {
          openMiningRound,
          issuingMiningRounds: [[{ number: 0n }, issuing]],
          validatorRights: [],
          featuredAppRight: null,
        },
        expectedDso: dso,
      }),
    ],
  });
  expect(accept(minted).created.map(({ contract }) => contract.templateId)).toEqual([Amulet.id]);
  earnAndMint(economy, 8);
  const { index } = await world.scan();
  expect(index.rewards.byKind(0n).app).toBe(0n);
  expect(index.rewards.total()).toBe(collectedIn(economy, 3n) + collectedIn(economy, 4n));
});

test("an index from before rewards were counted counts from then on", async () => {
  const world = new ScannedWorld();
  const economy = new Economy(world);
  earnAndMint(economy, 2);
  await world.scan();
  const path = join(world.folder, "old.db");
  const old = openScanReplica(world.log.log, path);
  await old.catchUp();
  old.database.exec(FORMER_INDEX);
  old.database.exec("create table scan_index as select 2 as version; drop table minted_reward");
  old.close();
  earnAndMint(economy, 6);
  await world.scan();
  const again = openScanReplica(world.log.log, path);
  await again.catchUp();
  expect(again.index.rewards.total()).toBe(world.node.index.rewards.total());
  expect(again.index.rewards.total()).toBeGreaterThan(0n);
  again.close();
});
