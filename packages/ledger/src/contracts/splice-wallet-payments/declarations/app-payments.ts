/** Splice.Wallet.Payment: an app asks a user to pay one or more receivers. */
import { list } from "../../../daml/collections.ts";
import type { ValueOf } from "../../../daml/daml-type.ts";
import { optional } from "../../../daml/optional.ts";
import { record, tuple } from "../../../daml/record.ts";
import { contractId, numeric, party, text, time } from "../../../daml/scalars.ts";
import { consuming, declareTemplate } from "../../../engine/declaration.ts";
import { walletPaymentsPackage } from "../../packages.ts";
import { AmuletCreateSummary } from "../../splice-amulet/declarations/amulet.ts";
import { Round } from "../../splice-amulet/declarations/round-number.ts";
import {
  AppTransferContext,
  PaymentTransferContext,
  TransferInput,
} from "../../splice-amulet/declarations/transfer.ts";
import { PaymentAmount } from "./payment-amount.ts";

const place = { package: walletPaymentsPackage, module: "Splice.Wallet.Payment" } as const;

const ReceiverAmount = record("ReceiverAmount", { receiver: party, amount: PaymentAmount });
const ReceiverAmuletAmount = record("ReceiverAmuletAmount", { receiver: party, amuletAmount: numeric });
export type ReceiverAmuletAmount = ValueOf<typeof ReceiverAmuletAmount>;

const Terminated = record({ terminatedAppPayment: contractId });
const Refunded = record({ amulet: AmuletCreateSummary });

export const AppPaymentRequest = declareTemplate({
  ...place,
  entity: "AppPaymentRequest",
  fields: {
    sender: party,
    receiverAmounts: list(ReceiverAmount),
    /** The app; it earns the rewards of the payment. */
    provider: party,
    dso: party,
    expiresAt: time,
    description: text,
  },
  choices: {
    AppPaymentRequest_Expire: consuming({ actor: party }, Terminated),
    AppPaymentRequest_Accept: consuming(
      { inputs: list(TransferInput), context: PaymentTransferContext, walletProvider: party },
      record({ acceptedPayment: contractId, senderChangeAmulet: optional(contractId) }),
    ),
    AppPaymentRequest_Withdraw: consuming({}, Terminated),
    AppPaymentRequest_Reject: consuming({}, Terminated),
  },
});
export type AppPaymentRequest = ValueOf<(typeof AppPaymentRequest)["record"]>;

export const AcceptedAppPayment = declareTemplate({
  ...place,
  entity: "AcceptedAppPayment",
  fields: {
    sender: party,
    amuletReceiverAmounts: list(ReceiverAmuletAmount),
    provider: party,
    dso: party,
    lockedAmulet: contractId,
    round: Round,
    reference: contractId,
  },
  choices: {
    AcceptedAppPayment_Collect: consuming(
      { context: AppTransferContext },
      record({ receiverAmulets: list(tuple(party, contractId)) }),
    ),
    AcceptedAppPayment_Reject: consuming({ context: AppTransferContext }, Refunded),
    AcceptedAppPayment_Expire: consuming({ context: AppTransferContext }, Refunded),
  },
});
export type AcceptedAppPayment = ValueOf<(typeof AcceptedAppPayment)["record"]>;

export const TerminatedAppPayment = declareTemplate({
  ...place,
  entity: "TerminatedAppPayment",
  fields: { sender: party, provider: party, receivers: list(party), reference: contractId },
});
