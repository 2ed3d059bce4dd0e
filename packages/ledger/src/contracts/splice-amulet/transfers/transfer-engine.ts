/**
 * A transfer, step by step: check the context, use up the inputs, check the outputs, sum up, check the
 * limits, reward the app, create the outputs and the change. Nothing is lost or made: what goes in, rewards
 * included, comes out to the last digit. It runs with the authority of the DSO and everybody concerned.
 */
import { fail } from "../../../engine/failure.ts";
import type { Update } from "../../../engine/update.ts";
import { formatDecimalShort, subtract, ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { sorted } from "../../../values/sorted.ts";
import { compareAscii } from "../../../values/text.ts";
import { transferMetadata } from "../coin/holding-metadata.ts";
import type { Transfer, TransferContext, TransferResult, TransferSummary } from "../declarations/transfer.ts";
import { issueAppRewards } from "../rewards/app-rewards.ts";
import { readTransferContext, type TransferTerms } from "./transfer-context.ts";
import { consumeInputs } from "./transfer-inputs.ts";
import { createChange, createOutput, prepareOutputs } from "./transfer-outputs.ts";
import { summarizeTransfer } from "./transfer-summary.ts";

/** Everybody who gives or gets something: the sender, the provider, receivers and lock holders, in order of name. */
export function transferControllers({ sender, provider, outputs }: Transfer): readonly PartyId[] {
  const controllers = [sender, provider];
  for (const { receiver, lock } of outputs) {
    controllers.push(receiver);
    // One by one: a list as long as an entry can hold must not be spread over the stack.
    if (lock !== null) for (const holder of lock.holders) controllers.push(holder);
  }
  return sorted(controllers, compareAscii);
}

export function executeTransfer(
  update: Update,
  dso: PartyId,
  transfer: Transfer,
  context: TransferContext,
): TransferResult {
  return transferOnTerms(update, readTransferContext(update, dso, transfer, context), transfer);
}

/** The same on terms that were checked already. Terms that are not featured earn the app nothing. */
export function transferOnTerms(update: Update, terms: TransferTerms, transfer: Transfer): TransferResult {
  const { sender, provider, inputs, outputs, beneficiaries } = transfer;
  const totals = consumeInputs(update, terms, sender, inputs);
  const prepared = prepareOutputs(update.now, terms, outputs);
  const summary = summarizeTransfer(terms, sender, totals, prepared);
  checkConstraints(transfer, summary, terms);
  issueAppRewards(update, terms, provider, beneficiaries);
  const createdAmulets = prepared.map((output) => createOutput(update, terms, output));
  const senderChangeAmulet = createChange(update, terms, sender, summary.senderChangeAmount);
  return {
    round: terms.round,
    summary,
    createdAmulets,
    senderChangeAmulet,
    meta: transferMetadata(
      keepsControl(transfer) ? { kind: "merge-split" } : { kind: "transfer", sender },
      summary,
    ),
  };
}

function checkConstraints(
  { inputs, outputs }: Transfer,
  { senderChangeFee }: TransferSummary,
  { config: { maxNumInputs, maxNumOutputs } }: TransferTerms,
): void {
  if (BigInt(inputs.length) > maxNumInputs) {
    fail("splice.lfdecentralizedtrust.org/maximum-inputs-exceeded", "More than the maximum number of inputs");
  }
  if (BigInt(outputs.length) > maxNumOutputs) {
    fail(
      "splice.lfdecentralizedtrust.org/maximum-outputs-exceeded",
      "More than the maximum number of outputs",
    );
  }
  if (senderChangeFee < 0n) {
    const requiredAmount = formatDecimalShort(subtract(ZERO, senderChangeFee));
    fail(
      "splice.lfdecentralizedtrust.org/insufficient-funds",
      `Insufficient funds: you are missing ${requiredAmount} to complete this transfer.`,
      { requiredAmount },
    );
  }
}

/** True if only the sender can dispose of every output. */
function keepsControl({ sender, outputs }: Transfer): boolean {
  return outputs.every(
    ({ receiver, lock }) =>
      receiver === sender && (lock === null || lock.holders.every((holder) => holder === sender)),
  );
}
