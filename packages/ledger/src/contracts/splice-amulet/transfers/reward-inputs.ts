/**
 * Rewards that go into a transfer: each coupon is used up and counts with what its issuing round gives for it.
 * The round has to be among those of the transfer's context. Records that belong to no round count with their
 * face amount until they expire. Who may mint is checked by the coupon's owner; a user's coupon is minted by
 * the user's validator, by the right in the context.
 */

import { showParty } from "../../../daml/show.ts";
import { abort } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { add, type Decimal, decimalFromInt, multiply, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchAndArchive, fetchChecked } from "../../checks/checked-fetch.ts";
import { forDso, forOwnerAs } from "../../checks/contract-group.ts";
import { requireWithinDeadline } from "../../checks/deadline.ts";
import { DevelopmentFundCoupon } from "../declarations/development-fund.ts";
import {
  AppRewardCoupon,
  SvRewardCoupon,
  UnclaimedActivityRecord,
  ValidatorRewardCoupon,
} from "../declarations/reward-coupons.ts";
import type { IssuingMiningRound } from "../declarations/round.ts";
import { Round } from "../declarations/round-number.ts";
import type { TransferInput } from "../declarations/transfer.ts";
import { ValidatorFaucetCoupon, ValidatorLivenessActivityRecord } from "../declarations/validator-license.ts";
import { ownerOfAppReward } from "../rewards/app-reward-coupon.ts";
import type { TransferTerms } from "./transfer-context.ts";

export interface InputTotals {
  amulet: Decimal;
  appReward: Decimal;
  validatorReward: Decimal;
  validatorFaucet: Decimal;
  svReward: Decimal;
  unclaimedActivityRecord: Decimal;
  developmentFund: Decimal;
  /** The coins used up, each as of round zero. */
  archivedAsOfRoundZero: Decimal;
  /** Minus the holding fees of the coins used up. */
  changeToHoldingFeesRate: Decimal;
}

type RewardInput = Exclude<TransferInput, { readonly tag: "InputAmulet" }>;

interface Minter {
  readonly dso: PartyId;
  readonly owner: PartyId;
}

export function consumeReward(
  update: Update,
  terms: TransferTerms,
  sender: PartyId,
  input: RewardInput,
  totals: InputTotals,
): void {
  const minter = { dso: terms.dso, owner: sender };
  const count = (kind: keyof InputTotals, reward: Decimal): void => {
    totals[kind] = add(totals[kind], reward);
  };
  switch (input.tag) {
    case "InputAppRewardCoupon":
      count("appReward", mintAppReward(update, terms, minter, input.value));
      break;
    case "InputValidatorRewardCoupon":
      count("validatorReward", mintValidatorReward(update, terms, sender, input.value));
      break;
    case "InputSvRewardCoupon":
      count("svReward", mintSvReward(update, terms, minter, input.value));
      break;
    case "ExtTransferInput": {
      // Without the old faucet coupon this input stands for nothing.
      const coupon = input.value.optInputValidatorFaucetCoupon;
      if (coupon !== null)
        count("validatorFaucet", mintFaucet(update, terms, minter, ValidatorFaucetCoupon, coupon));
      break;
    }
    case "InputValidatorLivenessActivityRecord":
      count(
        "validatorFaucet",
        mintFaucet(update, terms, minter, ValidatorLivenessActivityRecord, input.value),
      );
      break;
    case "InputUnclaimedActivityRecord":
      count("unclaimedActivityRecord", mintRecord(update, minter, UnclaimedActivityRecord, input.value));
      break;
    case "InputDevelopmentFundCoupon":
      count("developmentFund", mintRecord(update, minter, DevelopmentFundCoupon, input.value));
      break;
  }
}

function mintAppReward(update: Update, terms: TransferTerms, minter: Minter, couponCid: ContractId): Decimal {
  const group = forOwnerAs(minter, ownerOfAppReward);
  const coupon = fetchAndArchive(update, AppRewardCoupon, couponCid, group);
  const round = issuingRoundOf(terms, coupon.round);
  const perCoupon = coupon.featured
    ? round.issuancePerFeaturedAppRewardCoupon
    : round.issuancePerUnfeaturedAppRewardCoupon;
  return multiply(coupon.amount, perCoupon);
}

function mintValidatorReward(
  update: Update,
  terms: TransferTerms,
  validator: PartyId,
  couponCid: ContractId,
): Decimal {
  const coupon = fetchChecked(update, ValidatorRewardCoupon, couponCid, forDso(terms.dso));
  const [, rightCid] =
    terms.validatorRights.find(([user]) => user === coupon.user) ??
    abort(`TransferContext did contain validator right for user: ${showParty(coupon.user)}`);
  const choice = "ValidatorRewardCoupon_ArchiveAsValidator";
  update.exercise(ValidatorRewardCoupon, couponCid, choice, { validator, rightCid });
  return multiply(coupon.amount, issuingRoundOf(terms, coupon.round).issuancePerValidatorRewardCoupon);
}

function mintSvReward(update: Update, terms: TransferTerms, minter: Minter, couponCid: ContractId): Decimal {
  const group = forOwnerAs(minter, ownerByBeneficiary);
  const { round, weight } = fetchChecked(update, SvRewardCoupon, couponCid, group);
  update.exercise(SvRewardCoupon, couponCid, "SvRewardCoupon_ArchiveAsBeneficiary", {});
  return multiply(decimalFromInt(weight), issuingRoundOf(terms, round).issuancePerSvRewardCoupon);
}

function mintFaucet(
  update: Update,
  terms: TransferTerms,
  minter: Minter,
  template: typeof ValidatorFaucetCoupon | typeof ValidatorLivenessActivityRecord,
  couponCid: ContractId,
): Decimal {
  const { round } = fetchAndArchive(update, template, couponCid, forOwnerAs(minter, ownerByValidator));
  return issuingRoundOf(terms, round).optIssuancePerValidatorFaucetCoupon ?? ZERO;
}

function mintRecord(
  update: Update,
  minter: Minter,
  template: typeof UnclaimedActivityRecord | typeof DevelopmentFundCoupon,
  recordCid: ContractId,
): Decimal {
  const group = forOwnerAs(minter, ownerByBeneficiary);
  const { amount, expiresAt } = fetchAndArchive(update, template, recordCid, group);
  requireWithinDeadline(`${template.entity}.expiresAt`, update.now, expiresAt);
  return amount;
}

function issuingRoundOf({ issuingRounds }: TransferTerms, needed: Round): IssuingMiningRound {
  return (
    issuingRounds.find(({ round }) => round.number === needed.number) ??
    abort(`TransferContext did not contain issuing mining round found for ${Round.show(needed)}`)
  );
}

const ownerByBeneficiary = ({ beneficiary }: { readonly dso: PartyId; readonly beneficiary: PartyId }) =>
  beneficiary;
const ownerByValidator = ({ validator }: { readonly dso: PartyId; readonly validator: PartyId }) => validator;
