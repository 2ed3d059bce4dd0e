/**
 * The sums of a transfer. What is left over of the inputs is the change, exactly; there is no fee on it. A
 * negative rest is kept in `senderChangeFee` until the constraints turn it into an error.
 */
import {
  add,
  type Decimal,
  decimalFromInt,
  minimum,
  multiply,
  subtract,
  sum,
  ZERO,
} from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { sorted } from "../../../values/sorted.ts";
import { compareAscii } from "../../../values/text.ts";
import type { BalanceChange, TransferOutput, TransferSummary } from "../declarations/transfer.ts";
import type { InputTotals } from "./reward-inputs.ts";
import type { TransferTerms } from "./transfer-context.ts";

export function summarizeTransfer(
  terms: TransferTerms,
  sender: PartyId,
  inputs: InputTotals,
  outputs: readonly TransferOutput[],
): TransferSummary {
  const left = subtract(totalInput(inputs), sum(outputs.map(({ amount }) => amount)));
  return {
    inputAppRewardAmount: inputs.appReward,
    // Validators' faucet money counts as their reward too, for readers that do not know it.
    inputValidatorRewardAmount: add(inputs.validatorReward, inputs.validatorFaucet),
    inputSvRewardAmount: inputs.svReward,
    inputAmuletAmount: inputs.amulet,
    balanceChanges: balanceChanges(terms, sender, inputs, { outputs, change: left }),
    holdingFees: ZERO,
    outputFees: outputs.map(() => ZERO),
    senderChangeFee: minimum(ZERO, left),
    senderChangeAmount: left,
    amuletPrice: terms.amuletPrice,
    inputValidatorFaucetAmount: inputs.validatorFaucet,
    inputUnclaimedActivityRecordAmount: inputs.unclaimedActivityRecord,
    inputDevelopmentFundAmount: inputs.developmentFund,
  };
}

function totalInput(inputs: InputTotals): Decimal {
  return sum([
    inputs.amulet,
    inputs.appReward,
    inputs.validatorReward,
    inputs.unclaimedActivityRecord,
    inputs.validatorFaucet,
    inputs.svReward,
    inputs.developmentFund,
  ]);
}

/** By party, in order; amounts as of round zero, so that they can be added up across rounds. */
function balanceChanges(
  { round, config }: TransferTerms,
  sender: PartyId,
  inputs: InputTotals,
  { outputs, change }: { readonly outputs: readonly TransferOutput[]; readonly change: Decimal },
): TransferSummary["balanceChanges"] {
  const { rate } = config.holdingFee;
  const sinceRoundZero = multiply(decimalFromInt(round.number), rate);
  const spent: BalanceChange = {
    changeToInitialAmountAsOfRoundZero: subtract(ZERO, inputs.archivedAsOfRoundZero),
    changeToHoldingFeesRate: inputs.changeToHoldingFeesRate,
  };
  const changes = new Map<PartyId, BalanceChange>([[sender, spent]]);
  const addCoin = (owner: PartyId, amount: Decimal) => {
    const before = changes.get(owner);
    const asOfRoundZero = add(amount, sinceRoundZero);
    changes.set(owner, {
      changeToInitialAmountAsOfRoundZero: add(
        before?.changeToInitialAmountAsOfRoundZero ?? ZERO,
        asOfRoundZero,
      ),
      changeToHoldingFeesRate: add(before?.changeToHoldingFeesRate ?? ZERO, rate),
    });
  };
  if (change > 0n) addCoin(sender, change);
  for (const { receiver, amount } of outputs) addCoin(receiver, amount);
  return sorted([...changes], ([a], [b]) => compareAscii(a, b));
}
