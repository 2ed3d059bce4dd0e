/** Examples of the wallet's coins, payments of applications, rewards, the development fund and delegations. */
import { alice, contractId, dso, packageId, synchronizer } from "./samples.ts";

const byContract = { params: { contract_id: contractId("a") } };

function contract(place: string, digit: string, payload: Readonly<Record<string, unknown>>) {
  return {
    template_id: `${packageId}:${place}`,
    contract_id: contractId(digit),
    payload: payload as Record<string, never>,
    created_event_blob: "CgMyLjE=",
    created_at: "2025-03-12T01:56:28.974046Z",
  };
}

const amount = { initialAmount: "200.0", createdAt: { number: "2" }, ratePerRound: { rate: "0.00380518" } };
const amulet = contract("Splice.Amulet:Amulet", "6", { dso, owner: alice, amount });
const position = {
  contract: { contract: amulet, domain_id: synchronizer },
  round: 4,
  accrued_holding_fee: "0.0076103600",
  effective_amount: "200.0000000000",
};

const request = {
  contract: contract("Splice.Wallet.Payment:AppPaymentRequest", "a", {
    sender: alice,
    provider: dso,
    dso,
    expiresAt: "2025-03-12T02:56:28.974046Z",
    description: "a coffee",
  }),
  domain_id: synchronizer,
};
const payment = {
  contract: contract("Splice.Wallet.Payment:AcceptedAppPayment", "b", {
    sender: alice,
    provider: dso,
    reference: contractId("a"),
  }),
  domain_id: synchronizer,
};

const reward = (entity: string) => contract(`Splice.Amulet:${entity}`, "c", { dso, round: { number: "4" } });

const delegation = { beneficiary: dso, delegate: alice, dso, amuletMergeLimit: "10" };
const place = "Splice.Wallet.MintingDelegation";

const fundCoupon = contract("Splice.Amulet:DevelopmentFundCoupon", "d", {
  dso,
  beneficiary: alice,
  fundManager: dso,
  amount: "5.0",
  expiresAt: "2025-03-12T02:56:28.974046Z",
  reason: "a library",
});

export const walletContractExamples = {
  list: { response: { amulets: [position], locked_amulets: [] } },
  listAppPaymentRequests: { response: { payment_requests: [request] } },
  getAppPaymentRequest: { request: byContract, response: request },
  acceptAppPaymentRequest: {
    request: byContract,
    response: { accepted_payment_contract_id: contractId("b") },
  },
  rejectAppPaymentRequest: { request: byContract, response: undefined },
  listAcceptedAppPayments: { response: { accepted_app_payments: [payment] } },
  listAppRewardCoupons: { response: { app_reward_coupons: [reward("AppRewardCoupon")] } },
  listValidatorRewardCoupons: { response: { validator_reward_coupons: [reward("ValidatorRewardCoupon")] } },
  listValidatorFaucetCoupons: { response: { validator_faucet_coupons: [reward("ValidatorFaucetCoupon")] } },
  listValidatorLivenessActivityRecords: {
    response: { validator_liveness_activity_records: [reward("ValidatorLivenessActivityRecord")] },
  },
  listSvRewardCoupons: { response: { sv_reward_coupons: [reward("SvRewardCoupon")] } },
  selfGrantFeatureAppRight: { request: { body: null }, response: { contract_id: contractId("e") } },
  cancelFeaturedAppRights: { response: undefined },
  listMintingDelegationProposals: {
    request: { query: { after: 7_340_033n, limit: 1 } },
    response: {
      proposals: [
        {
          contract: contract(`${place}:MintingDelegationProposal`, "a", { delegation }),
          beneficiary_hosted: false,
        },
      ],
      next_page_token: 8_388_610,
    },
  },
  acceptMintingDelegationProposal: { request: byContract, response: { contract_id: contractId("f") } },
  rejectMintingDelegationProposal: { request: byContract, response: undefined },
  listMintingDelegations: {
    request: {},
    received: { query: { after: null, limit: 1000 } },
    response: {
      delegations: [
        { contract: contract(`${place}:MintingDelegation`, "f", delegation), beneficiary_hosted: true },
      ],
      next_page_token: null,
    },
  },
  rejectMintingDelegation: { request: byContract, response: undefined },
  allocateDevelopmentFundCoupon: {
    request: {
      body: { beneficiary: alice, amount: "5.0", expiresAt: 1_741_748_188_974_046, reason: "a library" },
    },
    response: {
      development_fund_coupon_contract_id: contractId("d"),
      unclaimed_development_fund_coupon_contract_id: contractId("2"),
    },
  },
  listActiveDevelopmentFundCoupons: { response: { active_development_fund_coupons: [fundCoupon] } },
  withdrawDevelopmentFundCoupon: {
    request: { ...byContract, body: { reason: "a slip" } },
    response: { unclaimed_development_fund_coupon_contract_id: contractId("2") },
  },
  listDevelopmentFundCouponHistory: {
    request: { query: { after: 7_340_033n, limit: 10 } },
    response: {
      development_fund_coupon_history: [
        {
          createdAt: "2025-03-12T01:56:28.974046Z",
          archivedAt: "2025-03-12T02:10:00Z",
          beneficiary: alice,
          fund_manager: dso,
          amount: "5.0000000000",
          expiresAt: "2025-03-12T02:56:28.974046Z",
          reason: "a library",
          status: "withdrawn" as const,
          rejection_or_withdrawal_reason: "a slip",
        },
      ],
      next_page_token: 6_291_457,
    },
  },
};
