/**
 * The inputs of a transfer, used up in the order given. A coin counts with its full amount,
 * at any age and in any round. A reward is minted by being an input: see reward-inputs.ts.
 */
import type { Update } from "../../../engine/update.ts";
import { add, subtract, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchAndArchive } from "../../checks/checked-fetch.ts";
import { forOwner } from "../../checks/contract-group.ts";
import { valueAsOfRoundZero } from "../coin/expiring-amount.ts";
import { Amulet } from "../declarations/amulet.ts";
import type { TransferInput } from "../declarations/transfer.ts";
import { consumeReward, type InputTotals } from "./reward-inputs.ts";
import type { TransferTerms } from "./transfer-context.ts";

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
    if (input.tag === "InputAmulet") {
      const { amount } = fetchAndArchive(update, Amulet, input.value, ofSender);
      totals.amulet = add(totals.amulet, amount.initialAmount);
      totals.archivedAsOfRoundZero = add(totals.archivedAsOfRoundZero, valueAsOfRoundZero(amount));
      totals.changeToHoldingFeesRate = subtract(totals.changeToHoldingFeesRate, amount.ratePerRound.rate);
    } else {
      consumeReward(update, terms, sender, input, totals);
    }
  }
  return totals;
}
