// Traffic for the validator's participant: bought when little is left, and not before the interval is over.

import { createClient, scanApi } from "@callsign/api";
import { type PartyId, ValidatorTopUpState } from "@callsign/ledger";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LocalNetwork } from "../support/local-network.ts";

const TOPUP = { targetThroughput: 20_000, minTopupIntervalSeconds: 60 };
const SECOND = 1_000_000n;

let network: LocalNetwork;
let operator: PartyId;

beforeAll(async () => {
  network = await LocalNetwork.start({ topup: TOPUP, freeTrafficBytes: 40_000n });
  await network.net.settle();
  operator = network.net.nodes["app-user"].validator.operatorParty() as PartyId;
});
afterAll(() => network?.close());

async function traffic(node: "app-user" | "app-provider" = "app-user") {
  const [{ scanUrl }] = network.net.svs as unknown as [{ scanUrl: string }];
  const scan = createClient(scanApi, { fetch, baseUrl: `${scanUrl}/api/scan` });
  const { participantId } = await network.ledger(node).getParticipantId();
  const { connectedSynchronizers } = await network.ledger(node).listConnectedSynchronizers({});
  const params = {
    domain_id: connectedSynchronizers[0]?.synchronizerId ?? "",
    member_id: `PAR::${participantId}`,
  };
  const { traffic_status } = await scan.getMemberTrafficStatus({ params });
  return { bought: traffic_status.target.total_purchased, used: traffic_status.actual.total_consumed };
}

async function lastPurchase(): Promise<bigint> {
  const states = await network.listActive(ValidatorTopUpState, operator);
  expect(states).toHaveLength(1);
  return states[0]?.payload.lastPurchasedAt ?? 0n;
}

/** Until bytes beyond the free ones were used. */
async function useUpFree(): Promise<void> {
  const { used } = await traffic();
  for (let i = 0; i < 200 && (await traffic()).used === used; i++)
    await network.validator().tap({ body: { amount: "0.01", command_id: `use-${i}-${network.net.now()}` } });
  expect((await traffic()).used).toBeGreaterThan(used);
}

test("the first purchase covers one interval, and its tap leaves no coin behind", async () => {
  expect(await traffic()).toEqual({ bought: 1_200_000, used: 0 });
  expect(await lastPurchase()).toBeGreaterThan(0n);
  expect((await network.validator().getBalance()).effective_unlocked_qty).toBe("0.0000000000");
});

test("traffic that runs low is bought once, and not before the interval is over", async () => {
  const first = await lastPurchase();
  await useUpFree();
  await network.net.settle();
  expect((await traffic()).bought).toBe(1_200_000);
  await network.net.moveClock(first + 59n * SECOND - network.net.now());
  expect((await traffic()).bought).toBe(1_200_000);
  await network.net.moveClock(2n * SECOND);
  expect((await traffic()).bought).toBe(2_400_000);
  expect(await lastPurchase()).toBeGreaterThanOrEqual(first + 60n * SECOND);
});

test("while enough traffic is left no more is bought, however old the last purchase is", async () => {
  const before = await lastPurchase();
  await network.net.moveClock(600n * SECOND);
  expect(await lastPurchase()).toBe(before);
  expect((await traffic()).bought).toBe(2_400_000);
  // Exactly what an interval needs is enough.
  expect(await traffic("app-provider")).toEqual({ bought: 1_200_000, used: 0 });
});

test("a restart buys nothing", async () => {
  const before = [await lastPurchase(), (await traffic()).bought];
  const again = await network.startValidator(["app-user"], "again", { topup: TOPUP });
  expect([await lastPurchase(), (await traffic()).bought]).toEqual(before);
  await again.close();
});

test("traffic is bought for the configured migration", async () => {
  // More than is left.
  const topup = { ...TOPUP, targetThroughput: 200_000, migrationId: 7n };
  const moved = await network.startValidator(["app-user"], "moved", { topup });
  await moved.idle();
  const states = await network.listActive(ValidatorTopUpState, operator);
  expect(states.map(({ payload }) => payload.migrationId).sort()).toEqual([0n, 7n]);
  // This network is at its first one, where it counts for nothing.
  expect((await traffic()).bought).toBe(2_400_000);
  await moved.close();
});
