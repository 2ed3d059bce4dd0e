/**
 * What goes into a transfer. Inputs are used up in the order given. A coin counts with its full amount,
 * whatever its age and round. Rewards are minted by being put in; each kind is one case below.
 */
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import { add, type Decimal, subtract, ZERO } from "../../values/decimal.ts";
import type { PartyId } from "../../values/party-id.ts";
import { fetchAndArchive } from "../checks/checked-fetch.ts";
import { forOwner } from "../checks/contract-group.ts";
import { Amulet } from "./declarations/amulet.ts";
import type { TransferInput } from "./declarations/transfer.ts";
import { valueAsOfRoundZero } from "./expiring-amount.ts";
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

export function consumeInputs(
  update: Update,
  terms: TransferTerms,
  sender: PartyId,
  inputs: readonly TransferInput[],
): InputTotals {
  const totals: InputTotals = {
    amulet: ZERO,
    appReward: ZERO,
    validatorReward: ZERO,
    validatorFaucet: ZERO,
    svReward: ZERO,
    unclaimedActivityRecord: ZERO,
    developmentFund: ZERO,
    archivedAsOfRoundZero: ZERO,
    changeToHoldingFeesRate: ZERO,
  };
  const ofSender = forOwner({ dso: terms.dso, owner: sender });
  for (const input of inputs) {
    switch (input.tag) {
      case "InputAmulet": {
        const { amount } = fetchAndArchive(update, Amulet, input.value, ofSender);
        totals.amulet = add(totals.amulet, amount.initialAmount);
        totals.archivedAsOfRoundZero = add(totals.archivedAsOfRoundZero, valueAsOfRoundZero(amount));
        totals.changeToHoldingFeesRate = subtract(totals.changeToHoldingFeesRate, amount.ratePerRound.rate);
        break;
      }
      case "ExtTransferInput":
        // Without the old faucet coupon this input stands for nothing.
        if (input.value.optInputValidatorFaucetCoupon !== null) cannotExist("ValidatorFaucetCoupon");
        break;
      case "InputAppRewardCoupon":
      case "InputValidatorRewardCoupon":
      case "InputSvRewardCoupon":
      case "InputValidatorLivenessActivityRecord":
      case "InputUnclaimedActivityRecord":
      case "InputDevelopmentFundCoupon":
        cannotExist(input.tag);
    }
  }
  return totals;
}

/** The contracts behind these inputs are not part of this ledger's packages, so none can be active. */
function cannotExist(kind: string): never {
  return abort(`Transfers do not take ${kind} on this ledger: no such contract can exist here`);
}
