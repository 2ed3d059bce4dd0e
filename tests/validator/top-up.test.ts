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

/** Taps until the participant has used more than its free traffic. */
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
  await network.net.moveClock(first + 45n * SECOND - network.net.now());
  expect((await traffic()).bought).toBe(1_200_000);
  await network.net.moveClock(20n * SECOND);
  expect((await traffic()).bought).toBe(2_400_000);
  expect(await lastPurchase()).toBeGreaterThanOrEqual(first + 60n * SECOND);
});

test("while enough traffic is left no more is bought, however old the last purchase is", async () => {
  const before = await lastPurchase();
  await network.net.moveClock(600n * SECOND);
  expect(await lastPurchase()).toBe(before);
  expect((await traffic()).bought).toBe(2_400_000);
  // The bytes of exactly one interval are enough.
  expect(await traffic("app-provider")).toEqual({ bought: 1_200_000, used: 0 });
});

test("a restart buys nothing", async () => {
  const before = [await lastPurchase(), (await traffic()).bought];
  const again = await network.startValidator(["app-user"], "again", { topup: TOPUP });
  expect([await lastPurchase(), (await traffic()).bought]).toEqual(before);
  await again.close();
});

test("a migration that is not the network's is refused, and no traffic is bought for it", async () => {
  const topup = { ...TOPUP, targetThroughput: 200_000 };
  const settings = { topup, migrationId: 7, waits: false };
  const moved = await network.startValidator(["app-user"], "moved", settings);
  const reason = /the network is at migration 0, and migrationId is 7: configure the network's/;
  await expect.poll(() => moved.missing(), { timeout: 60_000 }).toMatch(reason);
  await moved.close();
  const states = await network.listActive(ValidatorTopUpState, operator);
  expect(states.map(({ payload }) => payload.migrationId)).toEqual([0n]);
  // Its store has not become that migration's.
  const right = await network.startValidator(["app-user"], "moved");
  await right.close();
});

test("no traffic is bought without top-ups, for a throughput of 0, by an SV's validator and without a wallet", async () => {
  const before = (await traffic()).bought;
  const settings = [
    {},
    { topup: { ...TOPUP, targetThroughput: 0 } },
    { topup: { ...TOPUP, targetThroughput: 1_000_000 }, svValidator: true },
    { topup: { ...TOPUP, targetThroughput: 1_000_000 }, enableWallet: false },
  ];
  for (const [i, change] of settings.entries()) {
    const validator = await network.startValidator(["app-user"], `none-${i}`, change);
    const topUp = validator.automations().find(({ automation }) => automation === "top-up-traffic");
    expect(topUp).toMatchObject({ paused: true });
    await validator.close();
  }
  expect((await traffic()).bought).toBe(before);
});

test("while no more than the reserved traffic is left, users, sweeps and automatic acceptances are refused, and a top-up goes on", async () => {
  const topup = { targetThroughput: 1_000_000, minTopupIntervalSeconds: 60, reservedTraffic: 10_000_000 };
  const tap = (url: string, command_id: string) =>
    fetch(`${url}/v0/wallet/tap`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${network.net.nodes["app-user"].token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ amount: "1", command_id }),
    });
  const pausedAutomations = ["record-liveness", "top-up-traffic"] as const;
  const [sender, receiver] = [await network.party("app-user"), await network.party("app-provider")];
  await network.tap("app-provider", "1");
  await network.tap("app-user", "1");
  await network.validator("app-provider").createTransferOffer({
    body: {
      ...{ receiver_party_id: sender, amount: "1.0", description: "", tracking_id: "reserved" },
      expires_at: Number(network.net.now() + 3600n * SECOND),
    },
  });
  await network.settle();
  const poor = await network.startValidator(["app-user"], "reserved", {
    ...{ topup, pausedAutomations },
    walletSweep: { [sender]: { maxBalanceUSD: 0, minBalanceUSD: 0, receiver } },
    autoAcceptTransfers: { [sender]: { fromParties: [receiver] } },
  });
  const reason = expect.stringMatching(/bytes of bought traffic are left, and 10000000 are reserved/);
  for (const name of ["sweep-wallets", "accept-transfer-offers"]) {
    const status = () => poor.automations().find(({ automation }) => automation === name);
    await expect.poll(status).toMatchObject({ done: 0, waits: [{ reason }] });
  }
  const refused = await tap(poor.url, "reserved-1");
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: expect.stringMatching(/^Only \d+ bytes of bought traffic are left, and 10000000 are reserved/) },
  ]);
  await poor.close();
  await network.net.moveClock(60n * SECOND);
  const before = (await traffic()).bought;
  const bought = await network.startValidator(["app-user"], "reserved", { topup });
  expect((await traffic()).bought).toBe(before + 60_000_000);
  await expect.poll(async () => (await tap(bought.url, "reserved-2")).status, { timeout: 60_000 }).toBe(200);
  await bought.close();
});
