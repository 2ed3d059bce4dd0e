import { type Api, mergeEndpoints } from "../endpoint.ts";
import { healthEndpoints } from "../splice/health.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { validatorAdminPreapprovals } from "./admin-preapprovals.ts";
import { validatorAllocations } from "./allocations.ts";
import { validatorAmulets } from "./amulets.ts";
import { validatorAppPayments } from "./app-payments.ts";
import { validatorCoupons } from "./coupons.ts";
import { validatorDevelopmentFund } from "./development-fund.ts";
import { validatorEntries } from "./entries.ts";
import { validatorFeaturedApps } from "./featured-apps.ts";
import { validatorMintingDelegations } from "./minting-delegations.ts";
import { validatorOperator } from "./operator.ts";
import { validatorParticipant } from "./participant.ts";
import { validatorPreapprovals } from "./preapprovals.ts";
import { validatorScanProxy } from "./scan-proxy.ts";
import { validatorSubscriptionRequests } from "./subscription-requests.ts";
import { validatorSubscriptions } from "./subscriptions.ts";
import { validatorTokenTransfers } from "./token-transfers.ts";
import { validatorTrafficRequests } from "./traffic-requests.ts";
import { validatorTransactions } from "./transactions.ts";
import { validatorTransferOffers } from "./transfer-offers.ts";
import { validatorUsers } from "./users.ts";
import { validatorWallet } from "./wallet.ts";

const withoutWallet = mergeEndpoints(
  validatorScanProxy,
  validatorOperator,
  validatorUsers,
  validatorParticipant,
  validatorAdminPreapprovals,
  healthEndpoints("health"),
);

const endpoints = mergeEndpoints(
  validatorEntries,
  validatorWallet,
  validatorTransactions,
  validatorSubscriptionRequests,
  validatorSubscriptions,
  validatorAmulets,
  validatorAppPayments,
  validatorCoupons,
  validatorDevelopmentFund,
  validatorFeaturedApps,
  validatorMintingDelegations,
  validatorTransferOffers,
  validatorTrafficRequests,
  validatorPreapprovals,
  validatorTokenTransfers,
  validatorAllocations,
  withoutWallet,
);

export const validatorApi = {
  name: "validator",
  title: "Validator API",
  version: "0.1.0",
  description: "Names and coin of the caller, and lookups on which several scans agree.",
  basePath: "/api/validator",
  dialect: "splice",
  tags: {
    names: "Ask for a name, list one's names.",
    wallet: "Coin and subscriptions. What stands under /ext is ours; the rest is Splice's.",
    "scan-proxy": "What several scans agree on.",
    validator: "The validator itself, its users and its participant.",
    health: "Liveness, readiness, version.",
  },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints,
} as const satisfies Api;

/** The operations of a validator whose wallet is switched off. */
export const validatorApiWithoutWallet = {
  ...validatorApi,
  description: "Lookups on which several scans agree. The wallet of this validator is switched off.",
  endpoints: withoutWallet,
} as const satisfies Api;
