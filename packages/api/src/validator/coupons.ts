/** The caller's rewards before they are minted. At most 1,000 of a kind are listed, in the order of the ledger. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";

const contracts = z.array(Contract);

export const validatorCoupons = defineEndpoints({
  method: "GET",
  tags: ["wallet"],
  auth: "wallet-user",
  errors: [401, 403, 404, 500],
})({
  listAppRewardCoupons: {
    path: "/v0/wallet/app-reward-coupons",
    summary: "Rewards of applications, for their beneficiary or else their provider",
    success: json(z.object({ app_reward_coupons: contracts })),
  },
  listValidatorRewardCoupons: {
    path: "/v0/wallet/validator-reward-coupons",
    summary: "Rewards for the coin that hosted users burned, which the caller mints by their rights",
    success: json(z.object({ validator_reward_coupons: contracts })),
  },
  listValidatorFaucetCoupons: {
    path: "/v0/wallet/validator-faucet-coupons",
    summary: "Rewards of validators that were up, in their older form",
    success: json(z.object({ validator_faucet_coupons: contracts })),
  },
  listValidatorLivenessActivityRecords: {
    path: "/v0/wallet/validator-liveness-activity-records",
    summary: "Rewards of validators that were up in a round",
    success: json(z.object({ validator_liveness_activity_records: contracts })),
  },
  listSvRewardCoupons: {
    path: "/v0/wallet/sv-reward-coupons",
    summary: "Rewards of SVs, for their beneficiaries",
    success: json(z.object({ sv_reward_coupons: contracts })),
  },
});
