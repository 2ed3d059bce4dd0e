/** The agenda: what it keeps, when it says that something is due, and what that costs. */

import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import {
  AnsEntry,
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  ClosedMiningRound,
  type ContractId,
  DsoRules,
  ExternalPartyAmuletRules,
  FeaturedAppActivityMarker,
  IssuingMiningRound,
  LockedAmulet,
  MemberTraffic,
  SubscriptionIdleState,
  SubscriptionInitialPayment,
  SubscriptionRequest,
  SvRewardState,
  type Time,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { inTransaction, openDatabase } from "../../packages/node/src/database/open-database.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { Agenda } from "../../packages/sv/src/agenda/agenda.ts";
import { COUPON_TEMPLATES } from "../../packages/sv/src/agenda/agenda-coupons.ts";
import type { AgendaRow } from "../../packages/sv/src/kinds/agenda-kind.ts";
import { contentKey, textKey } from "../../packages/sv/src/kinds/keys.ts";
import { ReplicaConsumers } from "../../packages/synchronizer/src/replica/consumers.ts";
import { SqliteState } from "../../packages/synchronizer/src/replica/sqlite-state.ts";
import { nameConfirmations, startAll, stopAll } from "./network-views.ts";
import { buyTraffic } from "./rewards.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { featureApp, markActivity } from "./upkeep.ts";
import { Wallet, withAlice } from "./wallet.ts";

const NAME = "alice.unverified.cns";

function contractId(number: number): ContractId {
  return `00${sha256(`contract ${number}`)}ca101220${sha256(`content ${number}`)}` as ContractId;
}

/** Opens the agenda of a database as a replica does, with a backfill of kinds that are new to it. */
function openAgenda(database: DatabaseSync): Agenda {
  const state = new SqliteState(database);
  const agenda = new Agenda(state, sha256);
  new ReplicaConsumers(state, [agenda]);
  return agenda;
}

/** As if the agenda had been written before contracts of these kinds belonged to it. */
function forgetKinds(database: DatabaseSync, templates: readonly AnyTemplateDeclaration[]): void {
  for (const { id } of templates) {
    database.prepare("delete from consumer_kind where consumer = 'sv-agenda' and template = ?").run(id);
    database
      .prepare("delete from sv_agenda_row where kind = (select number from sv_kind where template = ?)")
      .run(id);
  }
}

/** As the version before numbered migrations left it: its rows had a key and another one, whatever they held. */
function makeOld(database: DatabaseSync): void {
  database.exec(`
    create table sv_contract (created integer primary key, contract_id text, key integer, other integer) strict;
    insert into sv_contract select created, contract_id, 7, null from sv_agenda_row;
    create table sv_agenda (one integer primary key, version integer) strict;
    insert into sv_agenda values (1, 3);
    drop table sv_agenda_row;
    drop table sv_kind;
    delete from store_version where store = 'sv-agenda';
    delete from consumer_kind where consumer = 'sv-agenda';
  `);
}

/** Rows without the numbers that order them. */
function withoutPlaces(rows: readonly AgendaRow[]) {
  const unordered = rows.map(({ created: _, ...row }) => row);
  return unordered.toSorted((a, b) => (a.contractId < b.contractId ? -1 : 1));
}

test("rows are found again after the node was opened anew, and are the same on every SV", async () => {
  const { network, alice } = await withAlice();
  await alice.buy(NAME);
  await network.settle();
  const rowsOf = (agenda: Agenda) => [
    agenda.now,
    agenda.dso,
    agenda.rows.findNextDue(agenda.now),
    agenda.rounds.list(),
    agenda.rows.listBy(AnsEntry, "nameKey", textKey(sha256, NAME), 10),
    agenda.rows.listDue({ due: 0n, created: 0n }, 2n ** 62n, 1000),
    agenda.rows.listPending(0n, 1000),
  ];
  // The tables come first: an agenda that is asked may write rows that it had only in memory.
  const stored = network.svs.map(({ database }) => rowsOf(openAgenda(database)));
  const [first, ...others] = network.svs.map(({ agenda }) => rowsOf(agenda));
  for (const other of [...others, ...stored]) expect(other).toEqual(first);
});

test("an entry falls due a microsecond after its end, when it is no longer visible", async () => {
  const { network, alice } = await withAlice();
  await alice.buy(NAME);
  await network.settle();
  const { expiresAt } = network.only(AnsEntry).payload;
  // Just before the end, rounds and confirmations are up to date, and the entry is what comes next.
  await network.moveAndSettle(expiresAt - network.now - 5_000_000n);
  expect(network.first.automation.nextDue()).toBe((expiresAt + 1n) as Time);
});

test("an overdue task that cannot be done is not the next one due", async () => {
  const { network, alice } = await withAlice();
  await alice.buy(NAME);
  await network.settle();
  await alice.endOwnContext();
  await network.moveAndSettle(91n * DAY);
  expect(network.active(SubscriptionIdleState)).toHaveLength(1);
  const { agenda, automation } = network.first;
  expect(automation.nextDue()).toBe(agenda.rounds.findNextDue());
  expect(Number(automation.nextDue())).toBeGreaterThan(Number(agenda.now));
});

test("a payment whose coin was taken out is dead: it stands in nobody's way", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  const bob = await Wallet.open(network, "bob");
  await alice.tap(decimal("200.0"));
  await bob.tap(decimal("200.0"));
  await network.settle();
  await stopAll(network);
  await alice.buy(NAME);
  await network.moveClock(2n * HOUR);
  await alice.takeOut();
  await bob.buy(NAME);
  await startAll(network);
  expect(network.only(AnsEntry).payload.user).toBe(bob.party);
  expect(network.only(SubscriptionInitialPayment).payload.subscriptionData.sender).toBe(alice.party);
  expect(network.first.agenda.rows.listPending(0n, 10)).toEqual([]);
  expect(nameConfirmations(network).length).toBeLessThan(2);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("a coin whose id only begins like that of a payment's coin says nothing about the payment", async () => {
  const { network, alice } = await withAlice({ coin: "200.0" });
  await stopAll(network);
  const outcome = await alice.buy(NAME);
  const { agenda } = network.first;
  const pending = agenda.rows.listPending(0n, 10);
  expect(pending).toHaveLength(1);
  const { lockedAmulet } = network.only(SubscriptionInitialPayment).payload;
  const spend = (coin: string) => {
    const archived = [{ templateId: LockedAmulet.id, contractId: coin as ContractId }];
    agenda.absorb({ outcome, created: [], archived });
  };
  spend(lockedAmulet.slice(0, 40) + sha256("another").slice(0, lockedAmulet.length - 40));
  expect(agenda.rows.listPending(0n, 10)).toEqual(pending);
  spend(lockedAmulet);
  expect(agenda.rows.listPending(0n, 10)).toEqual([]);
});

test("an agenda gets the contracts of kinds that are new to it, and goes on", async () => {
  const folder = temporaryFolder();
  const network = await SvNetwork.found({ folder });
  const buyer = await Wallet.open(network, "buyer");
  await buyer.tap(decimal("5000.0"));
  await network.settle();
  const others = network.svs.filter((_, i) => i !== 1);
  const svName = network.active(SvRewardState)[1]?.payload.svName ?? "";
  const kept = ({ rows, coupons }: Agenda) => [
    rows.listBy(SvRewardState, "ownerKey", textKey(sha256, svName), 10).map((row) => row.contractId),
    rows.listBy(IssuingMiningRound, "round", 0n, 10).map(({ contractId: id, due }) => [id, due]),
    rows.listCrowdedOwners(MemberTraffic, 1, 10),
    coupons.list(1n, "sv", 10).toSorted(),
    coupons.list(1n, "validator", 10),
    coupons.total(1n, "sv"),
    coupons.total(1n, "validator"),
  ];
  for (let i = 0; i < 2; i++) await buyTraffic(buyer);
  await network.moveAndSettle(HOUR);
  const expected = kept(network.first.agenda);
  expect(expected.slice(0, 5)).toEqual([
    [expect.any(String)],
    [[expect.any(String), expect.any(BigInt)]],
    [expect.any(BigInt)],
    expect.objectContaining({ length: 4 }),
    expect.objectContaining({ length: 2 }),
  ]);
  await network.restart(1, async () => {
    const database = openDatabase(`${folder}/sv2.db`);
    forgetKinds(database, [SvRewardState, IssuingMiningRound, MemberTraffic, ...COUPON_TEMPLATES]);
    database.exec("delete from sv_coupon; delete from sv_coupon_total");
    expect(kept(openAgenda(database))).toEqual(expected);
    // Once is enough.
    expect(kept(openAgenda(database))).toEqual(expected);
    database.close();
    await network.moveClock(HOUR);
    await network.settle(others);
  });
  for (let i = 0; i < 4; i++) await network.moveAndSettle(HOUR);
  expect(network.active(ClosedMiningRound)).toEqual([]);
  expect(kept((network.svs[1] as UnservedSv).agenda)).toEqual(kept(network.first.agenda));
  network.expectAgreement();
});

test("an agenda from before columns had meanings of their own is built anew, and goes on", async () => {
  const folder = temporaryFolder();
  const network = await SvNetwork.found({ folder });
  const alice = await Wallet.open(network, "alice");
  await alice.tap(decimal("0.001"));
  await alice.tap(decimal("500.0"));
  const request = await alice.request(NAME);
  await markActivity(alice, await featureApp(network, alice), 3);
  await network.settle();
  const others = network.svs.filter((_, i) => i !== 1);
  const kept = (agenda: Agenda) => [
    agenda.coins.listExpired(10n ** 9n, 10),
    withoutPlaces(agenda.rows.list(FeaturedAppActivityMarker, 10)),
    agenda.rows.listBy(SubscriptionRequest, "referenceKey", contentKey(request), 10).map(({ due }) => due),
    agenda.rows.list(ExternalPartyAmuletRules, 10).map(({ contractId: id }) => id),
    withoutPlaces(agenda.rows.listDue({ due: 0n, created: 0n }, 2n ** 62n, 1000)),
    withoutPlaces(agenda.rows.listPending(-(2n ** 62n), 1000)),
    agenda.rounds.list(),
  ];
  const expected = kept(network.first.agenda);
  expect(expected.slice(0, 4)).toEqual([
    // Of the two coins, the large one lasts for years.
    expect.objectContaining({ length: 1 }),
    expect.objectContaining({ length: 3 }),
    [expect.any(BigInt)],
    [expect.any(String)],
  ]);
  await network.restart(1, async () => {
    const database = openDatabase(`${folder}/sv2.db`);
    makeOld(database);
    expect(kept(openAgenda(database))).toEqual(expected);
    expect(kept(openAgenda(database))).toEqual(expected);
    database.close();
  });
  await network.settle();
  const { agenda } = network.svs[1] as UnservedSv;
  expect(agenda.findContext(request)?.payload.name).toBe(NAME);
  for (let i = 0; i < 6; i++) await network.moveAndSettle(DAY);
  expect(network.active(FeaturedAppActivityMarker)).toEqual([]);
  expect(alice.balance()).toBe(decimal("500.0"));
  expect(kept((network.svs[1] as UnservedSv).agenda)).toEqual(kept(network.first.agenda));
  await network.settle(others);
  network.expectAgreement();
});

test("a backfill hands over kind by kind as declared, with places in the order of creation", async () => {
  const { network, alice } = await withAlice();
  await alice.buy(NAME);
  await network.settle();
  const taken: { readonly templateId: string; readonly place: bigint }[] = [];
  const [first] = network.svs;
  if (first === undefined) throw new Error("the network has no SV");
  new ReplicaConsumers(new SqliteState(first.database), [
    {
      name: "recorder",
      kinds: [AnsEntry, DsoRules],
      absorb: ({ created }) => {
        taken.push(...created.map(({ contract: { templateId }, place }) => ({ templateId, place })));
      },
      reload: () => undefined,
    },
  ]);
  expect(taken.map(({ templateId }) => templateId)).toEqual([AnsEntry.id, DsoRules.id]);
  // The founding made the rules, so they come before the name.
  expect(taken.map(({ place }) => place)).toEqual([-1n, -2n]);
});

test("the totals of a hundred thousand coupons are kept, not counted", () => {
  const database = openDatabase(":memory:");
  const { coupons } = openAgenda(database);
  // More in all than the database's integers hold.
  const amount = 10n ** 15n;
  inTransaction(database, () => {
    for (let i = 0; i < 100_000; i++) {
      const coupon = { round: { number: 7n }, amount, featured: i % 4 === 0 };
      coupons.insert(BigInt(i), contractId(i), AppRewardCoupon.id, coupon);
    }
  });
  expect(coupons.total(7n, "featuredApp")).toEqual({ count: 25_000n, amount: 25_000n * amount });
  expect(coupons.total(7n, "unfeaturedApp")).toEqual({ count: 75_000n, amount: 75_000n * amount });
  expect(coupons.total(8n, "featuredApp")).toEqual({ count: 0n, amount: 0n });
  expect(coupons.list(7n, "featuredApp", 2)).toEqual([contractId(0), contractId(4)]);
  expect(coupons.remove(contractId(0))).toBe(7n);
  expect(coupons.remove(contractId(0))).toBeNull();
  expect(coupons.total(7n, "featuredApp")).toEqual({ count: 24_999n, amount: 24_999n * amount });
  expect(coupons.list(7n, "featuredApp", 1)).toEqual([contractId(4)]);
  database.exec("delete from sv_coupon");
  expect(coupons.total(7n, "unfeaturedApp")).toEqual({ count: 75_000n, amount: 75_000n * amount });
  database.close();
});
