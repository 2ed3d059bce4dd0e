import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimExpiredRewards, runNextIssuance } from "../../../../testing/issue-rounds.ts";
import { SandboxNetwork } from "../../../../testing/network-fixture.ts";
import { createIssuingRound, Rewards, rewardInput } from "../../../../testing/reward-fixture.ts";
import { issuingRounds } from "../../../../testing/round-coupons.ts";
import { testParty } from "../../../../testing/sandbox.ts";
import { outputTo, transferCoins } from "../../../../testing/transfers.ts";
import type { AnyTemplateDeclaration } from "../../../engine/declaration.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { decimalFromUnits, formatDecimal } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { Amulet, ValidatorRight } from "../declarations/amulet.ts";
import { AmuletRules } from "../declarations/amulet-rules.ts";
import { UnclaimedDevelopmentFundCoupon } from "../declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../declarations/reward-coupons.ts";
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from "../declarations/round.ts";
import type { TransferInput } from "../declarations/transfer.ts";
import { ValidatorFaucetCoupon, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";

const UNIT = 10n ** 10n;
const alice = testParty("alice");
const owners = [alice, testParty("bob"), testParty("carol")] as const;
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Half to even, written once more: by what is left of twice the rest. */
function rounded(product: bigint): bigint {
  const whole = product / UNIT;
  const rest = (product % UNIT) * 2n - UNIT;
  return rest > 0n || (rest === 0n && whole % 2n === 1n) ? whole + 1n : whole;
}

const kinds = ["featured", "unfeatured", "validator", "sv", "liveness", "faucet"] as const;
type Kind = (typeof kinds)[number];
const tags: Readonly<Record<Kind, TransferInput["tag"]>> = {
  featured: "InputAppRewardCoupon",
  unfeatured: "InputAppRewardCoupon",
  validator: "InputValidatorRewardCoupon",
  sv: "InputSvRewardCoupon",
  liveness: "InputValidatorLivenessActivityRecord",
  faucet: "ExtTransferInput",
};

const anyCoupon = fc.record({
  kind: fc.constantFrom(...kinds),
  owner: fc.constantFrom(...owners),
  units: fc.oneof(
    fc.bigInt({ min: 1n, max: 1_000n }),
    fc.bigInt({ min: 1n, max: 10n ** 12n }),
    fc.bigInt({ min: 1n, max: 10n ** 18n }),
  ),
  claimed: fc.boolean(),
});
type AnyCoupon = typeof anyCoupon extends fc.Arbitrary<infer T> ? T : never;

function create(rewards: Rewards, { kind, owner, units }: AnyCoupon): ContractId {
  const amount = decimalFromUnits(units);
  switch (kind) {
    case "featured":
      return rewards.app(owner, amount);
    case "unfeatured":
      return rewards.app(owner, amount, { featured: false });
    case "validator":
      return rewards.validator(owner, amount);
    case "sv":
      return rewards.sv(owner, (units % 1_000_000n) + 1n);
    case "liveness":
      return rewards.liveness(owner);
    case "faucet":
      return rewards.faucet(owner);
  }
}

/** Everybody validates for themselves. */
function ownRights({ dso, sandbox }: SandboxNetwork): ReadonlyMap<PartyId, ContractId> {
  const own = (party: PartyId) =>
    sandbox.create(ValidatorRight, { dso, user: party, validator: party }, { actAs: [party] });
  return new Map(owners.map((party) => [party, own(party)]));
}

function supply({ sandbox }: SandboxNetwork): bigint {
  return total(sandbox.active(Amulet).map(({ payload }) => payload.amount.initialAmount));
}

/** The reward of the fixture's round for a coupon, calculated here a second time. */
function worth({ kind, units }: AnyCoupon): bigint {
  switch (kind) {
    case "featured":
      return units * 100n;
    case "unfeatured":
      return rounded((units * 6n * UNIT) / 10n);
    case "validator":
      return rounded((units * 2n * UNIT) / 10n);
    case "sv":
      return (((units % 1_000_000n) + 1n) * 25n * UNIT) / 10n;
    case "liveness":
    case "faucet":
      return 570n * UNIT;
  }
}

describe("a transfer that mints rewards", () => {
  test("brings out what went in, coins and rewards, to the last digit, and uses every coupon up", () => {
    const coupons = fc.array(anyCoupon, { minLength: 1, maxLength: 6 });
    const coins = fc.array(fc.bigInt({ min: 1n, max: 10n ** 14n }), { maxLength: 3 });
    fc.assert(
      fc.property(coupons, coins, fc.bigInt({ min: 0n, max: 100n }), (given, tapped, percent) => {
        const network = new SandboxNetwork();
        const rights = ownRights(network);
        const issuing = createIssuingRound(network, 0n);
        const mine = given.map((coupon) => ({ ...coupon, owner: alice as PartyId }) as AnyCoupon);
        const rewards = new Rewards(network);
        const cids = mine.map((coupon) => create(rewards, coupon));
        const taps = tapped.map((amount) => network.tap(alice, formatDecimal(decimalFromUnits(amount))));
        const minted = total(mine.map(worth));
        const sent = ((minted + total(tapped)) * percent) / 100n;
        const { summary } = transferCoins(network, {
          sender: alice,
          inputs: [...cids.map((cid, i) => rewardInput(tags[mine[i]?.kind ?? "sv"], cid)), ...taps],
          outputs: sent === 0n ? [] : [outputTo(owners[1], decimalFromUnits(sent))],
          context: {
            issuingMiningRounds: [[{ number: 0n }, issuing]],
            validatorRights: [[alice, rights.get(alice) as ContractId]],
          },
        });
        expect(summary.senderChangeAmount).toBe(minted + total(tapped) - sent);
        expect(supply(network)).toBe(minted + total(tapped));
        expect(
          summary.inputAppRewardAmount + summary.inputValidatorRewardAmount + summary.inputSvRewardAmount,
        ).toBe(minted);
        for (const cid of [...cids, ...taps]) expect(network.sandbox.isActive(cid)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

/** Rounds of coupons, some claimed and some not, until each is minted or expired. */
class RewardLife {
  readonly network = new SandboxNetwork();
  readonly #rights = ownRights(this.network);
  #open: readonly { readonly given: AnyCoupon; readonly round: bigint; readonly cid: ContractId }[];
  /** By round: what was minted, what nobody claimed and what the fund got, together. */
  readonly issued = new Map<bigint, bigint>();
  minted = 0n;
  consumed = 0;

  constructor(rounds: readonly (readonly AnyCoupon[])[]) {
    this.#open = rounds.flatMap((given, number) => {
      const round = BigInt(number);
      const rewards = new Rewards(this.network, { round });
      return given.map((coupon) => ({ given: coupon, round, cid: create(rewards, coupon) }));
    });
  }

  step(): void {
    const before = this.#unclaimed();
    runNextIssuance(this.network);
    const youngest = this.network.sandbox.active(IssuingMiningRound).at(-1);
    this.#count(youngest?.payload.round.number ?? -1n, this.#unclaimed() - before);
    for (const [{ number }, issuing] of issuingRounds(this.network.sandbox)) {
      for (const owner of owners) this.#mint(owner, number, issuing);
    }
    for (const { contractId, payload } of this.network.sandbox.active(ClosedMiningRound)) {
      this.#expire(contractId, payload.round.number);
    }
    this.#checkRounds();
  }

  #mint(owner: PartyId, round: bigint, issuing: ContractId): void {
    const due = this.#take((coupon) => {
      return coupon.round === round && coupon.given.owner === owner && coupon.given.claimed;
    });
    if (due.length === 0) return;
    const { summary } = transferCoins(this.network, {
      sender: owner,
      inputs: due.map(({ given, cid }) => rewardInput(tags[given.kind], cid)),
      outputs: [],
      context: {
        issuingMiningRounds: [[{ number: round }, issuing]],
        validatorRights: [[owner, this.#rights.get(owner) as ContractId]],
      },
    });
    this.minted += summary.senderChangeAmount;
    this.#count(round, summary.senderChangeAmount);
  }

  #expire(closed: ContractId, round: bigint): void {
    const { sandbox, dso, amuletRules } = this.network;
    const before = this.#unclaimed();
    this.#take((coupon) => coupon.round === round);
    claimExpiredRewards(this.network, closed);
    this.#count(round, this.#unclaimed() - before);
    const argument = { closedRoundCid: closed };
    const as = { actAs: [dso] };
    sandbox.exercise(AmuletRules, amuletRules, "AmuletRules_MiningRound_Archive", argument, as);
  }

  /** The coupons in question, which are active now and are about to be consumed. */
  #take(which: (coupon: { readonly given: AnyCoupon; readonly round: bigint }) => boolean) {
    const taken = this.#open.filter(which);
    this.#open = this.#open.filter((coupon) => !which(coupon));
    for (const { cid } of taken) expect(this.network.sandbox.isActive(cid)).toBe(true);
    this.consumed += taken.length;
    return taken;
  }

  #unclaimed(): bigint {
    const { sandbox } = this.network;
    const coupons = [...sandbox.active(UnclaimedReward), ...sandbox.active(UnclaimedDevelopmentFundCoupon)];
    return total(coupons.map(({ payload }) => payload.amount));
  }

  #count(round: bigint, amount: bigint): void {
    this.issued.set(round, (this.issued.get(round) ?? 0n) + amount);
  }

  /** Three consecutive open rounds, and no number twice in any state. */
  #checkRounds(): void {
    const { sandbox } = this.network;
    const open = this.network.openRounds().map(({ payload }) => payload.round.number);
    const first = open[0] ?? -1n;
    expect(open).toEqual([first, first + 1n, first + 2n]);
    const states = [OpenMiningRound, SummarizingMiningRound, IssuingMiningRound, ClosedMiningRound] as const;
    const numbers = states.flatMap((state) =>
      sandbox.active(state).map(({ payload }) => (payload as { round: { number: bigint } }).round.number),
    );
    expect(new Set(numbers).size).toBe(numbers.length);
  }
}

const couponTemplates = [
  AppRewardCoupon,
  ValidatorRewardCoupon,
  SvRewardCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorFaucetCoupon,
];

describe("the rewards of several rounds", () => {
  const rounds = fc.array(fc.array(anyCoupon, { maxLength: 8 }), { minLength: 3, maxLength: 3 });

  test("are each minted or expired once, and add up to what the rounds issue", () => {
    fc.assert(
      fc.property(rounds, (given) => {
        const life = new RewardLife(given);
        // The third round issues with the third step, can be minted until two ticks later, and closes with the sixth.
        for (let step = 0; step < 7; step++) life.step();
        const { network } = life;
        expect(life.consumed).toBe(given.flat().length);
        for (const template of couponTemplates) {
          expect(network.sandbox.active(template as AnyTemplateDeclaration)).toEqual([]);
        }
        for (const [round, coupons] of given.entries()) {
          // 40e9 ÷ 52,560, and a unit or so for each coupon, by weight or amount, for rounding.
          const inRound = 7_610_350_076_103_501n;
          const slack = 100n + total(coupons.map(({ units }) => units / UNIT + (units % 1_000_000n) + 2n));
          const difference = (life.issued.get(BigInt(round)) ?? 0n) - inRound;
          expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(slack);
        }
        expect(supply(network)).toBe(life.minted);
      }),
      { numRuns: 25 },
    );
  });
});
