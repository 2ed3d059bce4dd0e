/**
 * One operation of a batch: what it does, its outcome, and the inputs it leaves for the operation behind it.
 * A payment or merge uses up all its inputs and leaves its change; a tap puts the new coin in front of them.
 * A further operation is a further case.
 */
import { abort } from "../../engine/failure.ts";
import type { Update } from "../../engine/update.ts";
import type { ContractId } from "../../values/contract-id.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import type { PaymentTransferContext, TransferInput } from "../splice-amulet/declarations/transfer.ts";
import {
  SubscriptionIdleState,
  SubscriptionRequest,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import type { AmuletOperation, AmuletOperationOutcome, WalletAppInstall } from "./declarations/install.ts";

export interface BatchStep {
  readonly outcome: AmuletOperationOutcome;
  readonly inputs: readonly TransferInput[];
}

export interface Batch {
  readonly update: Update;
  readonly install: WalletAppInstall;
  readonly context: PaymentTransferContext;
}

export function executeOperation(
  { update, install, context }: Batch,
  operation: AmuletOperation,
  inputs: readonly TransferInput[],
): BatchStep {
  const { dsoParty: dso, endUserParty: endUser, validatorParty: walletProvider } = install;
  switch (operation.tag) {
    case "CO_SubscriptionAcceptAndMakeInitialPayment": {
      const { subscriptionPayment, senderChange } = update.exercise(
        SubscriptionRequest,
        operation.value,
        "SubscriptionRequest_AcceptAndMakePayment",
        { inputs, context, walletProvider },
      );
      const outcome = { tag: "COO_SubscriptionInitialPayment", value: subscriptionPayment } as const;
      return { outcome, inputs: asInputs(senderChange) };
    }
    case "CO_SubscriptionMakePayment": {
      const { subscriptionPayment, senderChange } = update.exercise(
        SubscriptionIdleState,
        operation.value,
        "SubscriptionIdleState_MakePayment",
        { inputs, context, walletProvider },
      );
      const outcome = { tag: "COO_SubscriptionPayment", value: subscriptionPayment } as const;
      return { outcome, inputs: asInputs(senderChange) };
    }
    case "CO_MergeTransferInputs": {
      const { senderChangeAmulet } = update.exercise(
        AmuletRules,
        context.amuletRules,
        "AmuletRules_Transfer",
        {
          transfer: { sender: endUser, provider: endUser, inputs, outputs: [], beneficiaries: null },
          context: context.context,
          expectedDso: dso,
        },
      );
      const outcome = { tag: "COO_MergeTransferInputs", value: senderChangeAmulet } as const;
      return { outcome, inputs: asInputs(senderChangeAmulet) };
    }
    case "CO_Tap": {
      const { amuletSum } = update.exercise(AmuletRules, context.amuletRules, "AmuletRules_DevNet_Tap", {
        receiver: endUser,
        amount: operation.value.tapAmount,
        openRound: context.context.openMiningRound,
      });
      const outcome = { tag: "COO_Tap", value: amuletSum.amulet } as const;
      return { outcome, inputs: [...asInputs(amuletSum.amulet), ...inputs] };
    }
    case "ExtAmuletOperation":
      return abort("ExtAmuletOperation: bare extension constructors are not allowed at runtime");
  }
}

function asInputs(amulet: ContractId | null): readonly TransferInput[] {
  return amulet === null ? [] : [{ tag: "InputAmulet", value: amulet }];
}
