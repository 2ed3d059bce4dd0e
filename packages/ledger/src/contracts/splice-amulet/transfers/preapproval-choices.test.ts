import { describe, expect, test } from "vitest";
import { TEST_SYNCHRONIZER } from "../../../../testing/network-fixture.ts";
import { expectUnauthorized, expectUnmet, rejectionOf } from "../../../../testing/rejection.ts";
import type { Submitting } from "../../../../testing/sandbox.ts";
import { alice, bob, inputAmulet, validator } from "../../../../testing/subscription-fixture.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf } from "../../../../testing/transfers.ts";
import { FEE_OF_A_DAY, WalletNetwork } from "../../../../testing/wallet-fixture.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import { DAY } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import type { Time } from "../../../values/time.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { ExternalPartySetupProposal, TransferPreapproval } from "../declarations/transfer-preapproval.ts";
import { defaultAmuletConfig } from "../rules/default-amulet-config.ts";

interface Purchase {
  readonly inputs: readonly ContractId[];
  readonly expiresAt: Time;
  readonly expectedDso?: PartyId | null;
  readonly as?: Submitting;
}

/** The validator pays for bob. */
const purchases = {
  AmuletRules_CreateExternalPartySetupProposal: {
    template: ExternalPartySetupProposal,
    usage: "create ExternalPartySetupProposal",
    expiry: "preapprovalExpiresAt is not in the past",
    controllers: [validator],
    buy: (network: WalletNetwork, { inputs, expiresAt, expectedDso = network.dso, as }: Purchase) =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_CreateExternalPartySetupProposal",
        {
          context: network.paymentContext(),
          inputs: inputs.map(inputAmulet),
          user: bob,
          validator,
          preapprovalExpiresAt: expiresAt,
          expectedDso,
        },
        as ?? network.as(validator),
      ),
  },
  AmuletRules_CreateTransferPreapproval: {
    template: TransferPreapproval,
    usage: "create TransferPreapproval",
    expiry: "expiresAt is not in the past",
    controllers: [validator, bob],
    buy: (network: WalletNetwork, { inputs, expiresAt, expectedDso = network.dso, as }: Purchase) =>
      network.sandbox.exercise(
        AmuletRules,
        network.amuletRules,
        "AmuletRules_CreateTransferPreapproval",
        {
          context: network.paymentContext(),
          inputs: inputs.map(inputAmulet),
          receiver: bob,
          provider: validator,
          expiresAt,
          expectedDso,
        },
        as ?? network.as(validator, bob),
      ),
  },
} as const;
const choices = Object.keys(purchases) as (keyof typeof purchases)[];

test("a proposal to host an external party names both and the time that was paid for", () => {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const [inputs, expiresAt] = [[network.tap(validator, "10.0")], network.later(DAY)];
  const { buy } = purchases.AmuletRules_CreateExternalPartySetupProposal;
  const result = buy(network, { inputs, expiresAt });
  expect(result).toMatchObject({ user: bob, validator });
  expect(sandbox.payloadOf(ExternalPartySetupProposal, result.proposalCid)).toEqual({
    validator,
    user: bob,
    dso,
    createdAt: sandbox.now,
    preapprovalExpiresAt: expiresAt,
  });
});

test("a preapproval runs from now, and was last renewed now", () => {
  const network = new WalletNetwork();
  const { sandbox, dso } = network;
  const [inputs, expiresAt] = [[network.tap(validator, "10.0")], network.later(DAY)];
  const { buy } = purchases.AmuletRules_CreateTransferPreapproval;
  const { transferPreapprovalCid } = buy(network, { inputs, expiresAt });
  expect(sandbox.payloadOf(TransferPreapproval, transferPreapprovalCid)).toEqual({
    dso,
    receiver: bob,
    provider: validator,
    validFrom: sandbox.now,
    lastRenewedAt: sandbox.now,
    expiresAt,
  });
});

describe.each(choices)("%s", (choice) => {
  const { template, usage, expiry, controllers, buy } = purchases[choice];

  test("burns the fee of its days and lets the sender's validator claim a reward for it", () => {
    const network = new WalletNetwork();
    const { sandbox, dso } = network;
    const inputs = [network.tap(validator, "10.0")];
    const result = buy(network, { inputs, expiresAt: network.later(DAY) });
    expect(changesOf(sandbox)).toEqual({
      archived: ["Amulet"],
      created: ["Amulet", "ValidatorRewardCoupon", template.entity],
    });
    expect(result.amuletPaid).toBe(decimal("0.548"));
    expect(result.meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/burned", "0.548"],
        ["splice.lfdecentralizedtrust.org/reason", usage],
        ["splice.lfdecentralizedtrust.org/tx-kind", "burn"],
      ],
    });
    const { transferResult } = result;
    expect(transferResult).toMatchObject({ round: { number: 1n }, meta: null });
    expect(transferResult.summary.balanceChanges).toEqual([
      [
        validator,
        {
          changeToInitialAmountAsOfRoundZero: decimal("-0.548"),
          changeToHoldingFeesRate: decimal("0.0"),
        },
      ],
    ]);
    expect(network.burnCoupons()).toEqual([
      { dso, user: validator, amount: decimal("0.548"), round: { number: 1n } },
    ]);
    expect(coinsOf(network, validator)).toEqual(["9.452"]);
    expect(exercisesOf(sandbox)).toEqual([
      [choice, controllers],
      ["OpenMiningRound_Fetch", [dso]],
      ["Archive", [dso, validator]],
      ["Archive", [dso, validator]],
    ]);
  });

  test.each([
    { duration: DAY, price: "0.005", fee: "0.548" },
    { duration: 90n * DAY, price: "0.005", fee: "49.32" },
    { duration: DAY / 2n, price: "0.005", fee: "0.274" },
    { duration: DAY, price: "0.3", fee: "0.0091333333" },
    // A third of a day is 0.3333333333 days, and those × 0.00274 are 0.0009133333: both are rounded.
    { duration: DAY / 3n, price: "0.005", fee: "0.18266666" },
    // 1.83 × 10⁻⁸ days cost the smallest fraction of a dollar.
    { duration: 1_581n, price: "0.005", fee: "0.00000002" },
  ])("costs $fee for $duration µs at $price", ({ duration, price, fee }) => {
    const network = new WalletNetwork({ amuletPrice: decimal(price) });
    const inputs = [network.tap(validator, fee)];
    const { amuletPaid } = buy(network, { inputs, expiresAt: network.later(duration) });
    expect(formatDecimalShort(amuletPaid)).toBe(fee);
    expect(coinsOf(network, validator)).toEqual([]);
  });

  test.each([1n, 1_572n])("is not to be had for the %d µs that cost nothing", (duration) => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, "1.0")];
    expectUnmet("Amount is positive", () => buy(network, { inputs, expiresAt: network.later(duration) }));
  });

  test.each([
    { configured: decimal("1.0"), fee: "200.0" },
    { configured: null, fee: FEE_OF_A_DAY },
  ])("takes the configured fee of a day, or the default: $fee", ({ configured, fee }) => {
    const config = { ...defaultAmuletConfig(TEST_SYNCHRONIZER), transferPreapprovalFee: configured };
    const network = new WalletNetwork({ config });
    const inputs = [network.tap(validator, "200.0")];
    const { amuletPaid } = buy(network, { inputs, expiresAt: network.later(DAY) });
    expect(formatDecimalShort(amuletPaid)).toBe(fee);
  });

  test.each([0n, -1n])("does not begin at its end, %d µs from now", (duration) => {
    const network = new WalletNetwork();
    expectUnmet(expiry, () => buy(network, { inputs: [], expiresAt: network.later(duration) }));
  });

  test("says what is missing", () => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, "0.5479999999")];
    const { context } = rejectionOf(() => buy(network, { inputs, expiresAt: network.later(DAY) }));
    expect(context).toEqual({
      error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
      requiredAmount: "0.0000000001",
    });
  });

  test("wants the DSO that the sender meant", () => {
    const network = new WalletNetwork();
    const expiresAt = network.later(DAY);
    const buyWith = (expectedDso: PartyId | null) => () =>
      buy(network, { inputs: [], expiresAt, expectedDso });
    expect(rejectionOf(buyWith(null)).cause).toContain("Expected DSO party not set by caller.");
    expect(rejectionOf(buyWith(alice)).cause).toContain(`DSO party expected by caller '${alice}'`);
  });

  test.each(controllers.map((controller) => [controller]))("is not made without %s", (controller) => {
    const network = new WalletNetwork();
    const inputs = [network.tap(validator, FEE_OF_A_DAY)];
    const others = [alice, validator, bob].filter((party) => party !== controller);
    const purchase = { inputs, expiresAt: network.later(DAY), as: network.as(...others) };
    expectUnauthorized(() => buy(network, purchase));
  });
});
