// The seed's table of states, row by row, over HTTP: one name as its users see it, with the clock moved.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start({ separateReplicas: true });
});
afterAll(() => world?.close());

/** The entry fee is one dollar, and a coin costs half a cent. */
const PRICE = decimal("200");

describe("a name", () => {
  test("costs one dollar's worth of coin, which is burned; every scan finds it by name and by party", async () => {
    await world.tap("app-user", "10");
    const before = await world.unlocked("app-user");
    const requested = await world.request("app-user", {
      name: "alice",
      url: "https://example.com",
      description: "Hi",
    });
    expect(requested).toMatchObject({
      name: "alice.unverified.cns",
      url: "https://example.com",
      description: "Hi",
    });
    expect(await world.owner("alice.unverified.cns")).toBeNull();
    const { subscription_requests } = await world.validator("app-user").listSubscriptionRequests();
    expect(subscription_requests.map(({ contract_id }) => contract_id)).toEqual([
      requested.subscriptionRequestCid,
    ]);

    await world.accept("app-user", requested.subscriptionRequestCid);
    await world.net.settle();
    const party = await world.party("app-user");
    for (const scan of [1, 2, 3, 4]) {
      const { entry } = await world
        .scan(scan)
        .lookupAnsEntryByName({ params: { name: "alice.unverified.cns" } });
      expect(entry).toMatchObject({ user: party, url: "https://example.com", description: "Hi" });
      const back = await world.scan(scan).lookupAnsEntryByParty({ params: { party } });
      expect(back.entry).toEqual(entry);
    }
    expect(await world.owned("app-user")).toEqual(["alice.unverified.cns"]);
    expect(before - (await world.unlocked("app-user"))).toBe(PRICE);
    expect(await world.locked("app-user")).toBe(0n);
    expect(await world.digestsAgree()).toBe(true);
  });

  test("is renewed automatically from thirty days before its end", async () => {
    const before = await world.unlocked("app-user");
    const lookup = () => world.scan().lookupAnsEntryByName({ params: { name: "alice.unverified.cns" } });
    const first = (await lookup()).entry.expires_at ?? "";
    await world.forward(59);
    expect((await lookup()).entry.expires_at).toBe(first);
    await world.forward(1);
    const renewed = (await lookup()).entry.expires_at ?? "";
    expect(Date.parse(renewed) - Date.parse(first)).toBe(90 * 86_400_000);
    expect(before - (await world.unlocked("app-user"))).toBeGreaterThanOrEqual(PRICE);
    expect(await world.digestsAgree()).toBe(true);
  });

  test("that is cancelled resolves and is listed until its end, and not after it", async () => {
    const { subscriptions } = await world.validator("app-user").listSubscriptions();
    const [{ state }] = subscriptions as [(typeof subscriptions)[number]];
    if (!("idle" in state)) throw new Error("the subscription is not idle");
    const contract_id = state.idle.contract_id;
    await world.validator("app-user").cancelSubscriptionRequest({ params: { contract_id } });
    await world.net.settle();
    expect(await world.owner("alice.unverified.cns")).toBe(await world.party("app-user"));
    expect(await world.owned("app-user")).toEqual(["alice.unverified.cns"]);
    await world.forward(119);
    expect(await world.owner("alice.unverified.cns")).not.toBeNull();
    await world.forward(1);
    expect(await world.owner("alice.unverified.cns")).toBeNull();
    expect(await world.owned("app-user")).toEqual([]);
  });

  test("can be bought by another user after its end", async () => {
    await world.tap("app-provider", "10");
    await world.buy("app-provider", { name: "alice.unverified.cns" });
    expect(await world.owner("alice.unverified.cns")).toBe(await world.party("app-provider"));
  });

  test("cannot be bought while it is held", async () => {
    const { status, body } = await outcomeOf(world.request("app-user", { name: "alice" }));
    expect([status, body]).toEqual([409, { error: expect.stringContaining("alice.unverified.cns") }]);
  });
});

describe("too little coin", () => {
  test("refuses an acceptance at once, and enough coin lets it pass", async () => {
    const { subscriptionRequestCid } = await world.request("sv", { name: "poor" });
    const { head } = world.net.svs[0]?.replica.state ?? {};
    const refused = await outcomeOf(world.accept("sv", subscriptionRequestCid));
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(world.net.svs[0]?.replica.state.head.sequence).toBe(head?.sequence);
    await world.tap("sv", "1.5");
    await world.accept("sv", subscriptionRequestCid);
    await world.net.settle();
    expect(await world.owner("poor.unverified.cns")).toBe(await world.party("sv"));
  });

  test("a name is not renewed while coin is short, and is renewed once there is enough", async () => {
    const end = async () =>
      (await world.scan().lookupAnsEntryByName({ params: { name: "poor.unverified.cns" } })).entry.expires_at;
    const first = await end();
    await world.forward(61);
    const before = await world.unlocked("sv");
    if (before >= PRICE) throw new Error("the test needs a poor wallet");
    expect(await end()).toBe(first);
    await world.tap("sv", "10");
    await world.net.settle();
    expect(await end()).not.toBe(first);
  });

  test("at the end of the name's life lets it lapse", async () => {
    const spent = await world.unlocked("sv");
    expect(spent).toBeGreaterThan(0n);
    const { subscriptions } = await world.validator("sv").listSubscriptions();
    const subscription_id = subscriptions[0]?.subscription.contract_id ?? "";
    await world.validator("sv").setAutoRenewal({ params: { subscription_id }, body: { enabled: false } });
    await world.forward(200);
    expect(await world.owner("poor.unverified.cns")).toBeNull();
    expect(await world.owned("sv")).toEqual([]);
  });
});
