import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { expectNotFound, expectUnauthorized, rejectionOf } from "../../../../testing/rejection.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { shapeOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import { decimal } from "../../../values/decimal.ts";
import { DAY } from "../../../values/duration.ts";
import { addDuration } from "../../../values/time.ts";
import { Amulet, LockedAmulet } from "../declarations/amulet.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const carol = testParty("carol");

describe("a transfer", () => {
  test("gives the receiver a coin and the sender the change, both of the context's round and rate", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "200.0");
    const result = transferCoins(network, {
      sender: alice,
      inputs: [coin],
      outputs: [outputTo(bob, "50.0")],
    });
    const { sandbox, dso } = network;
    const terms = { createdAt: { number: 1n }, ratePerRound: { rate: decimal("0.0038051800") } };
    const [created] = result.createdAmulets;
    expect(created?.tag).toBe("TransferResultAmulet");
    expect(sandbox.active(Amulet).map(({ contractId, payload }) => [contractId, payload] as const)).toEqual([
      [created?.value, { dso, owner: bob, amount: { initialAmount: decimal("50.0"), ...terms } }],
      [
        result.senderChangeAmulet,
        { dso, owner: alice, amount: { initialAmount: decimal("150.0"), ...terms } },
      ],
    ]);
    expect(sandbox.isActive(coin)).toBe(false);
    expect(shapeOf(sandbox)).toEqual([
      "AmuletRules_Transfer AmuletRules",
      "Archive Amulet",
      "create Amulet",
      "create Amulet",
    ]);
  });

  test("says the round, the sums and, as metadata, its kind and sender", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "200.0");
    const result = transferCoins(network, {
      sender: alice,
      inputs: [coin],
      outputs: [outputTo(bob, "50.0")],
    });
    // Coins of round 1: each counts one round's fee more as of round zero.
    const rate = decimal("0.00380518");
    expect(result.round).toEqual({ number: 1n });
    expect(result.summary).toEqual({
      inputAppRewardAmount: 0n,
      inputValidatorRewardAmount: 0n,
      inputSvRewardAmount: 0n,
      inputAmuletAmount: decimal("200.0"),
      balanceChanges: [
        [
          alice,
          { changeToInitialAmountAsOfRoundZero: decimal("-50.0"), changeToHoldingFeesRate: decimal("0.0") },
        ],
        [bob, { changeToInitialAmountAsOfRoundZero: decimal("50.00380518"), changeToHoldingFeesRate: rate }],
      ],
      holdingFees: 0n,
      outputFees: [0n],
      senderChangeFee: 0n,
      senderChangeAmount: decimal("150.0"),
      amuletPrice: decimal("0.005"),
      inputValidatorFaucetAmount: 0n,
      inputUnclaimedActivityRecordAmount: 0n,
      inputDevelopmentFundAmount: 0n,
    });
    expect(result.meta).toEqual({
      values: [
        ["splice.lfdecentralizedtrust.org/sender", alice],
        ["splice.lfdecentralizedtrust.org/tx-kind", "transfer"],
      ],
    });
  });

  test("merges and splits: several coins in, several out, in the order asked for, change last", () => {
    const network = new SandboxNetwork();
    const inputs = ["33.0", "33.0", "34.0"].map((amount) => network.tap(alice, amount));
    const expiresAt = addDuration(network.sandbox.now, 2n * DAY);
    const result = transferCoins(network, {
      sender: alice,
      inputs,
      outputs: [
        outputTo(alice, "59.8"),
        outputTo(alice, "10.0", { holders: [], expiresAt, optContext: null }),
        { ...outputTo(bob, "10.0"), receiverFeeRatio: decimal("0.4") },
        outputTo(bob, "20.0", { holders: [alice, bob, bob], expiresAt, optContext: "why" }),
      ],
    });
    expect(result.createdAmulets.map(({ tag }) => tag)).toEqual([
      "TransferResultAmulet",
      "TransferResultLockedAmulet",
      "TransferResultAmulet",
      "TransferResultLockedAmulet",
    ]);
    expect(result.summary.outputFees).toEqual([0n, 0n, 0n, 0n]);
    expect(result.summary.senderChangeAmount).toBe(decimal("0.2"));
    expect(coinsOf(network, alice)).toEqual(["0.2", "59.8"]);
    expect(coinsOf(network, bob)).toEqual(["10.0"]);
    const locked = network.sandbox.active(LockedAmulet).map(({ payload }) => payload);
    expect(locked.map(({ amulet, lock }) => [amulet.owner, lock])).toEqual([
      [alice, { holders: [], expiresAt, optContext: null }],
      [bob, { holders: [alice], expiresAt, optContext: "why" }],
    ]);
    // Three coins went, five came: 59.8 + 10 + 0.2 stay with alice, 10 + 20 with bob.
    const rates = result.summary.balanceChanges.map(([party, change]) => [
      party,
      change.changeToHoldingFeesRate,
    ]);
    expect(rates).toEqual([
      [alice, decimal("0.0")],
      [bob, decimal("0.00761036")],
    ]);
  });

  test("a transfer that is covered exactly leaves no change", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "200.0");
    const result = transferCoins(network, {
      sender: alice,
      inputs: [coin],
      outputs: [outputTo(bob, "200.0")],
    });
    expect(result.senderChangeAmulet).toBeNull();
    expect(result.summary.senderChangeAmount).toBe(0n);
    expect(coinsOf(network, alice)).toEqual([]);
    expect(coinsOf(network, bob)).toEqual(["200.0"]);
    const spent = result.summary.balanceChanges.find(([party]) => party === alice)?.[1];
    expect(spent).toEqual({
      changeToInitialAmountAsOfRoundZero: decimal("-200.00380518"),
      changeToHoldingFeesRate: decimal("-0.00380518"),
    });
  });

  test("without outputs merges the coins into the change", () => {
    const network = new SandboxNetwork();
    const inputs = ["1.0", "2.5"].map((amount) => network.tap(alice, amount));
    const result = transferCoins(network, { sender: alice, inputs, outputs: [] });
    expect(coinsOf(network, alice)).toEqual(["3.5"]);
    expect(result.meta).toEqual({
      values: [["splice.lfdecentralizedtrust.org/tx-kind", "merge-split"]],
    });
  });

  test.each([
    { what: "a coin of the sender's own", receiver: alice, holders: null, kind: "merge-split" },
    { what: "a coin locked to the sender alone", receiver: alice, holders: [alice], kind: "merge-split" },
    { what: "a coin locked to nobody", receiver: alice, holders: [], kind: "merge-split" },
    { what: "a coin locked to another", receiver: alice, holders: [alice, bob], kind: "transfer" },
    { what: "a coin of another, locked to the sender", receiver: bob, holders: [alice], kind: "transfer" },
  ])("of $what is a $kind", ({ receiver, holders, kind }) => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "10.0");
    const expiresAt = addDuration(network.sandbox.now, 1n);
    const lock = holders === null ? null : { holders, expiresAt, optContext: null };
    const { meta } = transferCoins(network, {
      sender: alice,
      inputs: [coin],
      outputs: [outputTo(alice, "1.0"), outputTo(receiver, "1.0", lock)],
    });
    expect(meta?.values).toContainEqual(["splice.lfdecentralizedtrust.org/tx-kind", kind]);
    expect(meta?.values.some(([key]) => key.endsWith("/sender"))).toBe(kind === "transfer");
  });
});

describe("the parties of a transfer", () => {
  const expiresAt = (network: SandboxNetwork) => addDuration(network.sandbox.now, DAY);
  const transferBy = (actAs: readonly (typeof alice)[]) => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "10.0");
    const lock = { holders: [carol], expiresAt: expiresAt(network), optContext: null };
    const transfer = {
      sender: alice,
      provider: testParty("app"),
      inputs: [coin],
      outputs: [outputTo(bob, "1.0", lock)],
    };
    return transferCoins(network, transfer, actAs);
  };
  const everybody = [alice, testParty("app"), bob, carol];

  test("is the sender, the provider, each receiver and each lock holder", () => {
    expect(transferBy(everybody).createdAmulets).toHaveLength(1);
  });

  test.each(everybody)("without %s nothing happens", (missing) => {
    expectUnauthorized(() => transferBy(everybody.filter((party) => party !== missing)));
  });
});

describe("a coin", () => {
  test("is spent once", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "10.0");
    const spend = () => transferCoins(network, { sender: alice, inputs: [coin], outputs: [] });
    spend();
    expectNotFound(spend);
  });

  test("is not counted twice in one transfer", () => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "10.0");
    const twice = () => transferCoins(network, { sender: alice, inputs: [coin, coin], outputs: [] });
    expect(rejectionOf(twice).code).toBe("CONTRACT_NOT_ACTIVE");
    expect(network.balanceOf(alice)).toBe(decimal("10.0"));
  });
});

describe("the limits of a transfer", () => {
  test("100 inputs are allowed", () => {
    const network = new SandboxNetwork();
    const inputs = Array.from({ length: 100 }, () => network.tap(alice, "1.0"));
    transferCoins(network, { sender: alice, inputs, outputs: [] });
    expect(coinsOf(network, alice)).toEqual(["100.0"]);
  });

  test("101 inputs are refused", () => {
    const network = new SandboxNetwork();
    const inputs = Array.from({ length: 101 }, () => network.tap(alice, "1.0"));
    const { code, category, context, cause } = rejectionOf(() =>
      transferCoins(network, { sender: alice, inputs, outputs: [] }),
    );
    expect(cause).toMatch(/\): More than the maximum number of inputs$/);
    expect({ code, category, context }).toEqual({
      code: "DAML_FAILURE",
      category: 8,
      context: { error_id: "splice.lfdecentralizedtrust.org/maximum-inputs-exceeded" },
    });
  });

  test.each([
    [100, null],
    [101, "splice.lfdecentralizedtrust.org/maximum-outputs-exceeded"],
  ])("%i outputs: %s", (count, errorId) => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, "100.0");
    const split = () =>
      transferCoins(network, {
        sender: alice,
        inputs: [coin],
        outputs: Array.from({ length: count }, () => outputTo(alice, "1.0")),
      });
    if (errorId === null) {
      expect(split().createdAmulets).toHaveLength(count);
    } else {
      const { category, context, cause } = rejectionOf(split);
      expect(cause).toMatch(/\): More than the maximum number of outputs$/);
      expect({ category, context }).toEqual({ category: 8, context: { error_id: errorId } });
    }
  });

  test.each([
    { input: "10.0", outputs: ["10.0000000001"], missing: "0.0000000001" },
    { input: "10.0", outputs: ["6.0", "7.5"], missing: "3.5" },
  ])("$outputs out of $input lacks $missing", ({ input, outputs, missing }) => {
    const network = new SandboxNetwork();
    const coin = network.tap(alice, input);
    const { code, category, context, cause } = rejectionOf(() =>
      transferCoins(network, {
        sender: alice,
        inputs: [coin],
        outputs: outputs.map((amount) => outputTo(bob, amount)),
      }),
    );
    expect({ code, category, context }).toEqual({
      code: "DAML_FAILURE",
      category: 9,
      context: {
        error_id: "splice.lfdecentralizedtrust.org/insufficient-funds",
        requiredAmount: missing,
      },
    });
    expect(cause).toContain(`): Insufficient funds: you are missing ${missing} to complete this transfer.`);
    expect(network.balanceOf(alice)).toBe(decimal(input));
  });

  test("a transfer of nothing at all succeeds and changes nothing", () => {
    const network = new SandboxNetwork();
    const result = transferCoins(network, { sender: alice, inputs: [], outputs: [] });
    expect(result.createdAmulets).toEqual([]);
    expect(result.senderChangeAmulet).toBeNull();
    expect(shapeOf(network.sandbox)).toEqual(["AmuletRules_Transfer AmuletRules"]);
  });
});
