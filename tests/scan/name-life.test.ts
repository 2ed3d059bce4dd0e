import { expect, test } from "vitest";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, formatTime, type Time, time } from "../../packages/ledger/src/values/time.ts";
import { ScannedWorld, shown } from "./name-world.ts";

const NAME = "alice.unverified.cns";
const TERMS = { name: NAME, url: "https://example.com/", description: 'Alice "the" first\n' };

test("a name is found by name, by party and by prefix once its payment is collected, and not before", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  world.pay(alice, TERMS);
  expect(await world.findByName(NAME)).toBe("not-found");
  expect(await world.findByParty(alice.party)).toBe("not-found");
  expect(await world.list("alice")).toEqual([]);
  world.dso.settle();
  const { contractId, payload } = world.entry(NAME);
  const expected = {
    contract_id: contractId,
    user: alice.party,
    name: NAME,
    url: "https://example.com/",
    description: 'Alice "the" first\n',
    expires_at: formatTime(payload.expiresAt),
  };
  expect(await world.findByName(NAME)).toEqual(expected);
  expect(await world.findByParty(alice.party)).toEqual(expected);
  expect(await world.list("alice")).toEqual([NAME]);
});

test("an entry shows its fields in the order of the API, and its expiry without idle digits", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  world.buy(alice, { name: NAME });
  const { index } = await world.scan();
  const { contractId, payload } = world.entry(NAME);
  const json =
    `{"contract_id":"${contractId}","user":"${alice.party}","name":"${NAME}",` +
    `"url":"","description":"","expires_at":"${formatTime(payload.expiresAt)}"}`;
  const found = {
    ...{ kind: "found", answer: `{"entry":${json}}`, expiresAt: payload.expiresAt },
    tag: contractId.slice(2, 66),
  };
  expect(index.names.findByName(NAME, index.now)).toEqual(found);
  expect(index.names.findByParty(alice.party, index.now)).toEqual(found);
  expect(index.names.listByPrefix("alice", index.now, 1)).toEqual([json]);
});

test("a renewal keeps the name, under a new contract and with a later expiry", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  world.buy(alice, TERMS);
  const before = await world.findByName(NAME);
  const first = world.entry(NAME);
  world.network.advance(61n * DAY);
  world.renew(alice);
  const renewed = world.entry(NAME);
  expect(world.entries(NAME)).toHaveLength(1);
  expect(renewed.payload.expiresAt).toBe(addDuration(first.payload.expiresAt, 90n * DAY));
  expect(await world.findByName(NAME)).toEqual({
    ...(before as object),
    contract_id: renewed.contractId,
    expires_at: formatTime(renewed.payload.expiresAt),
  });
  expect(await world.list("alice")).toEqual([NAME]);
});

test("a name is visible at the microsecond it expires, and not one later", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  world.buy(alice, TERMS);
  const { expiresAt } = world.entry(NAME).payload;
  world.network.advanceTo(expiresAt);
  expect(await world.findByName(NAME)).toMatchObject({ user: alice.party });
  expect(await world.findByParty(alice.party)).toMatchObject({ name: NAME });
  expect(await world.list("")).toContain(NAME);
  expect(await world.list("alice")).toEqual([NAME]);
  world.network.advanceTo(addDuration(expiresAt, 1n));
  expect(world.entries(NAME)).toHaveLength(1);
  expect(await world.findByName(NAME)).toBe("not-found");
  expect(await world.findByParty(alice.party)).toBe("not-found");
  expect(await world.list("")).not.toContain(NAME);
  expect(await world.list("alice")).toEqual([]);
});

test("a cancelled subscription leaves the name until it expires", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  world.buy(alice, TERMS);
  alice.cancelSubscription(world.network.only(SubscriptionIdleState).contractId);
  world.dso.settle();
  expect(await world.findByName(NAME)).toMatchObject({ user: alice.party });
});

test("somebody else may have an expired name, also while the old contract is still there", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  const bob = world.wallet("bob");
  world.buy(alice, TERMS);
  const old = world.entry(NAME);
  expect(await world.findByName(NAME)).toMatchObject({ user: alice.party });
  world.network.advanceTo(addDuration(old.payload.expiresAt, 1n));
  world.pay(bob, { name: NAME });
  for (const decision of world.dso.decideInitialPayments()) world.dso.carryOut(decision);
  expect(world.entries(NAME).map(({ payload }) => payload.user)).toEqual([alice.party, bob.party]);
  expect(await world.findByName(NAME)).toMatchObject({ user: bob.party });
  expect(await world.findByParty(alice.party)).toBe("not-found");
  expect(await world.findByParty(bob.party)).toMatchObject({ name: NAME });
  expect(await world.list("alice")).toEqual([NAME]);
  alice.expireEntry(old.contractId);
  expect(world.entries(NAME).map(({ payload }) => payload.user)).toEqual([bob.party]);
  expect(await world.findByName(NAME)).toMatchObject({ user: bob.party });
  expect(await world.list("alice")).toEqual([NAME]);
});

test("of two who pay for a name at the same time the winner is shown", async () => {
  const world = new ScannedWorld();
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  world.pay(bob, TERMS);
  world.pay(alice, TERMS);
  world.dso.settle();
  expect(await world.findByName(NAME)).toMatchObject({ user: bob.party });
  expect(await world.findByParty(alice.party)).toBe("not-found");
});

test("a party with several names is known by the first one in the order of bytes", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  for (const label of ["m", "zz", "a-b", "a_b", "a1"]) world.buy(alice, { name: `${label}.unverified.cns` });
  expect(await world.findByParty(alice.party)).toMatchObject({ name: "a-b.unverified.cns" });
  expect(await world.list("a")).toEqual(["a-b.unverified.cns", "a1.unverified.cns", "a_b.unverified.cns"]);
});

test("a cached answer is given only for times at which it holds", async () => {
  const world = new ScannedWorld();
  const alice = world.wallet("alice");
  world.buy(alice, { name: "a.unverified.cns" });
  world.network.advance(1n);
  world.buy(alice, { name: "b.unverified.cns" });
  const { names } = (await world.scan()).index;
  const [first, second] = ["a", "b"].map((label) => world.entry(`${label}.unverified.cns`).payload.expiresAt);
  if (first === undefined || second === undefined) throw new Error("nothing is registered");
  const nameAt = (now: Time) => {
    const found = shown(names.findByParty(alice.party, now));
    return typeof found === "string" ? found : (found as { name: string }).name;
  };
  const after = (moment: Time) => addDuration(moment, 1n);
  for (const [now, name] of [
    [first, "a.unverified.cns"],
    [after(first), "b.unverified.cns"],
    [second, "b.unverified.cns"],
    [after(second), "not-found"],
    // Back in time, where the kept answer does not hold yet.
    [first, "a.unverified.cns"],
    [second, "b.unverified.cns"],
  ] as const) {
    expect(nameAt(now)).toBe(name);
    expect(nameAt(now)).toBe(name);
  }
  // The same answer, not one like it: it was made once.
  expect(names.findByParty(alice.party, second)).toBe(names.findByParty(alice.party, second));
  expect(names.findByName("a.unverified.cns", first)).toBe(names.findByName("a.unverified.cns", first));
});

test("scan ignores entries that name another DSO than the network's", async () => {
  const world = new ScannedWorld();
  const mallory = world.wallet("mallory");
  const { party } = mallory;
  const forged = {
    dso: party,
    user: party,
    name: NAME,
    url: "",
    description: "",
    expiresAt: time("2030-01-01T00:00:00Z"),
  };
  const made = world.network.submit(mallory.member, {
    actAs: [party],
    commands: [createCommand(AnsEntry, forged)],
  });
  expect(made.created).toHaveLength(1);
  expect(await world.findByName(NAME)).toBe("not-found");
  expect(await world.findByParty(party)).toBe("not-found");
  expect(await world.list("alice")).toEqual([]);
});
