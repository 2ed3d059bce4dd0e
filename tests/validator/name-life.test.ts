// A name's life over HTTP: asked for, paid, live, renewed by itself and by hand, not renewed, cancelled, gone.

import { HttpError, type SubscriptionListItem } from "@callsign/api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { LocalNetwork } from "../support/local-network.ts";
import type { ValidatorClient } from "../support/network-clients.ts";

let network: LocalNetwork;
let wallet: ValidatorClient;

beforeAll(async () => {
  network = await LocalNetwork.start();
  wallet = network.validator();
});
afterAll(() => network.close());

const entry = (name: string) => ({ name, url: "https://alice.example/", description: "Alice" });

async function statusOf(call: Promise<unknown>): Promise<number> {
  return await call.then(
    () => 200,
    (error: unknown) => (error instanceof HttpError ? error.status : 0),
  );
}

async function lookUp(name: string) {
  return (await wallet.scanProxyLookupAnsEntryByName({ params: { name } })).entry;
}

async function subscriptionTo(name: string): Promise<SubscriptionListItem> {
  const { subscriptions } = await wallet.listSubscriptions();
  const found = subscriptions.find(({ subscription }) => JSON.stringify(subscription.payload).includes(name));
  if (found === undefined) throw new Error(`no subscription to ${name}`);
  return found;
}

function idleStateOf({ state }: SubscriptionListItem): string {
  if ("idle" in state) return state.idle.contract_id;
  throw new Error("a payment is on its way");
}

async function owned(name: string) {
  return (await wallet.listAnsEntries()).entries.find((each) => each.name === name);
}

async function balance(): Promise<string> {
  return (await wallet.getBalance()).effective_unlocked_qty;
}

test("the wallet of the node's user is there from the start", async () => {
  const status = await wallet.userStatus();
  expect(status).toEqual({
    party_id: expect.stringMatching(/^app_user_localnet-localparty-1::1220[0-9a-f]{64}$/),
    user_onboarded: true,
    user_wallet_installed: true,
    has_featured_app_right: false,
  });
});

describe("asking for a name", () => {
  test("without coin a name can be requested, but not accepted, and nothing is locked", async () => {
    const { subscriptionRequestCid } = await wallet.createAnsEntry({ body: entry("poor") });
    const refused = await wallet
      .acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HttpError);
    expect((refused as HttpError).status).toBe(400);
    expect((refused as HttpError).body).toEqual({ error: expect.stringContaining("200.0 more is needed") });
    expect((await wallet.getBalance()).effective_locked_qty).toBe("0.0000000000");
    await wallet.rejectSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    expect(await wallet.listSubscriptionRequests()).toEqual({ subscription_requests: [] });
    const gone = { params: { contract_id: subscriptionRequestCid } };
    const error = expect.stringContaining(
      `Contract id not found: ContractId(id = ${subscriptionRequestCid})`,
    );
    for (const call of [wallet.getSubscriptionRequest, wallet.acceptSubscriptionRequest])
      await expect(call(gone)).rejects.toMatchObject({ status: 404, body: { error } });
    // The repeated rejection gets its first answer.
    await wallet.rejectSubscriptionRequest(gone);
  });

  test("a tap is in dollars, and the same command taps once", async () => {
    const tapped = await wallet.tap({ body: { amount: "10", command_id: "my tap" } });
    expect(tapped.contract_id).toMatch(/^00[0-9a-f]{136}$/);
    expect(await balance()).toBe("2000.0000000000");
    expect(await wallet.tap({ body: { amount: "10", command_id: "my tap" } })).toEqual(tapped);
    expect(await statusOf(wallet.tap({ body: { amount: "11", command_id: "my tap" } }))).toBe(409);
    expect(await balance()).toBe("2000.0000000000");
  });

  test("the same request gives the same contracts, also many at once and with the full name", async () => {
    const names = ["alice", "alice.unverified.cns", "alice", "alice"];
    const made = await Promise.all(names.map((name) => wallet.createAnsEntry({ body: entry(name) })));
    expect(new Set(made.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(made[0]).toMatchObject({
      name: "alice.unverified.cns",
      url: "https://alice.example/",
      description: "Alice",
    });
    const { subscription_requests } = await wallet.listSubscriptionRequests();
    expect(subscription_requests.map(({ contract_id }) => contract_id)).toEqual([
      made[0]?.subscriptionRequestCid,
    ]);
    const other = await wallet.createAnsEntry({ body: { ...entry("alice"), description: "another" } });
    expect(other.subscriptionRequestCid).not.toBe(made[0]?.subscriptionRequestCid);
    await wallet.rejectSubscriptionRequest({ params: { contract_id: other.subscriptionRequestCid } });
  });
});

describe("a name that is paid", () => {
  test("is live on scan and in the list; accepting twice at once makes one payment", async () => {
    const { subscriptionRequestCid } = await wallet.createAnsEntry({ body: entry("alice") });
    const request = { params: { contract_id: subscriptionRequestCid } };
    const accepted = await Promise.all([
      wallet.acceptSubscriptionRequest(request),
      wallet.acceptSubscriptionRequest(request),
    ]);
    expect(accepted[0]).toEqual(accepted[1]);
    await network.net.settle();
    const live = await lookUp("alice.unverified.cns");
    expect(live).toMatchObject({ url: "https://alice.example/", description: "Alice" });
    expect(await owned("alice.unverified.cns")).toEqual({
      contractId: `ContractId(${live.contract_id})`,
      name: "alice.unverified.cns",
      amount: "1.0000000000",
      unit: "USDUNIT",
      expiresAt: String(Date.parse(live.expires_at ?? "")),
      paymentInterval: String(90n * DAY),
      paymentDuration: String(30n * DAY),
      url: "https://alice.example/",
      description: "Alice",
      state: "subscribed",
      autoRenewal: true,
      nextPaymentFrom: String(Date.parse(live.expires_at ?? "") - 30 * 86_400_000),
      nextPaymentDueAt: String(Date.parse(live.expires_at ?? "")),
      primary: false,
    });
    expect(await balance()).toBe("1800.0000000000");
  });

  test("cannot be requested again, by its owner or by somebody else", async () => {
    expect(await statusOf(wallet.createAnsEntry({ body: entry("alice") }))).toBe(409);
    const other = network.validator("app-provider");
    expect(await statusOf(other.createAnsEntry({ body: entry("alice.unverified.cns") }))).toBe(409);
    expect(await other.listSubscriptionRequests()).toEqual({ subscription_requests: [] });
  });

  test("cannot be paid too early", async () => {
    const { subscription, auto_renewal } = await subscriptionTo("alice.unverified.cns");
    expect(auto_renewal).toBe(true);
    const call = wallet.paySubscription({ params: { subscription_id: subscription.contract_id } });
    await expect(call).rejects.toThrow(/status 400.*too early/);
    expect(await balance()).toBe("1800.0000000000");
  });

  test("renews itself from day 60 on, once", async () => {
    const before = await lookUp("alice.unverified.cns");
    await network.net.moveClock(59n * DAY);
    expect(await lookUp("alice.unverified.cns")).toEqual(before);
    await network.net.moveClock(2n * DAY);
    const after = await lookUp("alice.unverified.cns");
    expect(Date.parse(after.expires_at ?? "") - Date.parse(before.expires_at ?? "")).toBe(90 * 86_400_000);
    expect(await balance()).toBe("1600.0000000000");
    await network.net.moveClock(1n * DAY);
    expect(await balance()).toBe("1600.0000000000");
  });
});

describe("automatic renewal", () => {
  test("switched off, the name is not renewed, and can be paid by hand", async () => {
    const item = await subscriptionTo("alice.unverified.cns");
    const params = { subscription_id: item.subscription.contract_id };
    for (const enabled of [false, false]) {
      expect(await wallet.setAutoRenewal({ params, body: { enabled } })).toEqual({ enabled });
    }
    expect((await subscriptionTo("alice.unverified.cns")).auto_renewal).toBe(false);
    expect(await owned("alice.unverified.cns")).toMatchObject({ state: "subscribed", autoRenewal: false });
    const before = await lookUp("alice.unverified.cns");
    await network.net.moveClock(89n * DAY);
    expect(await lookUp("alice.unverified.cns")).toEqual(before);
    expect(await balance()).toBe("1600.0000000000");
    const { payment_contract_id } = await wallet.paySubscription({ params });
    expect(payment_contract_id).toMatch(/^00/);
    await network.net.settle();
    expect(await balance()).toBe("1400.0000000000");
    expect((await lookUp("alice.unverified.cns")).expires_at).not.toBe(before.expires_at);
  });

  test("switched on again, the name is renewed, and every payment merges the coins", async () => {
    const item = await subscriptionTo("alice.unverified.cns");
    const params = { subscription_id: item.subscription.contract_id };
    await wallet.setAutoRenewal({ params, body: { enabled: true } });
    expect((await subscriptionTo("alice.unverified.cns")).auto_renewal).toBe(true);
    await network.net.moveClock(91n * DAY);
    expect(await balance()).toBe("1200.0000000000");
  });

  test("with too little coin the renewal waits, and is paid when coin arrives", async () => {
    const other = network.validator("app-provider");
    await other.tap({ body: { amount: "1.2" } });
    await network.buy(other, "bob");
    expect((await other.getBalance()).effective_unlocked_qty).toBe("40.0000000000");
    const find = () => other.scanProxyLookupAnsEntryByName({ params: { name: "bob.unverified.cns" } });
    const before = await find();
    await network.net.moveClock(70n * DAY);
    expect(await find()).toEqual(before);
    await other.tap({ body: { amount: "0.9" } });
    await network.net.settle();
    expect((await other.getBalance()).effective_unlocked_qty).toBe("20.0000000000");
    expect((await find()).entry.expires_at).not.toBe(before.entry.expires_at);
  });
});

describe("a subscription that is cancelled", () => {
  test("leaves its name to the owner until it expires", async () => {
    const item = await subscriptionTo("alice.unverified.cns");
    const byState = { params: { contract_id: idleStateOf(item) } };
    const bySubscription = { params: { contract_id: item.subscription.contract_id } };
    expect(await statusOf(wallet.cancelSubscriptionRequest(bySubscription))).toBe(404);
    await wallet.cancelSubscriptionRequest(byState);
    // The repeated cancellation gets its first answer.
    await wallet.cancelSubscriptionRequest(byState);
    await network.net.settle();
    await expect(subscriptionTo("alice.unverified.cns")).rejects.toThrow("no subscription");
    expect(await lookUp("alice.unverified.cns")).toMatchObject({ name: "alice.unverified.cns" });
    expect(await owned("alice.unverified.cns")).toMatchObject({
      ...{ amount: "1.0000000000", unit: "USDUNIT", state: "cancelled", autoRenewal: false },
      ...{ nextPaymentFrom: null, nextPaymentDueAt: null },
    });
    const before = await balance();
    await network.net.moveClock(200n * DAY);
    expect(
      await statusOf(wallet.scanProxyLookupAnsEntryByName({ params: { name: "alice.unverified.cns" } })),
    ).toBe(404);
    expect(await owned("alice.unverified.cns")).toBeUndefined();
    expect(await balance()).toBe(before);
  });

  test("frees its name for somebody else", async () => {
    const other = network.validator("app-provider");
    await other.tap({ body: { amount: "5" } });
    await network.buy(other, "alice");
    const { party_id } = await other.userStatus();
    expect(await lookUp("alice.unverified.cns")).toMatchObject({ user: party_id });
  });
});

test("many taps and names of one wallet at once do not compete for its coins", async () => {
  const before = Number(await balance());
  const names = Array.from({ length: 6 }, (_, i) => `many-${i}`);
  const requests = await Promise.all(names.map((name) => wallet.createAnsEntry({ body: entry(name) })));
  const taps = names.map(() => wallet.tap({ body: { amount: "1" } }));
  const accepts = requests.map(({ subscriptionRequestCid }) =>
    wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } }),
  );
  await Promise.all([...taps, ...accepts]);
  await network.net.settle();
  expect(Number(await balance())).toBe(before);
  const { entries } = await wallet.listAnsEntries();
  expect(entries.map(({ name }) => name).sort()).toEqual(names.map((name) => `${name}.unverified.cns`));
});
