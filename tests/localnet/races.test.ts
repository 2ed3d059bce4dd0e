// Two people want the same name at the same moment, each on a validator of their own.

import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { NODE_NAMES, type NodeName } from "../../packages/localnet/src/ports.ts";
import { outcomeOf } from "../support/call-outcome.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { Random } from "../support/random.ts";
import { seed } from "../support/seed.ts";

const RACES = 20;
const PRICE = decimal("200");
const SCANS = [1, 2, 3, 4];
/** In turns of the event loop that the whole network shares. */
const LONGEST_DELAY_TURNS = 400;

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start({ separateReplicas: true });
  for (const node of NODE_NAMES) await world.tap(node, "100");
});
afterAll(() => world?.close());

const random = new Random(seed);

interface Buyer {
  readonly node: NodeName;
  readonly chosen: string;
  readonly delays: readonly [request: number, accept: number];
  /** Waits with the payment until the other has asked, too. */
  readonly patient: boolean;
}

function drawBuyers(label: string, draws: Random): readonly [Buyer, Buyer] {
  const patient = draws.below(4) > 0;
  const [first, second] = draws.shuffle(NODE_NAMES).map((node) => ({
    node,
    chosen: draws.below(2) === 0 ? label : `${label}.unverified.cns`,
    delays: [draws.below(LONGEST_DELAY_TURNS), draws.below(LONGEST_DELAY_TURNS)] as const,
    patient,
  }));
  return [first, second] as [Buyer, Buyer];
}

/** True if the buyer paid: a late buyer is told that the name is held. */
async function race(buyer: Buyer, both: Meeting): Promise<boolean> {
  await pause(buyer.delays[0]);
  const asked = await outcomeOf(world.request(buyer.node, { name: buyer.chosen }));
  if (buyer.patient) await both.arrive();
  if (asked.status === 409) return false;
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  const { subscriptionRequestCid } = asked.body as Awaited<ReturnType<typeof world.request>>;
  await pause(buyer.delays[1]);
  await world.accept(buyer.node, subscriptionRequestCid);
  return true;
}

class Meeting {
  readonly #all = Promise.withResolvers<void>();
  #missing = 2;

  arrive(): Promise<void> {
    if (--this.#missing === 0) this.#all.resolve();
    return this.#all.promise;
  }
}

async function subscribed(node: NodeName): Promise<number> {
  return (await world.validator(node).listSubscriptions()).subscriptions.length;
}

async function pause(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

describe("two buyers of one name at once", () => {
  let paidTwice = 0;

  test.each(
    Array.from({ length: RACES }, (_, i) => drawBuyers(`race-${i}`, random)).map((buyers) => ({
      buyers,
      name: `${buyers[0].chosen.split(".")[0]}.unverified.cns`,
    })),
  )("one gets the name and the other all coin back: $name", async ({ buyers, name }) => {
    const coin = () => Promise.all(buyers.map(({ node }) => world.unlocked(node)));
    const before = await coin();
    const running = await Promise.all(buyers.map(({ node }) => subscribed(node)));
    const meeting = new Meeting();
    const paid = await Promise.all(buyers.map((buyer) => race(buyer, meeting)));
    await world.net.settle();

    const owners = new Set(await Promise.all(SCANS.map((scan) => world.owner(name, scan))));
    expect(owners.size, `the scans say ${[...owners].join(" and ")}`).toBe(1);
    const [owner] = [...owners];
    const parties = await Promise.all(buyers.map(({ node }) => world.party(node)));
    expect(parties).toContain(owner);

    const after = await coin();
    for (const [i, { node }] of buyers.entries()) {
      const won = parties[i] === owner;
      expect((before[i] ?? 0n) - (after[i] ?? 0n), `what ${node} paid`).toBe(won ? PRICE : 0n);
      expect(await world.locked(node), `what ${node} has locked`).toBe(0n);
      expect((await world.owned(node)).includes(name), `whether ${node} lists it`).toBe(won);
      expect((await subscribed(node)) - (running[i] ?? 0), `subscriptions of ${node}`).toBe(won ? 1 : 0);
      const { subscription_requests } = await world.validator(node).listSubscriptionRequests();
      expect(subscription_requests).toEqual([]);
    }
    if (paid.every(Boolean)) paidTwice++;
  });

  test("in most of these races both had paid, and all replicas agree", async () => {
    expect(paidTwice).toBeGreaterThan(RACES / 4);
    expect(await world.digestsAgree()).toBe(true);
  });
});
