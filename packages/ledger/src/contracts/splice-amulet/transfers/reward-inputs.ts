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
  switch (input.tag) {
    case "InputAppRewardCoupon":
      totals.appReward = add(totals.appReward, mintAppReward(update, terms, minter, input.value));
      break;
    case "InputValidatorRewardCoupon": {
      const reward = mintValidatorReward(update, terms, sender, input.value);
      totals.validatorReward = add(totals.validatorReward, reward);
      break;
    }
    case "InputSvRewardCoupon":
      totals.svReward = add(totals.svReward, mintSvReward(update, terms, minter, input.value));
      break;
    case "ExtTransferInput": {
      // Without the old faucet coupon this input stands for nothing.
      const coupon = input.value.optInputValidatorFaucetCoupon;
      if (coupon === null) break;
      const reward = mintFaucet(update, terms, minter, {
        template: ValidatorFaucetCoupon,
        contractId: coupon,
      });
      totals.validatorFaucet = add(totals.validatorFaucet, reward);
      break;
    }
    case "InputValidatorLivenessActivityRecord": {
      const given = { template: ValidatorLivenessActivityRecord, contractId: input.value };
      totals.validatorFaucet = add(totals.validatorFaucet, mintFaucet(update, terms, minter, given));
      break;
    }
    case "InputUnclaimedActivityRecord": {
      const group = forOwnerAs(minter, ownerByBeneficiary);
      const { amount, expiresAt } = fetchAndArchive(update, UnclaimedActivityRecord, input.value, group);
      requireWithinDeadline("UnclaimedActivityRecord.expiresAt", update.now, expiresAt);
      totals.unclaimedActivityRecord = add(totals.unclaimedActivityRecord, amount);
      break;
    }
    case "InputDevelopmentFundCoupon": {
      const group = forOwnerAs(minter, ownerByBeneficiary);
      const { amount, expiresAt } = fetchAndArchive(update, DevelopmentFundCoupon, input.value, group);
      requireWithinDeadline("DevelopmentFundCoupon.expiresAt", update.now, expiresAt);
      totals.developmentFund = add(totals.developmentFund, amount);
      break;
    }
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
  given: {
    readonly template: typeof ValidatorFaucetCoupon | typeof ValidatorLivenessActivityRecord;
    readonly contractId: ContractId;
  },
): Decimal {
  const group = forOwnerAs(minter, ownerByValidator);
  const { round } = fetchAndArchive(update, given.template, given.contractId, group);
  return issuingRoundOf(terms, round).optIssuancePerValidatorFaucetCoupon ?? ZERO;
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
