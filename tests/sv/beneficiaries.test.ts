/** Beneficiaries share an SV's rewards. */
import { expect, test } from "vitest";
import { DsoRules, type PartyId, SvRewardCoupon } from "../../packages/ledger/src/index.ts";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { SvNetwork } from "./sv-network.ts";
import type { UnservedSv } from "./unserved-sv.ts";
import { holdVote } from "./upkeep.ts";
import { Wallet } from "./wallet.ts";

const TICK = 10n * MINUTE;

async function withBeneficiaries() {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  const bob = await Wallet.open(network, "bob");
  await network.settle();
  const [sv] = network.svs as [UnservedSv];
  const weight = network.only(DsoRules).payload.svs.find(([party]) => party === sv.party)?.[1].svRewardWeight;
  return { network, alice, bob, sv, weight: weight as bigint };
}

async function share(sv: UnservedSv, ...shares: readonly (readonly [PartyId, bigint])[]): Promise<void> {
  await sv.automation.stop();
  const beneficiaries = shares.map(([beneficiary, weight]) => ({ beneficiary, weight }));
  sv.automation = sv.newAutomation(undefined, { beneficiaries });
  sv.automation.start();
}

/** Of the latest round that the SV has received rewards for. */
function latestShares(network: SvNetwork, { party }: UnservedSv) {
  const coupons = network.everCreated(SvRewardCoupon).filter(({ sv }) => sv === party);
  const latest = coupons.at(-1)?.round.number;
  return coupons
    .filter(({ round }) => round.number === latest)
    .map(({ beneficiary, weight }) => [beneficiary, weight]);
}

test("beneficiaries get their weights and the SV the rest", async () => {
  const { network, alice, bob, sv, weight } = await withBeneficiaries();
  await share(sv, [alice.party, weight / 4n], [bob.party, 1n]);
  await network.moveAndSettle(TICK);
  expect(latestShares(network, sv)).toEqual([
    [alice.party, weight / 4n],
    [bob.party, 1n],
    [sv.party, weight - weight / 4n - 1n],
  ]);
  expect(network.races()).toMatchObject({ failed: 0 });
});

test("a weight that shrinks cuts the last of them, and nobody is stuck", async () => {
  const { network, alice, bob, sv, weight } = await withBeneficiaries();
  await share(sv, [alice.party, weight - 10n], [bob.party, 10n]);
  await network.moveAndSettle(TICK);
  expect(latestShares(network, sv)).toEqual([
    [alice.party, weight - 10n],
    [bob.party, 10n],
  ]);
  const shrinkTo = async (newRewardWeight: bigint) => {
    const value = { svParty: sv.party, newRewardWeight };
    const dsoAction = { tag: "SRARC_UpdateSvRewardWeight", value } as const;
    await holdVote(network, { tag: "ARC_DsoRules", value: { dsoAction } }, { yes: 3 });
    await network.settle();
    await network.moveAndSettle(TICK);
  };
  await shrinkTo(weight - 4n);
  expect(latestShares(network, sv)).toEqual([
    [alice.party, weight - 10n],
    [bob.party, 6n],
  ]);
  await shrinkTo(weight - 20n);
  expect(latestShares(network, sv)).toEqual([[alice.party, weight - 20n]]);
  expect(network.races()).toMatchObject({ failed: 0 });
  expect(sv.automation.status().stuck).toEqual([]);
});

test("weights that are too large and parties that repeat are refused at the start", async () => {
  const { alice, bob, sv, weight } = await withBeneficiaries();
  const start = (...shares: readonly (readonly [PartyId, bigint])[]) =>
    sv.newAutomation(undefined, {
      beneficiaries: shares.map(([beneficiary, share]) => ({ beneficiary, weight: share })),
    });
  expect(() => start([alice.party, weight], [bob.party, 1n])).toThrow(
    `the beneficiaries' weights add up to ${weight + 1n}, but the SV's reward weight is ${weight}`,
  );
  expect(() => start([alice.party, 1n], [alice.party, 2n])).toThrow(
    `beneficiary ${alice.party} is named twice`,
  );
  expect(() => start([alice.party, weight])).not.toThrow();
});
