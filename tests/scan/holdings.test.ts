// Coin of owners at snapshots: over HTTP, against sums that the test makes itself.

import { expect, test } from "vitest";
import {
  Amulet,
  LockedAmulet,
} from "../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { OpenMiningRound } from "../../packages/ledger/src/contracts/splice-amulet/declarations/round.ts";
import { decimal, formatDecimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MINUTE, SECOND } from "../../packages/ledger/src/values/duration.ts";
import { formatInstant, type Time } from "../../packages/ledger/src/values/time.ts";
import { accept } from "../../packages/ledger/testing/economy-dso.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const shared = worldOfFile();

const NOBODY = `nobody::1220${"ab".repeat(32)}`;

/** The coin of owners at present. */
function sumsOf(owners: readonly WalletActor[]): readonly (readonly [string, string, string])[] {
  return owners.map((owner) => [owner.party, formatDecimal(owner.balance()), formatDecimal(owner.locked())]);
}

function supplyOf({ network }: ServedWorld): string {
  let total = 0n;
  for (const { payload } of network.active(Amulet, network.dso)) total += payload.amount.initialAmount;
  for (const { payload } of network.active(LockedAmulet, network.dso))
    total += payload.amulet.amount.initialAmount;
  return formatDecimal(total as never);
}

async function summarize(world: ServedWorld, given: Readonly<Record<string, unknown>>) {
  await world.scan();
  return world.postJson("/v0/holdings/summary", { migration_id: 0, ...given });
}

/** The next whole ten minutes. */
function nextSnapshot(now: Time): Time {
  const period = 10n * MINUTE;
  return (now - (now % period) + period) as Time;
}

test("every ten minutes the coin of all owners is kept, as it was then", async () => {
  const world = await ServedWorld.start();
  const [alice, bob] = [world.wallet("alice"), world.wallet("bob")];
  const owners = [alice, bob];
  const kept: { readonly time: string; readonly sums: unknown; readonly supply: string }[] = [];
  const lock = (owner: WalletActor, amount: string) =>
    owner.transfer([
      {
        ...{ receiver: owner.party, receiverFeeRatio: decimal("0.0"), amount: decimal(amount) },
        lock: {
          ...{ holders: [owner.party], expiresAt: (world.network.now + DAY) as Time, optContext: null },
        },
      },
    ]);
  const steps: readonly (() => void)[] = [
    () => accept(alice.tap(decimal("10.5"))),
    () => accept(bob.tap(decimal("7.25"))),
    () => accept(lock(alice, "3.0")),
    () => accept(alice.merge()),
    () =>
      accept(
        bob.transfer([
          {
            ...{ receiver: alice.party, receiverFeeRatio: decimal("0.0"), amount: decimal("7.25") },
            lock: null,
          },
        ]),
      ),
  ];
  for (const step of steps) {
    step();
    const time = nextSnapshot(world.network.now);
    kept.push({ time: formatInstant(time), sums: sumsOf(owners), supply: supplyOf(world) });
    world.network.advanceTo((time + SECOND) as Time);
    world.dso.advanceRounds();
    accept(alice.tap(decimal("1.0")));
  }
  for (const { time, sums } of kept) {
    const owner_party_ids = [...owners.map(({ party }) => party), NOBODY];
    for (const match of [{}, { record_time_match: "exact" }, { record_time_match: "at_or_before" }]) {
      const { status, body } = await summarize(world, { record_time: time, owner_party_ids, ...match });
      expect(status).toBe(200);
      const { summaries, ...rest } = body as { summaries: readonly Record<string, string>[] };
      expect(rest).toMatchObject({ record_time: time, migration_id: 0 });
      const shown = summaries.map((each) => [
        each["party_id"],
        each["total_unlocked_coin"],
        each["total_locked_coin"],
      ]);
      const holders = (sums as readonly (readonly [string, string, string])[]).filter(
        ([, unlocked, locked]) => unlocked !== "0.0000000000" || locked !== "0.0000000000",
      );
      expect(shown).toEqual(holders);
    }
  }
  const { body: coin } = await world.getJson("/registry/metadata/v1/instruments/Amulet");
  const last = kept.at(-1);
  expect(coin).toMatchObject({ totalSupply: last?.supply, totalSupplyAsOf: last?.time });
});

test("holding fees grow with the round until they are all of the coin", async () => {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  accept(alice.tap(decimal("2.0")));
  const [coin] = world.network.active(Amulet, world.network.dso);
  const { createdAt, ratePerRound } = coin?.payload.amount ?? {};
  const round = Number(createdAt?.number);
  const time = nextSnapshot(world.network.now);
  world.network.advanceTo((time + SECOND) as Time);
  world.dso.advanceRounds();
  const asked = { record_time: formatInstant(time), owner_party_ids: [alice.party] };
  const feesAt = async (as_of_round: number | null) => {
    const { body } = await summarize(world, { ...asked, as_of_round });
    const { summaries, computed_as_of_round } = body as {
      readonly summaries: readonly Record<string, string>[];
      readonly computed_as_of_round: number;
    };
    const [{ accumulated_holding_fees_total: fees, total_available_coin: available } = {}] = summaries;
    return { round: computed_as_of_round, fees, available };
  };
  const three = ((ratePerRound?.rate ?? 0n) * 3n) as never;
  expect(await feesAt(round + 3)).toEqual({
    round: round + 3,
    fees: formatDecimal(three),
    available: formatDecimal((decimal("2.0") - three) as never),
  });
  expect(await feesAt(2 ** 52)).toEqual({
    ...{ round: 2 ** 52, fees: "2.0000000000", available: "0.0000000000" },
  });
  expect(await feesAt(0)).toMatchObject({ fees: "0.0000000000", available: "2.0000000000" });
  const open = world.network.active(OpenMiningRound, world.network.dso);
  const earliest = Math.min(...open.map(({ payload }) => Number(payload.round.number)));
  expect((await feesAt(null)).round).toBe(earliest);
});

test("snapshots are found by time; there is none before the first, of another migration, or of a month ago", async () => {
  const world = await ServedWorld.start();
  const alice = world.wallet("alice");
  accept(alice.tap(decimal("2.0")));
  const first = nextSnapshot(world.network.now);
  world.network.advanceTo((first + SECOND) as Time);
  accept(alice.tap(decimal("1.0")));
  await world.scan();
  const find = async (which: "" | "-after", query: string) =>
    (await world.getJson(`/v0/state/acs/snapshot-timestamp${which}?${query}&migration_id=0`)).body;
  const time = formatInstant(first);
  // The network was founded at the time of a snapshot.
  const [founded, early] = ["2026-01-01T00:00:00Z", "2025-12-31T23:59:59.999999Z"];
  expect(await find("", `before=${time}`)).toEqual({ record_time: time });
  expect(await find("", `before=${early}`)).toEqual({ error: `No snapshots found before ${early}` });
  expect(await find("-after", `after=${early}`)).toEqual({ record_time: founded });
  expect(await find("-after", `after=${founded}`)).toEqual({ record_time: time });
  expect(await find("-after", `after=${time}`)).toEqual({ error: `No snapshots found after ${time}` });
  expect(await find("", "before=yesterday")).toMatchObject({ error: expect.stringContaining("before: ") });
  const owners = { owner_party_ids: [alice.party] };
  const missing = (migration: number, at: string) => ({
    status: 404,
    body: { error: `Failed to find ACS snapshot for migration id ${migration} at ${at}` },
  });
  expect(await summarize(world, { ...owners, record_time: time, migration_id: 1 })).toEqual(missing(1, time));
  const late = formatInstant((first + 1n) as Time);
  expect(await summarize(world, { ...owners, record_time: late })).toEqual(missing(0, late));
  world.network.advance(31n * DAY);
  accept(alice.tap(decimal("1.0")));
  expect(await summarize(world, { ...owners, record_time: time })).toEqual(missing(0, time));
});

test.each([
  ["no owner", [], "Expected 'ownerPartyIds' to contain at least one item, but contained none."],
  ["a party that is none", ["alice"], "Invalid unique identifier `alice` with missing namespace."],
  ["too many owners", Array.from({ length: 1001 }, (_, i) => `p${i}::1220`), "at most 1000 items"],
])("a summary of %s is refused", async (_, owner_party_ids, text) => {
  const world = shared();
  const { status, body } = await summarize(world, { record_time: "2026-01-01T00:00:00Z", owner_party_ids });
  expect([status, (body as { error: string }).error]).toEqual([400, expect.stringContaining(text)]);
});
