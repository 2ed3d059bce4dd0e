import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectUnauthorized,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimal } from "../../../values/decimal.ts";
import { Amulet } from "../declarations/amulet.ts";
import type { TransferInput } from "../declarations/transfer.ts";

const alice = testParty("alice");
const bob = testParty("bob");

describe("a coin put into a transfer", () => {
  test("must be the sender's, even if its owner takes part", () => {
    const network = new SandboxNetwork();
    const bobs = network.tap(bob, "10.0");
    const transfer = { sender: alice, inputs: [bobs], outputs: [] };
    expectNotFound(() => transferCoins(network, transfer));
    expectOtherGroup("Amulet", () => transferCoins(network, { ...transfer, provider: bob }));
  });

  test("must be the DSO's", () => {
    const network = new SandboxNetwork();
    const otherDso = testParty("OTHER-DSO");
    const amount = {
      initialAmount: decimal("10.0"),
      createdAt: { number: 0n },
      ratePerRound: { rate: decimal("0.0") },
    };
    const foreign = network.sandbox.create(
      Amulet,
      { dso: otherDso, owner: alice, amount },
      { actAs: [otherDso, alice] },
    );
    expectOtherGroup("Amulet", () =>
      transferCoins(network, { sender: alice, inputs: [foreign], outputs: [] }),
    );
  });

  test("is not spent without the sender's authority", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "10.0");
    const transfer = { sender: alice, provider: bob, inputs: [coin], outputs: [outputTo(bob, "10.0")] };
    expectUnauthorized(() => transferCoins(network, transfer, [bob]));
  });

  test("cannot be locked", () => {
    const network = new SandboxNetwork();
    const lock = { holders: [bob], expiresAt: network.openRound(2n).payload.opensAt, optContext: null };
    const { createdAmulets } = transferCoins(network, {
      sender: alice,
      inputs: [network.tap(alice, "10.0")],
      outputs: [outputTo(alice, "10.0", lock)],
    });
    const [locked] = createdAmulets;
    if (locked?.tag !== "TransferResultLockedAmulet") throw new Error("the coin was not locked");
    const spend = () => transferCoins(network, { sender: alice, inputs: [locked.value], outputs: [] });
    expect(rejectionOf(spend).code).toBe("WRONGLY_TYPED_CONTRACT");
  });

  test("counts in full at any age: holding fees are never taken", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "0.01");
    // At 0.0038051800 a round the coin is used up after three rounds; it is spent in the sixth.
    for (let i = 0; i < 5; i++) network.advanceRounds();
    const { summary } = transferCoins(network, { sender: alice, inputs: [coin], outputs: [] });
    expect(summary.inputAmuletAmount).toBe(decimal("0.01"));
    expect(summary.holdingFees).toBe(0n);
    expect(coinsOf(network, alice)).toEqual(["0.01"]);
  });

  test("moves to the last of ten places", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "0.0000000003");
    transferCoins(network, { sender: alice, inputs: [coin], outputs: [outputTo(bob, "0.0000000001")] });
    expect(coinsOf(network, alice)).toEqual(["0.0000000002"]);
    expect(coinsOf(network, bob)).toEqual(["0.0000000001"]);
  });

  test("an input that pushes the sum beyond 38 digits is an arithmetic error", () => {
    const network = new SandboxNetwork();
    const coins = [1, 2].map(() => network.tap(alice, `6${"0".repeat(27)}.0`));
    const { code, context } = rejectionOf(() =>
      transferCoins(network, { sender: alice, inputs: coins, outputs: [] }),
    );
    expect(code).toBe("DAML_FAILURE");
    expect(context["error_id"]).toBe("UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError");
  });
});

describe("other inputs", () => {
  const extension = (optInputValidatorFaucetCoupon: ContractId | null): TransferInput => ({
    tag: "ExtTransferInput",
    value: { dummyUnitField: {}, optInputValidatorFaucetCoupon },
  });
  const tags = [
    "InputAppRewardCoupon",
    "InputValidatorRewardCoupon",
    "InputSvRewardCoupon",
    "InputValidatorLivenessActivityRecord",
    "InputUnclaimedActivityRecord",
    "InputDevelopmentFundCoupon",
  ] as const;
  const kinds: readonly (readonly [string, (value: ContractId) => TransferInput])[] = [
    ...tags.map((tag) => [tag, (value: ContractId): TransferInput => ({ tag, value })] as const),
    ["ExtTransferInput", extension],
  ];

  test.each(kinds)("%s takes no contract of another kind", (_tag, input) => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "1.0");
    const transfer = { sender: alice, inputs: [input(coin)], outputs: [] };
    expect(rejectionOf(() => transferCoins(network, transfer)).code).toBe("WRONGLY_TYPED_CONTRACT");
  });

  test("an extension input without a coupon stands for nothing", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "1.0");
    transferCoins(network, { sender: alice, inputs: [extension(null), coin], outputs: [] });
    expect(coinsOf(network, alice)).toEqual(["1.0"]);
  });
});
