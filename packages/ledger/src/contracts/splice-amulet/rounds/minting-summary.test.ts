import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { expectUnauthorized } from "../../../../testing/rejection.ts";
import { createIssuingRound, Rewards, rewardInput } from "../../../../testing/reward-fixture.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { coinsOf, outputTo, transferCoins } from "../../../../testing/transfers.ts";
import { decimal, formatDecimalShort } from "../../../values/decimal.ts";
import { Amulet, ValidatorRight } from "../declarations/amulet.ts";

const alice = testParty("alice");
const bob = testParty("bob");

describe("the summary of a transfer that mints", () => {
  test("gives each kind of reward its own figure, and validators' faucet money twice", () => {
    const network = new SandboxNetwork();
    const { dso, sandbox } = network;
    const right = sandbox.create(ValidatorRight, { dso, user: alice, validator: alice }, { actAs: [alice] });
    const first = new Rewards(network);
    const second = new Rewards(network, { round: 1n });
    const issuing0 = createIssuingRound(network, 0n);
    const issuing1 = createIssuingRound(network, 1n, {
      issuancePerValidatorRewardCoupon: decimal("0.1"),
      optIssuancePerValidatorFaucetCoupon: null,
    });
    const coin = network.tap(alice, "7.0");
    const result = transferCoins(network, {
      sender: alice,
      inputs: [
        rewardInput("InputAppRewardCoupon", first.app(alice, "1.5")),
        rewardInput("InputValidatorRewardCoupon", first.validator(alice, "10.0")),
        rewardInput("InputValidatorRewardCoupon", second.validator(alice, "10.0")),
        coin,
        rewardInput("ExtTransferInput", first.faucet(alice)),
        rewardInput("InputValidatorLivenessActivityRecord", first.liveness(alice)),
        // Its round pays nothing for it, and says so by leaving the figure out.
        rewardInput("InputValidatorLivenessActivityRecord", second.liveness(alice)),
        rewardInput("InputSvRewardCoupon", second.sv(alice, 3n)),
        rewardInput("InputUnclaimedActivityRecord", first.activity(alice, "0.25")),
        rewardInput("InputDevelopmentFundCoupon", first.fund(alice, "0.125")),
      ],
      outputs: [outputTo(bob, "1000.0")],
      context: {
        issuingMiningRounds: [
          [{ number: 0n }, issuing0],
          [{ number: 1n }, issuing1],
        ],
        validatorRights: [[alice, right]],
      },
    });
    const { summary } = result;
    expect({
      app: formatDecimalShort(summary.inputAppRewardAmount),
      validator: formatDecimalShort(summary.inputValidatorRewardAmount),
      faucet: formatDecimalShort(summary.inputValidatorFaucetAmount ?? decimal("-1.0")),
      sv: formatDecimalShort(summary.inputSvRewardAmount),
      amulet: formatDecimalShort(summary.inputAmuletAmount),
      activity: formatDecimalShort(summary.inputUnclaimedActivityRecordAmount ?? decimal("-1.0")),
      fund: formatDecimalShort(summary.inputDevelopmentFundAmount ?? decimal("-1.0")),
      change: formatDecimalShort(summary.senderChangeAmount),
      fees: [summary.holdingFees, summary.senderChangeFee, ...summary.outputFees],
    }).toEqual({
      app: "150.0",
      // 10 × 0.2 + 10 × 0.1 + 2 × 570
      validator: "1143.0",
      faucet: "1140.0",
      sv: "7.5",
      amulet: "7.0",
      activity: "0.25",
      fund: "0.125",
      // 150 + 1143 + 7.5 + 7 + 0.25 + 0.125 − 1000
      change: "307.875",
      fees: [0n, 0n, 0n],
    });
    expect(coinsOf(network, alice)).toEqual(["307.875"]);
    expect(coinsOf(network, bob)).toEqual(["1000.0"]);
    const prefix = "splice.lfdecentralizedtrust.org/";
    expect(result.meta?.values).toEqual([
      [`amulet.${prefix}app-rewards`, "150.0"],
      [`amulet.${prefix}development-fund`, "0.125"],
      [`amulet.${prefix}sv-rewards`, "7.5"],
      [`amulet.${prefix}unclaimed-activity-records`, "0.25"],
      [`amulet.${prefix}validator-rewards`, "1143.0"],
      [`${prefix}sender`, alice],
      [`${prefix}tx-kind`, "transfer"],
    ]);
    // Balances are of coins: the coin used up counts, what was minted does not, before it is a coin.
    const change = summary.balanceChanges.find(([party]) => party === alice)?.[1];
    const [aliceCoin] = sandbox.active(Amulet).filter(({ payload }) => payload.owner === alice);
    expect(change?.changeToHoldingFeesRate).toBe(0n);
    expect(change?.changeToInitialAmountAsOfRoundZero).toBe(
      (aliceCoin?.payload.amount.initialAmount ?? 0n) - decimal("7.0"),
    );
  });

  test("rounds each coupon on its own", () => {
    const network = new SandboxNetwork();
    const rewards = new Rewards(network);
    const per = decimal("0.3333333333");
    const issuing = createIssuingRound(network, 0n, { issuancePerUnfeaturedAppRewardCoupon: per });
    // 0.0000000002 × 0.3333333333 is 0.67 units: 1 each, 3 together, where the sum of amounts would give 2.
    const inputs = [1, 2, 3].map(() =>
      rewardInput("InputAppRewardCoupon", rewards.app(alice, "0.0000000002", { featured: false })),
    );
    const context = { issuingMiningRounds: [[{ number: 0n }, issuing]] as const };
    const { summary } = transferCoins(network, { sender: alice, inputs, outputs: [], context });
    expect(summary.inputAppRewardAmount).toBe(decimal("0.0000000003"));
  });

  test("leaves no coin if everything minted is passed on", () => {
    const network = new SandboxNetwork();
    const issuing = createIssuingRound(network, 0n);
    const inputs = [rewardInput("InputSvRewardCoupon", new Rewards(network).sv(alice, 2n))];
    const context = { issuingMiningRounds: [[{ number: 0n }, issuing]] as const };
    const outputs = [outputTo(bob, "5.0")];
    const { senderChangeAmulet } = transferCoins(network, { sender: alice, inputs, outputs, context });
    expect(senderChangeAmulet).toBeNull();
    expect(coinsOf(network, bob)).toEqual(["5.0"]);
  });

  test("needs the sender's authority", () => {
    const network = new SandboxNetwork();
    const issuing = createIssuingRound(network, 0n);
    const inputs = [rewardInput("InputSvRewardCoupon", new Rewards(network).sv(alice, 2n))];
    const context = { issuingMiningRounds: [[{ number: 0n }, issuing]] as const };
    expectUnauthorized(() =>
      transferCoins(network, { sender: alice, inputs, outputs: [], context }, [network.dso]),
    );
  });
});
