/**
 * One operation of a batch: what it does, its outcome, and the inputs it leaves for the operation behind it.
 * A payment or merge uses up all its inputs and leaves its change; a tap puts the new coin in front of them.
 * A further operation is a further case.
 */
import { abort } from "../../engine/failure.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { TransferInput } from "../splice-amulet/declarations/transfer.ts";
import { AppPaymentRequest } from "../splice-wallet-payments/declarations/app-payments.ts";
import {
  SubscriptionIdleState,
  SubscriptionRequest,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import type { AmuletOperation, AmuletOperationOutcome } from "./declarations/amulet-operation.ts";
import { BuyTrafficRequest } from "./declarations/traffic-purchases.ts";
import { AcceptedTransferOffer } from "./declarations/transfer-offer.ts";
import { type Batch, executePreapprovalOperation } from "./execute-preapproval-operation.ts";
import { buyMemberTraffic } from "./top-up-traffic.ts";

export interface BatchStep {
  readonly outcome: AmuletOperationOutcome;
  readonly inputs: readonly TransferInput[];
}

export function executeOperation(
  batch: Batch,
  operation: AmuletOperation,
  inputs: readonly TransferInput[],
): BatchStep {
  const { update, install, context } = batch;
  const { validatorParty: walletProvider } = install;
  switch (operation.tag) {
    case "CO_AppPayment": {
      const choice = "AppPaymentRequest_Accept";
      const paying = { inputs, context, walletProvider };
      const result = update.exercise(AppPaymentRequest, operation.value, choice, paying);
      const outcome = { tag: "COO_AcceptedAppPayment", value: result.acceptedPayment } as const;
      return { outcome, inputs: asInputs(result.senderChangeAmulet) };
    }
    case "CO_CompleteAcceptedTransfer": {
      const choice = "AcceptedTransferOffer_Complete";
      const paying = { inputs, transferContext: context, walletProvider };
      const result = update.exercise(AcceptedTransferOffer, operation.value, choice, paying);
      const value = { _1: result.transferResult, _2: result.trackingInfo };
      const outcome = { tag: "COO_CompleteAcceptedTransfer", value } as const;
      return { outcome, inputs: asInputs(result.senderChangeAmulet) };
    }
    case "CO_SubscriptionAcceptAndMakeInitialPayment": {
      const choice = "SubscriptionRequest_AcceptAndMakePayment";
      const paying = { inputs, context, walletProvider };
      const result = update.exercise(SubscriptionRequest, operation.value, choice, paying);
      const outcome = { tag: "COO_SubscriptionInitialPayment", value: result.subscriptionPayment } as const;
      return { outcome, inputs: asInputs(result.senderChange) };
    }
    case "CO_SubscriptionMakePayment": {
      const choice = "SubscriptionIdleState_MakePayment";
      const paying = { inputs, context, walletProvider };
      const result = update.exercise(SubscriptionIdleState, operation.value, choice, paying);
      const outcome = { tag: "COO_SubscriptionPayment", value: result.subscriptionPayment } as const;
      return { outcome, inputs: asInputs(result.senderChange) };
    }
    case "CO_MergeTransferInputs":
      return mergeInputs(batch, inputs);
    case "CO_BuyMemberTraffic": {
      const result = buyMemberTraffic(update, install, operation.value, { context, inputs });
      const outcome = { tag: "COO_BuyMemberTraffic", value: result.purchasedTraffic } as const;
      return { outcome, inputs: asInputs(result.senderChangeAmulet) };
    }
    case "CO_CompleteBuyTrafficRequest": {
      const choice = "BuyTrafficRequest_Complete";
      const paying = { inputs, context, walletProvider };
      const { trafficRequestCid } = operation.value;
      const result = update.exercise(BuyTrafficRequest, trafficRequestCid, choice, paying);
      const value = { _1: result.purchasedTraffic, _2: result.trackingInfo };
      const outcome = { tag: "COO_CompleteBuyTrafficRequest", value } as const;
      return { outcome, inputs: asInputs(result.senderChangeAmulet) };
    }
    case "CO_Tap": {
      const { amuletSum } = update.exercise(AmuletRules, context.amuletRules, "AmuletRules_DevNet_Tap", {
        receiver: install.endUserParty,
        amount: operation.value.tapAmount,
        openRound: context.context.openMiningRound,
      });
      const outcome = { tag: "COO_Tap", value: amuletSum.amulet } as const;
      return { outcome, inputs: [...asInputs(amuletSum.amulet), ...inputs] };
    }
    case "ExtAmuletOperation":
      return abort("ExtAmuletOperation: bare extension constructors are not allowed at runtime");
    default: {
      const { outcome, change } = executePreapprovalOperation(batch, operation, inputs);
      return { outcome, inputs: asInputs(change) };
    }
  }
}

function mergeInputs({ update, install, context }: Batch, inputs: readonly TransferInput[]): BatchStep {
  const { dsoParty: dso, endUserParty: endUser } = install;
  const { senderChangeAmulet } = update.exercise(AmuletRules, context.amuletRules, "AmuletRules_Transfer", {
    transfer: { sender: endUser, provider: endUser, inputs, outputs: [], beneficiaries: null },
    context: context.context,
    expectedDso: dso,
  });
  const outcome = { tag: "COO_MergeTransferInputs", value: senderChangeAmulet } as const;
  return { outcome, inputs: asInputs(senderChangeAmulet) };
}

function asInputs(amulet: ContractId | null): readonly TransferInput[] {
  return amulet === null ? [] : [{ tag: "InputAmulet", value: amulet }];
}
