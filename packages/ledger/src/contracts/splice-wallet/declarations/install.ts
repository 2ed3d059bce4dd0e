/** Splice.Wallet.Install: what a validator may do for a wallet user, and the operations it batches. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record } from "../../../daml/record.ts";
import { contractId, int64, numeric, party, text, unit } from "../../../daml/scalars.ts";
import { variant } from "../../../daml/variant.ts";
import { declareTemplate, nonConsuming } from "../../../engine/declaration.ts";
import { walletPackage } from "../../packages.ts";
import { PaymentTransferContext, TransferInput } from "../../splice-amulet/declarations/transfer.ts";

const InvalidTransferReason = variant({
  ITR_InsufficientFunds: record({ missingAmount: numeric }),
  ITR_UnknownSynchronizer: record({ synchronizerId: text }),
  ITR_InsufficientTopupAmount: record({ requestedTopupAmount: int64, minTopupAmount: int64 }),
  ITR_Other: record({ description: text }),
  ExtInvalidTransferReason: record({ dummyUnitField: unit }),
});

export const AmuletOperation = variant({
  CO_SubscriptionAcceptAndMakeInitialPayment: contractId,
  CO_SubscriptionMakePayment: contractId,
  CO_MergeTransferInputs: unit,
  CO_Tap: record({ tapAmount: numeric }),
  ExtAmuletOperation: record({ dummyUnitField: unit }),
});
export type AmuletOperation = ValueOf<typeof AmuletOperation>;

export const AmuletOperationOutcome = variant({
  COO_SubscriptionInitialPayment: contractId,
  COO_SubscriptionPayment: contractId,
  COO_MergeTransferInputs: optional(contractId),
  COO_Tap: contractId,
  COO_Error: InvalidTransferReason,
  ExtAmuletOperationOutcome: record({ dummyUnitField: unit }),
});
export type AmuletOperationOutcome = ValueOf<typeof AmuletOperationOutcome>;

export const WalletAppInstall = declareTemplate({
  package: walletPackage,
  module: "Splice.Wallet.Install",
  entity: "WalletAppInstall",
  fields: { dsoParty: party, validatorParty: party, endUserName: text, endUserParty: party },
  choices: {
    WalletAppInstall_ExecuteBatch: nonConsuming(
      { context: PaymentTransferContext, inputs: list(TransferInput), operations: list(AmuletOperation) },
      record({ endUserName: text, outcomes: list(AmuletOperationOutcome), optEndUserParty: optional(party) }),
    ),
    WalletAppInstall_SubscriptionRequest_Reject: nonConsuming(
      { cid: contractId },
      record({ terminatedSubscription: contractId }),
    ),
    WalletAppInstall_SubscriptionIdleState_CancelSubscription: nonConsuming(
      { cid: contractId },
      record({ terminatedSubscription: contractId }),
    ),
  },
});
export type WalletAppInstall = ValueOf<(typeof WalletAppInstall)["record"]>;
