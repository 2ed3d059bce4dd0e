/** The caller's rewards before they are minted. */
import {
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  SvRewardCoupon,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
} from "@callsign/ledger";
import type { Call } from "@callsign/node";
import { wireContract } from "../store/wire-contract.ts";
import { listContracts } from "../wallet/list-contracts.ts";
import type { Caller } from "./caller.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function couponHandlers(running: () => Running) {
  const list = (template: AnyTemplateDeclaration, call: Call<Caller>) =>
    listContracts(running().store, template, { owner: walletOf(call).party });
  return {
    listAppRewardCoupons: async (_, call) => ({ app_reward_coupons: await list(AppRewardCoupon, call) }),
    // Their owners are the users; the caller is the validator of those.
    listValidatorRewardCoupons: async (_, call) => {
      const coupons = await running().store.listMintableFor(walletOf(call).party);
      return { validator_reward_coupons: coupons.map((each) => wireContract(ValidatorRewardCoupon, each)) };
    },
    listValidatorFaucetCoupons: async (_, call) => ({
      validator_faucet_coupons: await list(ValidatorFaucetCoupon, call),
    }),
    listValidatorLivenessActivityRecords: async (_, call) => ({
      validator_liveness_activity_records: await list(ValidatorLivenessActivityRecord, call),
    }),
    listSvRewardCoupons: async (_, call) => ({ sv_reward_coupons: await list(SvRewardCoupon, call) }),
  } satisfies Partial<Served>;
}
