// The end of a name, to the microsecond, and the parties that may end it. The clock is stopped for exact times.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "../../packages/api/src/scan/record-time.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { formatTime, parseTime, type Time, timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import type { NodeName } from "../../packages/localnet/src/ports.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { entryContract, expireEntry, submitAsUser } from "./own-commands.ts";

const PRICE = decimal("200");
const SCANS = [1, 2, 3, 4];
const MINUTE = 60_000_000n;

let world: LocalNetwork;
/** The time at which the sequencers' clock is stopped; null while it runs. */
let still: Time | null = null;
const machineTime = () => timeFromMicros(BigInt(Date.now()) * 1000n);

beforeAll(async () => {
  world = await LocalNetwork.start({ clock: () => still ?? machineTime() });
  await world.tap("app-user", "100");
  await world.tap("app-provider", "100");
});
afterAll(() => world?.close());

function recordTime(): Time {
  return world.net.svs[0]?.replica.state.head.recordTime as Time;
}

/** Lets the ledger stand at exactly this time, with the clock still, and every replica there. */
async function standAt(time: Time): Promise<void> {
  const far = time - recordTime() - 10n * MINUTE;
  if (far > 0n) await world.net.moveClock(far);
  await world.net.settle();
  still ??= machineTime();
  const first = world.net.svs[0];
  await first?.moveClock(1n);
  await first?.moveClock(time - recordTime() - 1n);
  expect(await world.digestsAgree()).toBe(true);
  expect(recordTime()).toBe(time);
}

async function endOf(name: string): Promise<Time> {
  const { entry } = await world.scan().lookupAnsEntryByName({ params: { name } });
  const end = parseTime(entry.expires_at ?? "");
  if (!end.ok) throw new Error(end.error);
  return end.value;
}

async function subscriptionOf(node: NodeName) {
  const { subscriptions } = await world.validator(node).listSubscriptions();
  expect(subscriptions.length).toBe(1);
  const [item] = subscriptions as [(typeof subscriptions)[number]];
  return { id: item.subscription.contract_id, item };
}

async function switchRenewal(node: NodeName, enabled: boolean): Promise<void> {
  const params = { subscription_id: (await subscriptionOf(node)).id };
  await world.validator(node).setAutoRenewal({ params, body: { enabled } });
}

async function isShown(name: string, party: string): Promise<readonly boolean[]> {
  return await Promise.all(
    SCANS.map(async (number) => {
      const byName = (await world.owner(name, number)) === party;
      const byParty = await outcomeOf(world.scan(number).lookupAnsEntryByParty({ params: { party } }));
      const { entries } = await world.scan(number).listAnsEntries({ query: { page_size: 50 } });
      const isListed = entries.some((entry) => entry.name === name);
      expect([byParty.status === 200, isListed]).toEqual([byName, byName]);
      return byName;
    }),
  );
}

const DAY = 86_400_000_000n;

describe("with automatic renewal switched off", () => {
  const name = "by-hand.unverified.cns";

  test("a renewal cannot be paid before day 60, and is not paid on it", async () => {
    await world.buy("app-user", { name: "by-hand" });
    await switchRenewal("app-user", false);
    const { id: subscription_id, item } = await subscriptionOf("app-user");
    expect(item.auto_renewal).toBe(false);
    const end = await endOf(name);
    await standAt(timeFromMicros(end - 30n * DAY - 1000n));
    const early = await outcomeOf(
      world.validator("app-user").paySubscription({ params: { subscription_id } }),
    );
    expect(early).toEqual({ status: 400, body: { error: expect.stringContaining("too early") } });
    still = null;
    await world.net.moveClock(MINUTE);
    expect(await endOf(name)).toBe(end);
  });

  test("a renewal can be paid by hand from day 60 on, and extends the name by ninety days", async () => {
    const before = await world.unlocked("app-user");
    const end = await endOf(name);
    const params = { subscription_id: (await subscriptionOf("app-user")).id };
    await world.validator("app-user").paySubscription({ params });
    await world.net.settle();
    expect((await endOf(name)) - end).toBe(90n * DAY);
    expect(before - (await world.unlocked("app-user"))).toBe(PRICE);
    const again = await outcomeOf(world.validator("app-user").paySubscription({ params }));
    expect(again.status).toBe(400);
  });

  test("a name is renewed at once when automatic renewal is switched on while its renewal is due", async () => {
    await world.forward(91);
    const end = await endOf(name);
    await world.net.settle();
    expect(await endOf(name)).toBe(end);
    await switchRenewal("app-user", true);
    await world.net.settle();
    expect((await endOf(name)) - end).toBe(90n * DAY);
  });

  test("a cancelled subscription cannot be paid, and its name stays until its end", async () => {
    const { id: subscription_id, item } = await subscriptionOf("app-user");
    if (!("idle" in item.state)) throw new Error("the subscription is not idle");
    const params = { contract_id: item.state.idle.contract_id };
    await world.validator("app-user").cancelSubscriptionRequest({ params });
    const paid = await outcomeOf(
      world.validator("app-user").paySubscription({ params: { subscription_id } }),
    );
    expect(paid.status).toBe(404);
    await world.net.settle();
    const end = await endOf(name);
    await standAt(timeFromMicros(end - 1n));
    expect(await isShown(name, await world.party("app-user"))).toEqual([true, true, true, true]);
    expect(await world.owned("app-user")).toEqual([name]);
    still = null;
    await world.net.moveClock(MINUTE);
    expect(await world.owner(name)).toBeNull();
    expect(await world.owned("app-user")).toEqual([]);
  });
});

describe("a name that nobody renews", () => {
  const name = "last.unverified.cns";
  let end: Time;
  let contract: string;

  test("cannot be ended before its time by anybody, its owner included", async () => {
    await world.buy("app-user", { name: "last" });
    await switchRenewal("app-user", false);
    end = await endOf(name);
    contract = await entryContract(world, name);
    // However many entries follow, each a microsecond after the one before it, the end is not reached.
    await standAt(timeFromMicros(end - 1000n));
    const [owner, stranger] = [await world.party("app-user"), await world.party("app-provider")];
    for (const [node, actor] of [
      ["app-user", owner],
      ["app-user", stranger],
      ["app-provider", stranger],
      ["app-provider", owner],
    ] as const) {
      const party = await world.party(node);
      const { status } = await outcomeOf(submitAsUser(world, { node, party }, expireEntry(contract, actor)));
      expect([node, actor, status >= 400 && status < 500]).toEqual([node, actor, true]);
    }
    expect(recordTime()).toBeLessThan(end);
    expect(await isShown(name, owner)).toEqual([true, true, true, true]);
  });

  test("resolves up to and including its last microsecond, and not after it", async () => {
    await standAt(timeFromMicros(end - 1n));
    expect(await isShown(name, await world.party("app-user"))).toEqual([true, true, true, true]);
    expect(await world.owned("app-user")).toEqual([name]);
    for (const { automation } of world.net.svs) await automation.stop();
    // The next entry stands at the end itself. That makes the name due, and the tick after it stands behind the end.
    const asked = SCANS.flatMap((number) => [
      lookUpFrom(number, name, end),
      lookUpFrom(number, name, timeFromMicros(end + 1n)),
    ]);
    for (let i = 0; i < 3; i++) await isShown(name, await world.party("app-user"));
    // A refused one is an entry like any other.
    await expect(world.net.svs[0]?.moveClock(0n)).rejects.toThrow("The clock moves forward");
    const seen = await Promise.all(asked);
    expect(seen.filter(({ at, shown }) => shown !== at <= end)).toEqual([]);
    expect(seen).toContainEqual({ at: end, shown: true });
    expect(seen).toContainEqual({ at: end + 1n, shown: false });
    still = null;
    // The validator asks for the time only now and then.
    await expect.poll(() => world.owned("app-user"), { timeout: 60_000 }).toEqual([]);
  });

  test("can be ended after its time by its owner, and by no stranger", async () => {
    const [owner, stranger] = [await world.party("app-user"), await world.party("app-provider")];
    const tries = [
      ["app-provider", stranger],
      ["app-provider", owner],
      ["app-user", stranger],
    ] as const;
    for (const [node, actor] of tries) {
      const party = await world.party(node);
      const { status } = await outcomeOf(submitAsUser(world, { node, party }, expireEntry(contract, actor)));
      expect([node, actor, status >= 400 && status < 500]).toEqual([node, actor, true]);
    }
    const end = () => submitAsUser(world, { node: "app-user", party: owner }, expireEntry(contract, owner));
    await end();
    const again = await outcomeOf(end());
    expect(again.status).toBe(404);
  });

  test("can then be bought by another user", async () => {
    for (const { automation } of world.net.svs) automation.start();
    await world.net.settle();
    expect((await world.validator("app-user").listSubscriptions()).subscriptions).toEqual([]);
    await world.buy("app-provider", { name });
    expect(await isShown(name, await world.party("app-provider"))).toEqual([true, true, true, true]);
    expect(await world.owned("app-provider")).toEqual([name]);
    expect(await world.owned("app-user")).toEqual([]);
  });
});

interface Seen {
  /** The record time that the answer was true at. */
  readonly at: bigint;
  readonly shown: boolean;
}

/** A scan's answer for the name once it has reached that time. */
async function lookUpFrom(number: number, name: string, time: Time): Promise<Seen> {
  const url = `${world.net.svs[number - 1]?.scanUrl}/api/scan/v0/ans-entries/by-name/${name}`;
  const response = await fetch(url, { headers: { [WAIT_FOR_HEADER]: formatTime(time) } });
  await response.arrayBuffer();
  expect([200, 404]).toContain(response.status);
  const at = parseTime(response.headers.get(RECORD_TIME_HEADER) ?? "");
  if (!at.ok) throw new Error(at.error);
  return { at: at.value, shown: response.status === 200 };
}
