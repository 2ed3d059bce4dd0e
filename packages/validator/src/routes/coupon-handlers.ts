/** The caller's rewards before they are minted. */
import {
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  SvRewardCoupon,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
} from "@callsign/ledger";
import type { Call } from "@callsign/node";
import { listCoupons, listValidatorCoupons } from "../wallet/coupons.ts";
import type { Caller } from "./caller.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function couponHandlers(running: () => Running) {
  const list = (template: AnyTemplateDeclaration, call: Call<Caller>) =>
    listCoupons(running().store, walletOf(call), template);
  return {
    listAppRewardCoupons: async (_, call) => ({ app_reward_coupons: await list(AppRewardCoupon, call) }),
    listValidatorRewardCoupons: async (_, call) => ({
      validator_reward_coupons: await listValidatorCoupons(running().store, walletOf(call)),
    }),
    listValidatorFaucetCoupons: async (_, call) => ({
      validator_faucet_coupons: await list(ValidatorFaucetCoupon, call),
    }),
    listValidatorLivenessActivityRecords: async (_, call) => ({
      validator_liveness_activity_records: await list(ValidatorLivenessActivityRecord, call),
    }),
    listSvRewardCoupons: async (_, call) => ({ sv_reward_coupons: await list(SvRewardCoupon, call) }),
  } satisfies Partial<Served>;
}
