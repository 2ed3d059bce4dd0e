/**
 * Transfers of coin by the token standard. To oneself: coins are merged and split. To a receiver with a
 * preapproval: at once, and its provider may be rewarded. To anybody else: the coin is locked until the receiver
 * accepts it. Nothing is minted on the way.
 */
import { requireThat } from "../../../engine/failure.ts";
import { implementInterface } from "../../../engine/template.ts";
import type { Update } from "../../../engine/update.ts";
import type { ContractId } from "../../../values/contract-id.ts";
import { ZERO } from "../../../values/decimal.ts";
import type { PartyId } from "../../../values/party-id.ts";
import { fetchChecked } from "../../checks/checked-fetch.ts";
import { forOwnerAs } from "../../checks/contract-group.ts";
import { requireDeadlineExceeded, requireWithinDeadline } from "../../checks/deadline.ts";
import { InstrumentId } from "../../splice-api-token-v1/holding.ts";
import { type ChoiceContext, EMPTY_METADATA, type Metadata } from "../../splice-api-token-v1/metadata.ts";
import {
  type TokenTransfer,
  TransferFactory,
  type TransferInstructionResult,
} from "../../splice-api-token-v1/transfer-instruction.ts";
import { findMetadata, REASON_KEY } from "../coin/holding-metadata.ts";
import { amuletInstrument, isAmuletOf } from "../coin/instrument.ts";
import { AmuletTransferInstruction } from "../declarations/amulet-transfer-instruction.ts";
import { ExternalPartyAmuletRules } from "../declarations/external-party-amulet-rules.ts";
import type { TransferResult } from "../declarations/transfer.ts";
import { TransferPreapproval } from "../declarations/transfer-preapproval.ts";
import { executeExternalPartyTransfer } from "../transfers/external-party-transfer.ts";
import { transferInstructionSteps } from "./amulet-transfer-instruction.ts";
import { findPreapproval, readTransferContext, unfeaturedContextOf } from "./choice-context.ts";
import { requireExpectedAdmin } from "./expected-admin.ts";
import { spendHoldings } from "./holding-inputs.ts";
import { holdingOf, listOf, lockForTransfer } from "./two-step-transfer.ts";

export const transferFactory = implementInterface(ExternalPartyAmuletRules, TransferFactory, {
  view: ({ dso }) => ({ admin: dso, meta: EMPTY_METADATA }),
  choices: {
    TransferFactory_Transfer: {
      controllers: (_rules, { transfer }) => [transfer.sender],
      exercise: ({ update, contract: { dso }, argument: { expectedAdmin, transfer, extraArgs } }) => {
        const { context } = extraArgs;
        requireExpectedAdmin(expectedAdmin, dso);
        const preapprovalCid = findPreapproval(context);
        if (preapprovalCid !== null) requireReceiver(update, dso, transfer.receiver, preapprovalCid);
        requireValidTransfer(update, dso, transfer);
        if (preapprovalCid !== null) return sendDirectly(update, dso, transfer, { context, preapprovalCid });
        if (transfer.receiver === transfer.sender) return mergeAndSplit(update, dso, transfer, context);
        return offer(update, dso, transfer, context);
      },
    },
    TransferFactory_PublicFetch: {
      controllers: (_rules, { actor }) => [actor],
      exercise: ({ contract: { dso }, argument: { expectedAdmin } }) => {
        requireExpectedAdmin(expectedAdmin, dso);
        return { admin: dso, meta: EMPTY_METADATA };
      },
    },
  },
});

function requireReceiver(update: Update, dso: PartyId, owner: PartyId, preapprovalCid: ContractId): void {
  const group = forOwnerAs({ dso, owner }, ({ receiver }: TransferPreapproval) => receiver);
  fetchChecked(update, TransferPreapproval, preapprovalCid, group);
}

function requireValidTransfer(update: Update, dso: PartyId, transfer: TokenTransfer): void {
  const { instrumentId, amount, requestedAt, executeBefore, inputHoldingCids } = transfer;
  const [expected, actual] = [InstrumentId.show(amuletInstrument(dso)), InstrumentId.show(instrumentId)];
  const label = `Expected instrumentId ${expected} matches actual instrumentId ${actual}`;
  requireThat(label, isAmuletOf(dso, instrumentId));
  requireThat("Amount must be positive", amount > 0n);
  requireDeadlineExceeded("Transfer.requestedAt", update.now, requestedAt);
  requireWithinDeadline("Transfer.executeBefore", update.now, executeBefore);
  requireThat("At least one holding must be provided", inputHoldingCids.length > 0);
}

function sendDirectly(
  update: Update,
  dso: PartyId,
  { sender, amount, inputHoldingCids, meta: given }: TokenTransfer,
  { context, preapprovalCid }: { readonly context: ChoiceContext; readonly preapprovalCid: ContractId },
): TransferInstructionResult {
  const terms = readTransferContext(update, dso, context);
  const inputs = spendHoldings(update, { dso, owner: sender }, inputHoldingCids);
  const description = findMetadata(given, REASON_KEY);
  const sending = { context: terms, inputs, amount, sender, description };
  const choice = "TransferPreapproval_SendV2";
  const { result, meta } = update.exercise(TransferPreapproval, preapprovalCid, choice, sending);
  return completed(result, meta);
}

function mergeAndSplit(
  update: Update,
  dso: PartyId,
  { sender, amount, inputHoldingCids }: TokenTransfer,
  context: ChoiceContext,
): TransferInstructionResult {
  const terms = unfeaturedContextOf(update, dso, context);
  const inputs = spendHoldings(update, { dso, owner: sender }, inputHoldingCids);
  const outputs = [{ receiver: sender, receiverFeeRatio: ZERO, amount, lock: null }];
  const transfer = { sender, provider: sender, inputs, outputs, beneficiaries: null };
  const result = executeExternalPartyTransfer(update, dso, transfer, terms);
  return completed(result, result.meta);
}

function offer(
  update: Update,
  dso: PartyId,
  transfer: TokenTransfer,
  context: ChoiceContext,
): TransferInstructionResult {
  const terms = unfeaturedContextOf(update, dso, context);
  const { requestedAt, inputHoldingCids: holdingCids } = transfer;
  const steps = transferInstructionSteps(transfer);
  const { lockedAmulet, changeCids, meta } = lockForTransfer(
    update,
    steps,
    { requestedAt, holdingCids },
    terms,
  );
  // The instruction reports the coin that stands behind it, not those that went in.
  const transferInstructionCid = update.create(AmuletTransferInstruction, {
    lockedAmulet,
    transfer: { ...transfer, inputHoldingCids: [lockedAmulet] },
  });
  return {
    output: { tag: "TransferInstructionResult_Pending", value: { transferInstructionCid } },
    senderChangeCids: changeCids,
    meta,
  };
}

function completed(result: TransferResult, meta: Metadata | null): TransferInstructionResult {
  const receiverHoldingCids = result.createdAmulets.map(holdingOf);
  return {
    output: { tag: "TransferInstructionResult_Completed", value: { receiverHoldingCids } },
    senderChangeCids: listOf(result.senderChangeAmulet),
    meta: meta ?? EMPTY_METADATA,
  };
}
