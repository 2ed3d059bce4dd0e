// Names whose renewal waits for coin, or will not come, in the operator's status, metrics and log.

import { makeToken } from "@callsign/localnet";
import { type Log, silentLog } from "@callsign/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { automationOf } from "../support/automation-of.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;
/** The warnings of the automation that renews subscriptions. */
const warnings: unknown[] = [];

beforeAll(async () => {
  const warn = (fields: { readonly automation?: string }) => {
    if (fields.automation === "renew-subscriptions") warnings.push(fields);
  };
  const log: Log = Object.assign(Object.create(silentLog), { warn, child: () => log });
  network = await LocalNetwork.start({ log });
  wallet = network.validator("app-user", await makeToken("rita"));
  await wallet.register();
});
afterAll(() => network?.close());

/** The end of each name, in seconds since 1970. */
async function ends(): Promise<Record<string, number>> {
  const { entries } = await wallet.listAnsEntries();
  return Object.fromEntries(
    entries.map(({ name, expiresAt }) => [name.split(".")[0], Number(expiresAt) / 1000]),
  );
}

/** The samples of the first validator, by cause. */
async function samples(metric: string): Promise<Record<string, number>> {
  const text = await (await fetch(network.net.metricsUrl)).text();
  const lines = [...text.matchAll(new RegExp(`^${metric}\\{(.*)\\} (.*)$`, "gm"))];
  const ours = lines.filter(([, labels]) => labels?.includes('node_name="app-user"'));
  expect(ours.every(([, labels]) => !labels?.includes("::"))).toBe(true);
  return Object.fromEntries(
    ours.map(([, labels, value]) => [/cause="(\w+)"/.exec(labels ?? "")?.[1], Number(value)]),
  );
}

async function subscriptionOf(name: string) {
  const { subscriptions } = await wallet.listSubscriptions();
  const found = subscriptions.find(({ subscription }) =>
    JSON.stringify(subscription.payload).includes(`${name}.unverified.cns`),
  );
  if (found === undefined) throw new Error(`no subscription to ${name}`);
  return found;
}

test("renewals that wait for coin are no failure: the operator reads the entry, its end and the missing coin", async () => {
  // Four names at 1 $, which are 200 coins, and 20 coins more.
  await wallet.tap({ body: { amount: "4.1" } });
  for (const name of ["first", "second", "cancelled", "manual"]) await network.buy(wallet, name);
  const { state } = await subscriptionOf("cancelled");
  const contract_id = "idle" in state ? state.idle.contract_id : "";
  await wallet.cancelSubscriptionRequest({ params: { contract_id } });
  const subscription_id = (await subscriptionOf("manual")).subscription.contract_id;
  await wallet.setAutoRenewal({ params: { subscription_id }, body: { enabled: false } });
  await network.forward(59);
  expect(await samples("callsign_entries_lapsing")).toEqual({ cancelled: 0, renewal_off: 0, coin: 0 });
  expect(await samples("callsign_entries_first_lapse_seconds")).toEqual({});
  await network.forward(2);
  // Each tap makes the automation retry both renewals.
  for (let i = 0; i < 6; i++) {
    await wallet.tap({ body: { amount: "0.0000000001" } });
    await network.settle();
  }
  const known = await ends();
  const waitOf = (name: string) => ({
    ...{ task: expect.any(String), for: "coin", reason: expect.stringContaining("Not enough coin: ") },
    details: {
      name: `${name}.unverified.cns`,
      ends_at: expect.any(String),
      coin_needed: "200.0000000000",
      coin_available: "20.0000001200",
    },
  });
  const status = await automationOf(
    network.validator("app-user", network.net.serviceToken),
    "renew-subscriptions",
  );
  expect(status).toMatchObject({ failed: 0, waiting: 2, stuck: [] });
  expect(status.waits).toEqual([waitOf("first"), waitOf("second")]);
  expect(status.waits.map(({ details }) => Date.parse(details?.["ends_at"] ?? "") / 1000)).toEqual([
    Math.floor((known["first"] ?? 0) * 1000) / 1000,
    Math.floor((known["second"] ?? 0) * 1000) / 1000,
  ]);
  expect(warnings).toEqual([]);
});

test("entries that will lapse are counted by cause, with the first end", async () => {
  const known = await ends();
  expect(await samples("callsign_entries_lapsing")).toEqual({ cancelled: 1, renewal_off: 1, coin: 2 });
  const first = await samples("callsign_entries_first_lapse_seconds");
  expect(Object.keys(first).sort()).toEqual(["cancelled", "coin", "renewal_off"]);
  expect(first["coin"]).toBeCloseTo(known["first"] ?? 0, 2);
  expect(first["cancelled"]).toBeCloseTo(known["cancelled"] ?? 0, 2);
  expect(first["renewal_off"]).toBeCloseTo(known["manual"] ?? 0, 2);
});

test("coin for one renewal goes to the name that expires first, and the other waits on", async () => {
  const before = await ends();
  await wallet.tap({ body: { amount: "1" } });
  await network.settle();
  const after = await ends();
  expect(after["first"]).toBe((before["first"] ?? 0) + 90 * 86_400);
  expect(after["second"]).toBe(before["second"]);
  expect(await samples("callsign_entries_lapsing")).toEqual({ cancelled: 1, renewal_off: 1, coin: 1 });
  const first = await samples("callsign_entries_first_lapse_seconds");
  expect(first["coin"]).toBeCloseTo(before["second"] ?? 0, 2);
});
