import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { expectUnmet } from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { outputTo, transferCoins } from "../../../../testing/transfers.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { FeaturedAppActivityMarker } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const app = testParty("app");

type Share = readonly [PartyId, string];

function pay(network: SandboxNetwork, given: { featured: boolean; shares?: readonly Share[] }) {
  const { sandbox } = network;
  const as = { actAs: [app], disclose: network.disclosures() };
  const { featuredAppRightCid } = sandbox.exercise(
    AmuletRules,
    network.amuletRules,
    "AmuletRules_DevNet_FeatureApp",
    { provider: app },
    as,
  );
  const beneficiaries = given.shares?.map(([beneficiary, weight]) => ({
    beneficiary,
    weight: decimal(weight),
  }));
  transferCoins(network, {
    sender: alice,
    provider: app,
    inputs: [network.tap(alice, "100.0")],
    outputs: [outputTo(bob, "10.0")],
    ...(beneficiaries === undefined ? {} : { beneficiaries }),
    context: given.featured ? { featuredAppRight: featuredAppRightCid } : {},
  });
  return sandbox
    .active(FeaturedAppActivityMarker)
    .map(({ payload }) => ({ ...payload, weight: formatDecimalShort(payload.weight) }));
}

describe("the app that arranged a transfer", () => {
  test("earns one marker for itself if it is featured", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    expect(pay(network, { featured: true })).toEqual([
      { dso, provider: app, beneficiary: app, weight: "1.0" },
    ]);
    // Rewards come before the outputs.
    expect(shapeOf(sandbox)).toEqual([
      "AmuletRules_Transfer AmuletRules",
      "Archive Amulet",
      "create FeaturedAppActivityMarker",
      "create Amulet",
      "create Amulet",
    ]);
  });

  test("earns nothing if it does not show its right", () => {
    expect(pay(new SandboxNetwork(), { featured: false })).toEqual([]);
    expect(pay(new SandboxNetwork(), { featured: false, shares: [[bob, "1.0"]] })).toEqual([]);
  });

  test("shares with beneficiaries, each with the sum of its weights, in the order of parties", () => {
    const network = new SandboxNetwork();
    const { dso } = network;
    const shares: readonly Share[] = [
      [bob, "0.7"],
      [alice, "0.2"],
      [bob, "0.1"],
    ];
    expect(pay(network, { featured: true, shares })).toEqual([
      { dso, provider: app, beneficiary: alice, weight: "0.2" },
      { dso, provider: app, beneficiary: bob, weight: "0.8" },
    ]);
  });
});

describe("beneficiaries", () => {
  const twenty = (first: string): readonly Share[] => [
    [alice, first],
    ...Array.from({ length: 19 }, (): Share => [bob, "0.01"]),
  ];

  test("may be twenty", () => {
    expect(pay(new SandboxNetwork(), { featured: true, shares: twenty("0.81") })).toHaveLength(2);
  });

  test.each([
    {
      label: "There are at most 20 beneficiaries",
      shares: [...twenty("0.8"), [alice, "0.01"] as Share],
    },
    { label: "Beneficiary weights add up to 1.0", shares: [] },
    { label: "Beneficiary weights add up to 1.0", shares: [[alice, "0.2"] as Share] },
    { label: "Beneficiary weights add up to 1.0", shares: [[alice, "0.9999999999"] as Share] },
    { label: "Beneficiary weights add up to 1.0", shares: [[alice, "1.0"] as Share, [bob, "0.5"] as Share] },
    {
      label: "Beneficiary weights are between 0.0 and 1.0",
      shares: [[alice, "1.0"] as Share, [bob, "0.0"] as Share],
    },
    {
      label: "Beneficiary weights are between 0.0 and 1.0",
      shares: [[alice, "1.5"] as Share, [bob, "-0.5"] as Share],
    },
  ])("are refused if not: $label, featured or not", ({ label, shares }) => {
    expectUnmet(label, () => pay(new SandboxNetwork(), { featured: true, shares }));
    expectUnmet(label, () => pay(new SandboxNetwork(), { featured: false, shares }));
  });
});
