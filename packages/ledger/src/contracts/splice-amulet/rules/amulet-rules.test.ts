import { describe, expect, test } from "vitest";
import { archiveContract } from "../../../../testing/archive-contract.ts";
import { SandboxNetwork, TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  expectUnmet,
  GENERAL_ERROR,
  PRECONDITION_FAILED,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { Sandbox, type Submitting, testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import { decimal } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { relTime } from "../../rel-time.ts";
import { Amulet, FeaturedAppRight } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { OpenMiningRound } from "../declarations/round.ts";
import { defaultAmuletConfig } from "./default-amulet-config.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const dso = testParty("DSO");
const config = defaultAmuletConfig(TEST_SYNCHRONIZER);
const rules: AmuletRules = {
  dso,
  configSchedule: { initialValue: config, futureValues: [] },
  isDevNet: true,
  contractStateSchemaVersion: null,
};

describe("AmuletRules", () => {
  test.each<[string, Partial<AmuletRules>]>([
    [
      "an invalid configuration",
      { configSchedule: { initialValue: { ...config, tickDuration: relTime(0n) }, futureValues: [] } },
    ],
    [
      "a configuration for later",
      {
        configSchedule: {
          initialValue: config,
          futureValues: [{ _1: new Sandbox().now, _2: config }],
        },
      },
    ],
    ["a negative schema version", { contractStateSchemaVersion: -1n }],
  ])("cannot have %s", (_what, given) => {
    const create = () => new Sandbox().create(AmuletRules, { ...rules, ...given }, { actAs: [dso] });
    expect(rejectionOf(create).context["error_id"]).toBe(PRECONDITION_FAILED);
  });

  test("can be created by the DSO alone, with or without a schema version", () => {
    const sandbox = new Sandbox();
    expectUnauthorized(() => sandbox.create(AmuletRules, rules, { actAs: [alice] }));
    const versioned = { ...rules, contractStateSchemaVersion: 0n };
    expect(sandbox.create(AmuletRules, versioned, { actAs: [dso] })).toBeTypeOf("string");
  });

  test("is usable by disclosure only, round after round", () => {
    const network = new SandboxNetwork();
    for (let i = 0; i < 5; i++) {
      network.advanceRounds();
      const inputs = [network.tap(alice, "1.0")];
      transferCoins(network, { sender: alice, inputs, outputs: [outputTo(bob, "0.01")] });
    }
    expect(coinsOf(network, bob)).toEqual(["0.01", "0.01", "0.01", "0.01", "0.01"]);
    const tap = (disclose: Submitting["disclose"] = []) =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_DevNet_Tap",
        { receiver: alice, amount: decimal("1.0"), openRound: network.usableRound().contractId },
        { actAs: [alice], disclose },
      );
    expectNotFound(() => tap());
    expectNotFound(() => tap([network.amuletRules]));
    expectNotFound(() => tap([network.usableRound().contractId]));
    expect(tap([network.amuletRules, network.usableRound().contractId]).amuletSum.round.number).toBe(6n);
  });
});

describe("AmuletRules_Transfer", () => {
  const payExpecting = (expectedDso: PartyId | null) => {
    const network = new SandboxNetwork();
    const inputs = [network.tap(alice, "100.0")];
    transferCoins(network, { sender: alice, inputs, outputs: [outputTo(bob, "20.0")], expectedDso });
    return coinsOf(network, bob);
  };

  test("goes ahead if the caller expects this DSO", () => {
    expect(payExpecting(dso)).toEqual(["20.0"]);
  });

  test.each([
    {
      expectedDso: null,
      cause:
        "Expected DSO party not set by caller. Please change your code to set it as a prudent security measure.",
    },
    {
      expectedDso: alice,
      cause: `DSO party expected by caller '${alice}' does not match actual DSO party '${dso}'`,
    },
  ])("is refused if the caller expects $expectedDso", ({ expectedDso, cause }) => {
    const error = rejectionOf(() => payExpecting(expectedDso));
    expect(error.code).toBe("DAML_FAILURE");
    expect(error.cause).toBe(`${GENERAL_ERROR}${cause}`);
  });
});

describe("AmuletRules_DevNet_Tap", () => {
  const tap = (network: SandboxNetwork, given: { amount?: string; round?: bigint; as?: Submitting } = {}) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_DevNet_Tap",
      {
        receiver: alice,
        amount: decimal(given.amount ?? "100.0"),
        openRound: network.openRound(given.round ?? 1n).contractId,
      },
      given.as ?? { actAs: [alice], disclose: network.disclosures() },
    );

  test("makes the coin asked for, in coin, of the round named", () => {
    const network = new SandboxNetwork();
    const result = tap(network);
    const [coin] = network.sandbox.active(Amulet);
    expect(coin?.payload).toEqual({
      dso,
      owner: alice,
      amount: {
        initialAmount: decimal("100.0"),
        createdAt: { number: 1n },
        ratePerRound: { rate: decimal("0.0038051800") },
      },
    });
    expect(result).toEqual({
      amuletSum: { amulet: coin?.contractId, amuletPrice: decimal("0.005"), round: { number: 1n } },
      meta: {
        values: [
          ["splice.lfdecentralizedtrust.org/reason", "tapped faucet"],
          ["splice.lfdecentralizedtrust.org/tx-kind", "mint"],
        ],
      },
    });
    expect(shapeOf(network.sandbox)).toEqual([
      "AmuletRules_DevNet_Tap AmuletRules",
      "AmuletRules_Mint AmuletRules",
      "create Amulet",
    ]);
  });

  test.each([
    { price: "1.0", rate: "0.0000190259" },
    { price: "3.7", rate: "0.0000051421" },
  ])("at a price of $price the holding fee is $rate", ({ price, rate }) => {
    const network = new SandboxNetwork({ amuletPrice: decimal(price) });
    expect(tap(network).amuletSum.amuletPrice).toBe(decimal(price));
    const [coin] = network.sandbox.active(Amulet);
    expect(coin?.payload.amount.initialAmount).toBe(decimal("100.0"));
    expect(coin?.payload.amount.ratePerRound.rate).toBe(decimal(rate));
  });

  test("may name a round that does not open until later", () => {
    expect(tap(new SandboxNetwork(), { round: 2n }).amuletSum.round.number).toBe(2n);
  });

  test("is refused outside of development networks", () => {
    expectUnmet("isDevNet flag is true", () => tap(new SandboxNetwork({ isDevNet: false })));
  });

  test.each(["0.0", "-1.0"])("cannot make %s", (amount) => {
    expect(rejectionOf(() => tap(new SandboxNetwork(), { amount })).context["error_id"]).toBe(
      PRECONDITION_FAILED,
    );
  });

  test("is exercised by the receiver alone", () => {
    const network = new SandboxNetwork();
    const as = { actAs: [bob], disclose: network.disclosures() };
    expectUnauthorized(() => tap(network, { as }));
  });
});

describe("AmuletRules_Mint", () => {
  const mint = (network: SandboxNetwork, actAs: readonly PartyId[]) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_Mint",
      { receiver: alice, amount: decimal("5.0"), openRound: network.usableRound().contractId },
      { actAs, disclose: network.disclosures() },
    );

  test("makes a coin for the DSO and the receiver together", () => {
    const network = new SandboxNetwork();
    const { amuletSum } = mint(network, [dso, alice]);
    expect(amuletSum).toMatchObject({ amuletPrice: decimal("0.005"), round: { number: 1n } });
    expect(network.sandbox.isActive(amuletSum.amulet)).toBe(true);
  });

  test("takes rounds of the DSO only, even for a receiver who signs rounds too", () => {
    const network = new SandboxNetwork();
    const other = testParty("OTHER-DSO");
    const { payload } = network.usableRound();
    const foreign = network.sandbox.create(OpenMiningRound, { ...payload, dso: other }, { actAs: [other] });
    expectOtherGroup("OpenMiningRound", () =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_DevNet_Tap",
        { receiver: other, amount: decimal("5.0"), openRound: foreign },
        { actAs: [other], disclose: network.disclosures() },
      ),
    );
  });

  test.each([alice, dso])("is refused to %s alone", (party) => {
    expectUnauthorized(() => mint(new SandboxNetwork(), [party]));
  });

  test("is refused outside of development networks", () => {
    expectUnmet("isDevNet flag is true", () => mint(new SandboxNetwork({ isDevNet: false }), [dso, alice]));
  });
});

describe("AmuletRules_DevNet_FeatureApp", () => {
  const feature = (network: SandboxNetwork, actAs: readonly PartyId[]) =>
    network.sandbox.exercise(
      AmuletRules,
      network.amuletRules,
      "AmuletRules_DevNet_FeatureApp",
      { provider: bob },
      { actAs, disclose: network.disclosures() },
    );

  test("gives the provider its right", () => {
    const network = new SandboxNetwork();
    const { featuredAppRightCid } = feature(network, [bob]);
    expect(network.sandbox.active(FeaturedAppRight)).toEqual([
      { contractId: featuredAppRightCid, payload: { dso, provider: bob } },
    ]);
  });

  test("is refused outside of development networks, and to everybody but the provider", () => {
    expectUnmet("isDevNet flag is true", () => feature(new SandboxNetwork({ isDevNet: false }), [bob]));
    expectUnauthorized(() => feature(new SandboxNetwork(), [alice]));
  });

  test("stops when the network is no development network any more", () => {
    const network = new SandboxNetwork();
    archiveContract(network.sandbox, AmuletRules, network.amuletRules, { actAs: [dso] });
    network.sandbox.create(AmuletRules, { ...rules, isDevNet: false }, { actAs: [dso] });
    expectUnmet("isDevNet flag is true", () => feature(network, [bob]));
  });
});

describe("AmuletRules_Fetch", () => {
  test("shows disclosed rules to every party, as a node of the transaction", () => {
    const network = new SandboxNetwork();
    const fetch = (as: Submitting) =>
      network.sandbox.exercise(AmuletRules, network.amuletRules, "AmuletRules_Fetch", { p: alice }, as);
    expect(fetch({ actAs: [alice], disclose: network.disclosures() })).toEqual(rules);
    expect(shapeOf(network.sandbox)).toEqual(["AmuletRules_Fetch AmuletRules"]);
    expectNotFound(() => fetch({ actAs: [alice] }));
    expectUnauthorized(() => fetch({ actAs: [bob], disclose: network.disclosures() }));
  });
});
