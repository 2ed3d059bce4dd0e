/** Coupons of every kind, and rounds that pay for them, created by the DSO for rule tables. */
import {
  DevelopmentFundCoupon,
  UnclaimedDevelopmentFundCoupon,
} from "../src/contracts/splice-amulet/declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  UnclaimedReward,
  ValidatorRewardCoupon,
} from "../src/contracts/splice-amulet/declarations/reward-coupons.ts";
import { ClosedMiningRound, IssuingMiningRound } from "../src/contracts/splice-amulet/declarations/round.ts";
import type { TransferInput } from "../src/contracts/splice-amulet/declarations/transfer.ts";
import {
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
} from "../src/contracts/splice-amulet/declarations/validator-license.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { type Decimal, decimal } from "../src/values/decimal.ts";
import { DAY, MINUTE } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { addDuration, type Time } from "../src/values/time.ts";
import type { SandboxNetwork } from "./network-fixture.ts";

/** The issuance of an invented round: figures that are easy to multiply by hand. */
const figures = {
  issuancePerValidatorRewardCoupon: decimal("0.2"),
  issuancePerFeaturedAppRewardCoupon: decimal("100.0"),
  issuancePerUnfeaturedAppRewardCoupon: decimal("0.6"),
  issuancePerSvRewardCoupon: decimal("2.5"),
  optIssuancePerValidatorFaucetCoupon: decimal("570.0"),
} as const;

/** A round that issues since now. */
export function createIssuingRound(
  { sandbox, dso }: SandboxNetwork,
  number: bigint,
  given: Partial<IssuingMiningRound> = {},
): ContractId {
  const opensAt = sandbox.now;
  const targetClosesAt = addDuration(opensAt, 20n * MINUTE);
  const payload = { dso, round: { number }, ...figures, opensAt, targetClosesAt, ...given };
  return sandbox.create(IssuingMiningRound, payload, { actAs: [payload.dso] });
}

export function createClosedRound(
  { sandbox, dso }: SandboxNetwork,
  number: bigint,
  given: Partial<ClosedMiningRound> = {},
): ContractId {
  const payload = { dso, round: { number }, ...figures, ...given };
  return sandbox.create(ClosedMiningRound, payload, { actAs: [payload.dso] });
}

/** Makes coupons of one round, by default those of a network's first round. */
export class Rewards {
  readonly #network: SandboxNetwork;
  readonly #dso: PartyId;
  readonly #round: { readonly number: bigint };

  constructor(network: SandboxNetwork, given: { readonly round?: bigint; readonly dso?: PartyId } = {}) {
    this.#network = network;
    this.#dso = given.dso ?? network.dso;
    this.#round = { number: given.round ?? 0n };
  }

  app(
    provider: PartyId,
    amount: string | Decimal,
    given: { readonly featured?: boolean; readonly beneficiary?: PartyId } = {},
  ): ContractId {
    const { featured = true, beneficiary = null } = given;
    const coupon = { ...this.#of(), provider, featured, amount: decimalOf(amount), beneficiary };
    return this.#network.sandbox.create(AppRewardCoupon, coupon, this.#asDso());
  }

  validator(user: PartyId, amount: string | Decimal): ContractId {
    const coupon = { ...this.#of(), user, amount: decimalOf(amount) };
    return this.#network.sandbox.create(ValidatorRewardCoupon, coupon, this.#asDso());
  }

  sv(beneficiary: PartyId, weight: bigint, sv: PartyId = beneficiary): ContractId {
    const coupon = { ...this.#of(), sv, beneficiary, weight };
    return this.#network.sandbox.create(SvRewardCoupon, coupon, this.#asDso());
  }

  liveness(validator: PartyId): ContractId {
    const record = { ...this.#of(), validator };
    return this.#network.sandbox.create(ValidatorLivenessActivityRecord, record, this.#asDso());
  }

  faucet(validator: PartyId): ContractId {
    const as = { actAs: [this.#dso, validator] };
    return this.#network.sandbox.create(ValidatorFaucetCoupon, { ...this.#of(), validator }, as);
  }

  activity(beneficiary: PartyId, amount: string | Decimal, expiresAt: Time = this.#tomorrow()): ContractId {
    const record = {
      dso: this.#dso,
      beneficiary,
      amount: decimalOf(amount),
      reason: "voted",
      expiresAt,
    };
    return this.#network.sandbox.create(UnclaimedActivityRecord, record, this.#asDso());
  }

  fund(
    beneficiary: PartyId,
    amount: string | Decimal,
    given: { readonly fundManager?: PartyId; readonly expiresAt?: Time } = {},
  ): ContractId {
    const { fundManager = beneficiary, expiresAt = this.#tomorrow() } = given;
    const coupon = {
      dso: this.#dso,
      beneficiary,
      fundManager,
      amount: decimalOf(amount),
      expiresAt,
      reason: "gift",
    };
    return this.#network.sandbox.create(DevelopmentFundCoupon, coupon, this.#asDso());
  }

  unclaimed(amount: string): ContractId {
    const reward = { dso: this.#dso, amount: decimal(amount) };
    return this.#network.sandbox.create(UnclaimedReward, reward, this.#asDso());
  }

  unclaimedFund(amount: string): ContractId {
    const coupon = { dso: this.#dso, amount: decimal(amount) };
    return this.#network.sandbox.create(UnclaimedDevelopmentFundCoupon, coupon, this.#asDso());
  }

  #of() {
    return { dso: this.#dso, round: this.#round };
  }

  #asDso() {
    return { actAs: [this.#dso] };
  }

  #tomorrow(): Time {
    return addDuration(this.#network.sandbox.now, DAY);
  }
}

/** A coupon as an input of a transfer; the old faucet coupon is wrapped. */
export function rewardInput(tag: TransferInput["tag"], cid: ContractId): TransferInput {
  return tag === "ExtTransferInput"
    ? { tag, value: { dummyUnitField: {}, optInputValidatorFaucetCoupon: cid } }
    : { tag, value: cid };
}

function decimalOf(amount: string | Decimal): Decimal {
  return typeof amount === "string" ? decimal(amount) : amount;
}
