import { describe, expect, test } from "vitest";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import {
  expectNotFound,
  expectOtherGroup,
  expectTooLate,
  GENERAL_ERROR,
  rejectionOf,
} from "../../../../testing/rejection.ts";
import { createIssuingRound, Rewards, rewardInput } from "../../../../testing/reward-fixture.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { changesOf, exercisesOf } from "../../../../testing/transaction-changes.ts";
import { coinsOf, transferCoins } from "../../../../testing/transfers.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { type Decimal, decimal } from "../../../values/decimal.ts";
import { HOUR } from "../../../values/duration.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { addDuration } from "../../../values/time.ts";
import { ValidatorRight } from "../declarations/amulet.ts";
import type { TransferInput, TransferSummary } from "../declarations/transfer.ts";

const alice = testParty("alice");
const bob = testParty("bob");
const other = testParty("OTHER-DSO");

/** Every kind of reward that belongs to a round: how it is made for its owner, and what the round pays for it. */
const ofRounds: readonly {
  readonly tag: TransferInput["tag"];
  readonly entity: string;
  readonly make: (rewards: Rewards, owner: PartyId) => ContractId;
  readonly worth: string;
  readonly figure: (summary: TransferSummary) => Decimal | null;
}[] = [
  {
    tag: "InputAppRewardCoupon",
    entity: "AppRewardCoupon",
    make: (rewards, owner) => rewards.app(owner, "5.7"),
    worth: "570.0",
    figure: (summary) => summary.inputAppRewardAmount,
  },
  {
    tag: "InputSvRewardCoupon",
    entity: "SvRewardCoupon",
    make: (rewards, owner) => rewards.sv(owner, 10n),
    worth: "25.0",
    figure: (summary) => summary.inputSvRewardAmount,
  },
  {
    tag: "InputValidatorLivenessActivityRecord",
    entity: "ValidatorLivenessActivityRecord",
    make: (rewards, owner) => rewards.liveness(owner),
    worth: "570.0",
    figure: (summary) => summary.inputValidatorFaucetAmount,
  },
  {
    tag: "ExtTransferInput",
    entity: "ValidatorFaucetCoupon",
    make: (rewards, owner) => rewards.faucet(owner),
    worth: "570.0",
    figure: (summary) => summary.inputValidatorFaucetAmount,
  },
];

const withoutRound = [
  {
    tag: "InputUnclaimedActivityRecord",
    entity: "UnclaimedActivityRecord",
    make: (rewards: Rewards, owner: PartyId) => rewards.activity(owner, "42.5"),
    worth: "42.5",
    figure: (summary: TransferSummary) => summary.inputUnclaimedActivityRecordAmount,
  },
  {
    tag: "InputDevelopmentFundCoupon",
    entity: "DevelopmentFundCoupon",
    make: (rewards: Rewards, owner: PartyId) => rewards.fund(owner, "42.5"),
    worth: "42.5",
    figure: (summary: TransferSummary) => summary.inputDevelopmentFundAmount,
  },
] as const;

/** The owner mints into a coin of their own. */
function mint(network: SandboxNetwork, sender: PartyId, inputs: readonly TransferInput[], round = 0n) {
  const issuing = createIssuingRound(network, round);
  const context = { issuingMiningRounds: [[{ number: round }, issuing]] as const };
  return transferCoins(network, { sender, inputs, outputs: [], context });
}

describe.each([...ofRounds, ...withoutRound])("$tag", ({ tag, entity, make, worth, figure }) => {
  test("is minted by its owner, counts with its worth, and is used up", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network), alice);
    const { summary, senderChangeAmulet } = mint(network, alice, [rewardInput(tag, coupon)]);
    expect(figure(summary)).toBe(decimal(worth));
    expect(summary.inputAmuletAmount).toBe(0n);
    expect(summary.senderChangeAmount).toBe(decimal(worth));
    expect(senderChangeAmulet).not.toBeNull();
    expect(coinsOf(network, alice)).toEqual([worth]);
    expect(changesOf(network.sandbox)).toEqual({ archived: [entity], created: ["Amulet"] });
    expect(network.sandbox.isActive(coupon)).toBe(false);
  });

  test("counts once: neither twice in a transfer nor in a second one", () => {
    const network = new SandboxNetwork();
    const input = rewardInput(tag, make(new Rewards(network), alice));
    expect(rejectionOf(() => mint(network, alice, [input, input])).code).toBe("CONTRACT_NOT_ACTIVE");
    mint(network, alice, [input]);
    expectNotFound(() => mint(network, alice, [input]));
    expect(coinsOf(network, alice)).toEqual([worth]);
  });

  test("can be minted by its owner alone, even if the owner takes part", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network), bob);
    expectNotFound(() => mint(network, alice, [rewardInput(tag, coupon)]));
    const context = { issuingMiningRounds: [[{ number: 0n }, createIssuingRound(network, 0n)]] as const };
    const transfer = {
      sender: alice,
      provider: bob,
      inputs: [rewardInput(tag, coupon)],
      outputs: [],
      context,
    };
    expectOtherGroup(entity, () => transferCoins(network, transfer));
  });

  test("must be of the same DSO", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network, { dso: other }), alice);
    const context = { issuingMiningRounds: [[{ number: 0n }, createIssuingRound(network, 0n)]] as const };
    const transfer = { sender: alice, inputs: [rewardInput(tag, coupon)], outputs: [], context };
    expectOtherGroup(entity, () => transferCoins(network, { ...transfer, provider: other }));
  });
});

describe.each(ofRounds)("$tag of a round", ({ tag, make }) => {
  test("needs its own round to issue in the context", () => {
    const network = new SandboxNetwork();
    const coupon = make(new Rewards(network, { round: 3n }), alice);
    const { code, cause } = rejectionOf(() => mint(network, alice, [rewardInput(tag, coupon)], 2n));
    expect(code).toBe("DAML_FAILURE");
    const expected = "TransferContext did not contain issuing mining round found for Round {number = 3}";
    expect(cause).toBe(`${GENERAL_ERROR}${expected}`);
    expect(network.sandbox.isActive(coupon)).toBe(true);
  });
});

describe.each(withoutRound)("$tag, which belongs to no round", ({ tag, entity }) => {
  const make = (network: SandboxNetwork) => {
    const expiresAt = addDuration(network.sandbox.now, HOUR);
    const rewards = new Rewards(network);
    return tag === "InputUnclaimedActivityRecord"
      ? rewards.activity(alice, "1.0", expiresAt)
      : rewards.fund(alice, "1.0", { expiresAt });
  };

  test.each([
    { at: HOUR - 1n, mintable: true },
    { at: HOUR, mintable: false },
    { at: HOUR + 1n, mintable: false },
  ])("can be minted until it expires: $at µs later, $mintable", ({ at, mintable }) => {
    const network = new SandboxNetwork();
    const input = { tag, value: make(network) };
    network.sandbox.advance(at);
    const submit = () => transferCoins(network, { sender: alice, inputs: [input], outputs: [] });
    if (mintable) expect(submit().summary.senderChangeAmount).toBe(decimal("1.0"));
    else expectTooLate(`${entity}.expiresAt`, submit);
  });
});

describe("an app's coupon", () => {
  test("pays more if the app was featured", () => {
    const network = new SandboxNetwork();
    const rewards = new Rewards(network);
    const inputs = [rewards.app(alice, "5.7"), rewards.app(alice, "3.3", { featured: false })].map((cid) =>
      rewardInput("InputAppRewardCoupon", cid),
    );
    // 5.7 × 100 + 3.3 × 0.6
    expect(mint(network, alice, inputs).summary.inputAppRewardAmount).toBe(decimal("571.98"));
  });

  test("is minted by its beneficiary and not by its provider, if it names one", () => {
    const network = new SandboxNetwork();
    const coupon = new Rewards(network).app(alice, "1.0", { beneficiary: bob });
    const input = rewardInput("InputAppRewardCoupon", coupon);
    expectOtherGroup("AppRewardCoupon", () => mint(network, alice, [input]));
    expect(mint(network, bob, [input]).summary.inputAppRewardAmount).toBe(decimal("100.0"));
  });
});

describe("a user's validator coupon", () => {
  const validator = testParty("validator");

  function setUp() {
    const network = new SandboxNetwork();
    const right = network.sandbox.create(
      ValidatorRight,
      { dso: network.dso, user: alice, validator },
      { actAs: [alice, validator] },
    );
    const coupon = new Rewards(network).validator(alice, "2.3");
    const issuing = createIssuingRound(network, 0n);
    const inputs = [rewardInput("InputValidatorRewardCoupon", coupon)];
    const mintAs = (sender: PartyId, rights: readonly (readonly [PartyId, ContractId])[]) =>
      transferCoins(network, {
        sender,
        inputs,
        outputs: [],
        context: { issuingMiningRounds: [[{ number: 0n }, issuing]], validatorRights: rights },
        readAs: [alice],
      });
    return { network, right, coupon, mintAs };
  }

  test("is minted by the user's validator, by the right the user gave, which stays", () => {
    const { network, right, coupon, mintAs } = setUp();
    const { summary } = mintAs(validator, [[alice, right]]);
    expect(summary.inputValidatorRewardAmount).toBe(decimal("0.46"));
    expect(summary.inputValidatorFaucetAmount).toBe(0n);
    expect(coinsOf(network, validator)).toEqual(["0.46"]);
    expect(network.sandbox.isActive(coupon)).toBe(false);
    expect(network.sandbox.isActive(right)).toBe(true);
    expect(exercisesOf(network.sandbox)[1]).toEqual([
      "ValidatorRewardCoupon_ArchiveAsValidator",
      [network.dso, validator],
    ]);
  });

  test("cannot be minted without the right, not even by the user", () => {
    const { mintAs } = setUp();
    for (const sender of [validator, alice]) {
      const expected = `TransferContext did contain validator right for user: '${alice}'`;
      expect(rejectionOf(() => mintAs(sender, [])).cause).toBe(`${GENERAL_ERROR}${expected}`);
    }
  });

  test("cannot be minted with another party's right", () => {
    const { network, right, mintAs } = setUp();
    const { dso, sandbox } = network;
    const bobs = sandbox.create(ValidatorRight, { dso, user: bob, validator }, { actAs: [bob, validator] });
    expect(rejectionOf(() => mintAs(validator, [[bob, bobs]])).cause).toContain("for user");
    expect(rejectionOf(() => mintAs(validator, [[alice, bobs]])).cause).toContain("Contract mismatch");
    expect(rejectionOf(() => mintAs(alice, [[alice, right]])).cause).toContain("Contract mismatch");
  });

  test("cannot be minted once the right has ended", () => {
    const { network, right, mintAs } = setUp();
    const as = { actAs: [alice] };
    network.sandbox.exercise(ValidatorRight, right, "ValidatorRight_ArchiveAsUser", {}, as);
    expectNotFound(() => mintAs(validator, [[alice, right]]));
  });

  test("must be of the same DSO, and of an issuing round in the context", () => {
    const { network, right } = setUp();
    const issuing = createIssuingRound(network, 0n);
    const mintOne = (coupon: ContractId, provider = validator) =>
      transferCoins(network, {
        sender: validator,
        provider,
        inputs: [rewardInput("InputValidatorRewardCoupon", coupon)],
        outputs: [],
        context: { issuingMiningRounds: [[{ number: 0n }, issuing]], validatorRights: [[alice, right]] },
        readAs: [alice],
      });
    const foreign = new Rewards(network, { dso: other }).validator(alice, "1.0");
    expectOtherGroup("ValidatorRewardCoupon", () => mintOne(foreign, other));
    const later = new Rewards(network, { round: 1n }).validator(alice, "1.0");
    expect(rejectionOf(() => mintOne(later)).cause).toContain("found for Round {number = 1}");
  });
});
