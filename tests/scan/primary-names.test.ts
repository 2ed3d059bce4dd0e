// The name that a party chose to be called by, over HTTP: when a choice counts, and that every scan says the same.

import { join } from "node:path";
import { expect, test } from "vitest";
import { PrimaryName } from "../../packages/ledger/src/contracts/callsign-names/declarations/primary-name.ts";
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionIdleState } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { createCommand } from "../../packages/ledger/src/engine/command.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { findPrimaryName } from "../../packages/scan/src/rows/primary-name.ts";
import { openScanReplica } from "./scan-replica.ts";
import { ServedWorld } from "./served-world.ts";

const full = (label: string) => `${label}.unverified.cns`;
const [FIRST, SECOND] = [full("alice"), full("wonder")];

async function startWorld() {
  const world = await ServedWorld.start({ terms: { protocolVersion: 5n } });
  const alice = world.wallet("alice");
  for (const name of [FIRST, SECOND]) world.buy(alice, { name, url: "", description: "" });
  return { world, alice };
}

/** The primary name and the one that a lookup by party finds; null without any. */
async function namesOf(world: ServedWorld, { party }: WalletActor): Promise<readonly (string | null)[]> {
  await world.scan();
  const { body } = await world.getJson(`/ext/v1/parties/${encodeURIComponent(party)}/names`);
  const { primary } = body as { readonly primary: { readonly name: string } | null };
  const found = (await world.getJson(`/v0/ans-entries/by-party/${encodeURIComponent(party)}`)).body;
  return [primary?.name ?? null, (found as { entry?: { name: string } }).entry?.name ?? null];
}

function primaryOf(world: ServedWorld, { party }: WalletActor) {
  const found = world.network.active(PrimaryName).find(({ payload }) => payload.user === party);
  if (found === undefined) throw new Error("nothing is chosen");
  return found.contractId;
}

test("a party is called by the name that it chose last; lookups by party stay as they are", async () => {
  const { world, alice } = await startWorld();
  expect(await namesOf(world, alice)).toEqual([FIRST, FIRST]);
  alice.setPrimaryName(world.entry(SECOND).payload);
  expect(await namesOf(world, alice)).toEqual([SECOND, FIRST]);
  alice.changePrimaryName(primaryOf(world, alice), world.entry(FIRST).payload);
  expect(await namesOf(world, alice)).toEqual([FIRST, FIRST]);
  // A second contract beside the first one.
  alice.setPrimaryName(world.entry(SECOND).payload);
  expect(await namesOf(world, alice)).toEqual([SECOND, FIRST]);
  for (const { contractId } of world.network.active(PrimaryName)) alice.removePrimaryName(contractId);
  expect(await namesOf(world, alice)).toEqual([FIRST, FIRST]);
});

test("of two choices in one transaction one counts, the same at every scan", async () => {
  const { world, alice } = await startWorld();
  const { dso } = world.network;
  const commands = [FIRST, SECOND].map((name) => {
    const { expiresAt } = world.entry(name).payload;
    return createCommand(PrimaryName, { dso, user: alice.party, name, expiresAt });
  });
  world.network.submit(alice.member, { actAs: [alice.party], commands });
  const [higher] = world.network
    .active(PrimaryName)
    .toSorted((a, b) => (a.contractId < b.contractId ? 1 : -1));
  expect(world.network.active(PrimaryName)).toHaveLength(2);
  expect((await namesOf(world, alice))[0]).toBe(higher?.payload.name);
});

test("a choice lives on over renewals and a cancellation, and lapses with the name", async () => {
  const { world, alice } = await startWorld();
  alice.setPrimaryName(world.entry(SECOND).payload);
  world.network.advance(80n * DAY);
  world.dso.settle();
  world.renew(alice);
  world.network.advance(30n * DAY);
  // The entry's expiry at the choice has passed, and the renewed entry was made before.
  expect(await namesOf(world, alice)).toEqual([SECOND, FIRST]);
  alice.changePrimaryName(primaryOf(world, alice), world.entry(SECOND).payload);
  world.network.advance(45n * DAY);
  world.dso.settle();
  world.renew(alice);
  for (const { contractId } of world.network.active(SubscriptionIdleState))
    alice.cancelSubscription(contractId);
  world.dso.settle();
  expect(await namesOf(world, alice)).toEqual([SECOND, FIRST]);
  world.network.advance(120n * DAY);
  expect(await namesOf(world, alice)).toEqual([null, null]);
});

test("a name that is bought again, by the same party or another, brings no choice back", async () => {
  const { world, alice } = await startWorld();
  alice.setPrimaryName(world.entry(SECOND).payload);
  world.network.advance(100n * DAY);
  world.dso.settle();
  expect(world.network.active(AnsEntry)).toEqual([]);
  for (const name of [FIRST, SECOND]) world.buy(alice, { name, url: "", description: "" });
  expect(await namesOf(world, alice)).toEqual([FIRST, FIRST]);
  alice.changePrimaryName(primaryOf(world, alice), world.entry(SECOND).payload);
  expect(await namesOf(world, alice)).toEqual([SECOND, FIRST]);
  world.network.advance(100n * DAY);
  world.dso.settle();
  const bob = world.wallet("bob");
  world.buy(bob, { name: SECOND, url: "", description: "" });
  world.buy(alice, { name: FIRST, url: "", description: "" });
  expect(await namesOf(world, alice)).toEqual([FIRST, FIRST]);
  expect(await namesOf(world, bob)).toEqual([SECOND, SECOND]);
});

test("a name of another, a name that nobody has and a contract for another DSO do not count", async () => {
  const { world, alice } = await startWorld();
  const bob = world.wallet("bob");
  world.buy(bob, { name: full("bob"), url: "", description: "" });
  bob.setPrimaryName(world.entry(SECOND).payload);
  expect(await namesOf(world, bob)).toEqual([full("bob"), full("bob")]);
  bob.setPrimaryName({ ...world.entry(SECOND).payload, name: full("nobody") });
  expect(await namesOf(world, bob)).toEqual([full("bob"), full("bob")]);
  alice.setPrimaryName(world.entry(SECOND).payload);
  const { expiresAt } = world.entry(FIRST).payload;
  const forged = { dso: bob.party, user: alice.party, name: FIRST, expiresAt };
  world.network.submit(alice.member, {
    actAs: [alice.party],
    commands: [createCommand(PrimaryName, forged)],
  });
  expect(world.network.active(PrimaryName)).toHaveLength(4);
  expect(await namesOf(world, alice)).toEqual([SECOND, FIRST]);
});

test("an index that is opened again, or backfilled from the contracts, says the same", async () => {
  const { world, alice } = await startWorld();
  const bob = world.wallet("bob");
  alice.setPrimaryName(world.entry(FIRST).payload);
  alice.setPrimaryName(world.entry(SECOND).payload);
  bob.setPrimaryName(world.entry(SECOND).payload);
  const { index } = await world.scan();
  const rowsOf = (database: typeof index.state.database) =>
    database.prepare("select * from party_contract where kind = 'PrimaryName' order by contract_id").all();
  const rows = rowsOf(index.state.database);
  expect(rows).toHaveLength(3);
  const file = join(world.folder, "second.db");
  for (const damage of ["", LOSE_PRIMARY_NAMES]) {
    const before = openScanReplica(world.log.log, file);
    await before.catchUp();
    before.index.state.database.exec(damage);
    before.close();
    const after = openScanReplica(world.log.log, file);
    await after.catchUp();
    expect(rowsOf(after.index.state.database)).toEqual(rows);
    const names = [alice, bob].map(({ party }) => findPrimaryName(after.index, party));
    expect(names.map((json) => json && JSON.parse(json).name)).toEqual([SECOND, undefined]);
    after.close();
  }
});

/** Turns an index into one from before it had this kind of contract. */
const LOSE_PRIMARY_NAMES = `
  delete from party_contract where kind = 'PrimaryName';
  delete from consumer_kind where consumer = 'scan' and template like '%:PrimaryName';
`;
