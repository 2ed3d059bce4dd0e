/**
 * A wallet's work for its user beside paying: it makes, answers and ends offers and requests with the user's
 * authority. Each choice hands on to one choice of the contract it names, and returns what that returns.
 */
import type { SomeChoiceRules } from "../../engine/template.ts";
import { FeaturedAppRight } from "../splice-amulet/declarations/amulet.ts";
import { AmuletRules } from "../splice-amulet/declarations/amulet-rules.ts";
import { AppPaymentRequest } from "../splice-wallet-payments/declarations/app-payments.ts";
import {
  SubscriptionIdleState,
  SubscriptionRequest,
} from "../splice-wallet-payments/declarations/subscriptions.ts";
import { byValidator } from "./by-validator.ts";
import type { WalletAppInstall } from "./declarations/install.ts";
import { BuyTrafficRequest } from "./declarations/traffic-purchases.ts";
import { AcceptedTransferOffer, TransferOffer } from "./declarations/transfer-offer.ts";
import { tokenForwards } from "./token-forwards.ts";

export const installForwards = {
  WalletAppInstall_AppPaymentRequest_Reject: byValidator(({ update, argument: { cid } }) =>
    update.exercise(AppPaymentRequest, cid, "AppPaymentRequest_Reject", {}),
  ),
  WalletAppInstall_AppPaymentRequest_Expire: byValidator(({ update, contract, argument: { cid } }) =>
    update.exercise(AppPaymentRequest, cid, "AppPaymentRequest_Expire", { actor: contract.endUserParty }),
  ),
  WalletAppInstall_SubscriptionRequest_Reject: byValidator(({ update, argument: { cid } }) =>
    update.exercise(SubscriptionRequest, cid, "SubscriptionRequest_Reject", {}),
  ),
  WalletAppInstall_SubscriptionIdleState_CancelSubscription: byValidator(({ update, argument: { cid } }) =>
    update.exercise(SubscriptionIdleState, cid, "SubscriptionIdleState_CancelSubscription", {}),
  ),
  WalletAppInstall_CreateTransferOffer: byValidator(({ update, contract, argument }) => {
    const { endUserParty: sender, dsoParty: dso } = contract;
    return { transferOffer: update.create(TransferOffer, { sender, dso, ...argument }) };
  }),
  WalletAppInstall_TransferOffer_Accept: byValidator(({ update, argument: { cid } }) =>
    update.exercise(TransferOffer, cid, "TransferOffer_Accept", {}),
  ),
  WalletAppInstall_TransferOffer_Reject: byValidator(({ update, argument: { cid } }) =>
    update.exercise(TransferOffer, cid, "TransferOffer_Reject", {}),
  ),
  WalletAppInstall_TransferOffer_Withdraw: byValidator(({ update, argument: { cid, reason } }) =>
    update.exercise(TransferOffer, cid, "TransferOffer_Withdraw", { reason }),
  ),
  WalletAppInstall_TransferOffer_Expire: byValidator(({ update, contract, argument: { cid } }) =>
    update.exercise(TransferOffer, cid, "TransferOffer_Expire", { actor: contract.endUserParty }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Abort: byValidator(({ update, argument: { cid, reason } }) =>
    update.exercise(AcceptedTransferOffer, cid, "AcceptedTransferOffer_Abort", { reason }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Withdraw: byValidator(({ update, argument: { cid, reason } }) =>
    update.exercise(AcceptedTransferOffer, cid, "AcceptedTransferOffer_Withdraw", { reason }),
  ),
  WalletAppInstall_AcceptedTransferOffer_Expire: byValidator(({ update, contract, argument: { cid } }) => {
    const actor = contract.endUserParty;
    return update.exercise(AcceptedTransferOffer, cid, "AcceptedTransferOffer_Expire", { actor });
  }),
  WalletAppInstall_CreateBuyTrafficRequest: byValidator(({ update, contract, argument }) => {
    const { endUserParty, dsoParty: dso } = contract;
    return { buyTrafficRequest: update.create(BuyTrafficRequest, { dso, endUserParty, ...argument }) };
  }),
  WalletAppInstall_BuyTrafficRequest_Cancel: byValidator(({ update, argument: { requestCid, reason } }) =>
    update.exercise(BuyTrafficRequest, requestCid, "BuyTrafficRequest_Cancel", { reason }),
  ),
  WalletAppInstall_BuyTrafficRequest_Expire: byValidator(({ update, argument: { requestCid } }) =>
    update.exercise(BuyTrafficRequest, requestCid, "BuyTrafficRequest_Expire", {}),
  ),
  WalletAppInstall_FeaturedAppRights_Cancel: byValidator(({ update, argument: { cid } }) =>
    update.exercise(FeaturedAppRight, cid, "FeaturedAppRight_Cancel", {}),
  ),
  WalletAppInstall_FeaturedAppRights_SelfGrant: byValidator(
    ({ update, contract, argument: { amuletRulesCid } }) => {
      const argument = { provider: contract.endUserParty };
      const choice = "AmuletRules_DevNet_FeatureApp";
      const { featuredAppRightCid } = update.exercise(AmuletRules, amuletRulesCid, choice, argument);
      return { featuredAppRight: featuredAppRightCid };
    },
  ),
  ...tokenForwards,
} satisfies SomeChoiceRules<typeof WalletAppInstall>;
