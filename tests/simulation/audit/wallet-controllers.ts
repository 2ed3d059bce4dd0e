/** The controllers of each choice of wallets, app payments, preapprovals and onboarding (section 2 of the model). */
import {
  ExternalPartySetupProposal,
  TransferPreapproval,
} from "../../../packages/ledger/src/contracts/splice-amulet/declarations/transfer-preapproval.ts";
import { ValidatorOnboarding } from "../../../packages/ledger/src/contracts/splice-validator-lifecycle/declarations/validator-onboarding.ts";
import { WalletAppInstall } from "../../../packages/ledger/src/contracts/splice-wallet/declarations/install.ts";
import {
  MintingDelegation,
  MintingDelegationProposal,
} from "../../../packages/ledger/src/contracts/splice-wallet/declarations/minting-delegation.ts";
import { BuyTrafficRequest } from "../../../packages/ledger/src/contracts/splice-wallet/declarations/traffic-purchases.ts";
import {
  AcceptedTransferOffer,
  TransferOffer,
} from "../../../packages/ledger/src/contracts/splice-wallet/declarations/transfer-offer.ts";
import { TransferPreapprovalProposal } from "../../../packages/ledger/src/contracts/splice-wallet/declarations/transfer-preapproval-proposal.ts";
import {
  AcceptedAppPayment,
  AppPaymentRequest,
} from "../../../packages/ledger/src/contracts/splice-wallet-payments/declarations/app-payments.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { rows } from "./controller-rows.ts";

type Of<Field extends string> = Readonly<Record<Field, PartyId>>;

const actor = (_payload: unknown, argument: Of<"actor">) => [argument.actor];
const reader = (_payload: unknown, argument: Of<"p">) => [argument.p];
const givenSender = (_payload: unknown, argument: Of<"sender">) => [argument.sender];
const sender = (payload: Of<"sender">) => [payload.sender];
const receiver = (payload: Of<"receiver">) => [payload.receiver];
const provider = (payload: Of<"provider">) => [payload.provider];
const user = (payload: Of<"user">) => [payload.user];
const endUser = (payload: Of<"endUserParty">) => [payload.endUserParty];
const validator = (payload: Of<"validatorParty">) => [payload.validatorParty];
const sv = (payload: Of<"sv">) => [payload.sv];
const delegate = (payload: Of<"delegate">) => [payload.delegate];
const beneficiary = (payload: Of<"beneficiary">) => [payload.beneficiary];
const senderAndWallet = (payload: Of<"sender">, argument: Of<"walletProvider">) => [
  payload.sender,
  argument.walletProvider,
];
const paid = ({ amuletReceiverAmounts }: { readonly amuletReceiverAmounts: readonly Of<"receiver">[] }) =>
  amuletReceiverAmounts.map((each) => each.receiver);

export const walletControllers = [
  rows(WalletAppInstall, {
    WalletAppInstall_ExecuteBatch: validator,
    WalletAppInstall_AppPaymentRequest_Reject: validator,
    WalletAppInstall_AppPaymentRequest_Expire: validator,
    WalletAppInstall_SubscriptionRequest_Reject: validator,
    WalletAppInstall_SubscriptionIdleState_CancelSubscription: validator,
    WalletAppInstall_CreateTransferOffer: validator,
    WalletAppInstall_TransferOffer_Accept: validator,
    WalletAppInstall_TransferOffer_Reject: validator,
    WalletAppInstall_TransferOffer_Withdraw: validator,
    WalletAppInstall_TransferOffer_Expire: validator,
    WalletAppInstall_AcceptedTransferOffer_Abort: validator,
    WalletAppInstall_AcceptedTransferOffer_Withdraw: validator,
    WalletAppInstall_AcceptedTransferOffer_Expire: validator,
    WalletAppInstall_CreateBuyTrafficRequest: validator,
    WalletAppInstall_BuyTrafficRequest_Cancel: validator,
    WalletAppInstall_BuyTrafficRequest_Expire: validator,
    WalletAppInstall_TransferFactory_Transfer: validator,
    WalletAppInstall_TransferInstruction_Accept: validator,
    WalletAppInstall_TransferInstruction_Reject: validator,
    WalletAppInstall_TransferInstruction_Withdraw: validator,
    WalletAppInstall_AllocationFactory_Allocate: validator,
    WalletAppInstall_Allocation_Withdraw: validator,
    WalletAppInstall_FeaturedAppRights_Cancel: validator,
    WalletAppInstall_FeaturedAppRights_SelfGrant: validator,
  }),
  rows(AppPaymentRequest, {
    AppPaymentRequest_Expire: actor,
    AppPaymentRequest_Accept: senderAndWallet,
    AppPaymentRequest_Withdraw: ({ receiverAmounts }) => receiverAmounts.map((each) => each.receiver),
    AppPaymentRequest_Reject: sender,
  }),
  rows(AcceptedAppPayment, {
    AcceptedAppPayment_Collect: (payment) => [payment.sender, payment.provider, ...paid(payment)],
    AcceptedAppPayment_Reject: paid,
    AcceptedAppPayment_Expire: sender,
  }),
  rows(TransferOffer, {
    TransferOffer_Accept: receiver,
    TransferOffer_Reject: receiver,
    TransferOffer_Withdraw: sender,
    TransferOffer_Expire: actor,
  }),
  rows(AcceptedTransferOffer, {
    AcceptedTransferOffer_Complete: senderAndWallet,
    AcceptedTransferOffer_Withdraw: receiver,
    AcceptedTransferOffer_Abort: sender,
    AcceptedTransferOffer_Expire: actor,
  }),
  rows(BuyTrafficRequest, {
    BuyTrafficRequest_Complete: (request, argument) => [request.endUserParty, argument.walletProvider],
    BuyTrafficRequest_Cancel: endUser,
    BuyTrafficRequest_Expire: endUser,
  }),
  rows(TransferPreapprovalProposal, { TransferPreapprovalProposal_Accept: provider }),
  rows(TransferPreapproval, {
    TransferPreapproval_Fetch: reader,
    TransferPreapproval_Send: givenSender,
    TransferPreapproval_SendV2: givenSender,
    TransferPreapproval_Renew: provider,
    TransferPreapproval_Expire: ({ dso }) => [dso],
    TransferPreapproval_Cancel: reader,
  }),
  rows(ExternalPartySetupProposal, {
    ExternalPartySetupProposal_Accept: user,
    ExternalPartySetupProposal_Reject: user,
    ExternalPartySetupProposal_Withdraw: (proposal) => [proposal.validator],
  }),
  rows(MintingDelegationProposal, {
    MintingDelegationProposal_Accept: ({ delegation }) => delegate(delegation),
    MintingDelegationProposal_Reject: ({ delegation }) => delegate(delegation),
    MintingDelegationProposal_Withdraw: ({ delegation }) => beneficiary(delegation),
  }),
  rows(MintingDelegation, {
    MintingDelegation_Mint: delegate,
    MintingDelegation_Reject: delegate,
    MintingDelegation_Withdraw: beneficiary,
  }),
  rows(ValidatorOnboarding, { ValidatorOnboarding_Match: sv, ValidatorOnboarding_Expire: sv }),
] as const;
