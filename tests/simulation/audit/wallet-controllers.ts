/** The controllers of each choice of wallets, app payments, preapprovals and onboarding (section 2 of the model). */
import {
  AcceptedAppPayment,
  AcceptedTransferOffer,
  AppPaymentRequest,
  BuyTrafficRequest,
  ExternalPartySetupProposal,
  MintingDelegation,
  MintingDelegationProposal,
  type PartyId,
  TransferOffer,
  TransferPreapproval,
  TransferPreapprovalProposal,
  ValidatorOnboarding,
  WalletAppInstall,
} from "../../../packages/ledger/src/index.ts";
import { everyChoice, given, of, rows } from "./controller-rows.ts";

type Receiver = { readonly receiver: PartyId };

const senderAndWallet = (
  { sender }: { readonly sender: PartyId },
  { walletProvider }: { readonly walletProvider: PartyId },
) => [sender, walletProvider];
const paid = ({ amuletReceiverAmounts }: { readonly amuletReceiverAmounts: readonly Receiver[] }) =>
  amuletReceiverAmounts.map(({ receiver }) => receiver);

export const walletControllers = [
  everyChoice(WalletAppInstall, of("validatorParty")),
  rows(AppPaymentRequest, {
    AppPaymentRequest_Expire: given("actor"),
    AppPaymentRequest_Accept: senderAndWallet,
    AppPaymentRequest_Withdraw: ({ receiverAmounts }) => receiverAmounts.map((each) => each.receiver),
    AppPaymentRequest_Reject: of("sender"),
  }),
  rows(AcceptedAppPayment, {
    AcceptedAppPayment_Collect: (payment) => [payment.sender, payment.provider, ...paid(payment)],
    AcceptedAppPayment_Reject: paid,
    AcceptedAppPayment_Expire: of("sender"),
  }),
  rows(TransferOffer, {
    TransferOffer_Accept: of("receiver"),
    TransferOffer_Reject: of("receiver"),
    TransferOffer_Withdraw: of("sender"),
    TransferOffer_Expire: given("actor"),
  }),
  rows(AcceptedTransferOffer, {
    AcceptedTransferOffer_Complete: senderAndWallet,
    AcceptedTransferOffer_Withdraw: of("receiver"),
    AcceptedTransferOffer_Abort: of("sender"),
    AcceptedTransferOffer_Expire: given("actor"),
  }),
  rows(BuyTrafficRequest, {
    BuyTrafficRequest_Complete: (request, argument) => [request.endUserParty, argument.walletProvider],
    BuyTrafficRequest_Cancel: of("endUserParty"),
    BuyTrafficRequest_Expire: of("endUserParty"),
  }),
  rows(TransferPreapprovalProposal, { TransferPreapprovalProposal_Accept: of("provider") }),
  rows(TransferPreapproval, {
    TransferPreapproval_Fetch: given("p"),
    TransferPreapproval_Send: given("sender"),
    TransferPreapproval_SendV2: given("sender"),
    TransferPreapproval_Renew: of("provider"),
    TransferPreapproval_Expire: of("dso"),
    TransferPreapproval_Cancel: given("p"),
  }),
  rows(ExternalPartySetupProposal, {
    ExternalPartySetupProposal_Accept: of("user"),
    ExternalPartySetupProposal_Reject: of("user"),
    ExternalPartySetupProposal_Withdraw: of("validator"),
  }),
  rows(MintingDelegationProposal, {
    MintingDelegationProposal_Accept: ({ delegation }) => [delegation.delegate],
    MintingDelegationProposal_Reject: ({ delegation }) => [delegation.delegate],
    MintingDelegationProposal_Withdraw: ({ delegation }) => [delegation.beneficiary],
  }),
  rows(MintingDelegation, {
    MintingDelegation_Mint: of("delegate"),
    MintingDelegation_Reject: of("delegate"),
    MintingDelegation_Withdraw: of("beneficiary"),
  }),
  rows(ValidatorOnboarding, { ValidatorOnboarding_Match: of("sv"), ValidatorOnboarding_Expire: of("sv") }),
] as const;
