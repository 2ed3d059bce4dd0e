/** Coupons of the development fund that the caller gives, was given, or takes back. */
import { allocateFundCoupon, listFundCoupons, withdrawFundCoupon } from "../wallet/development-fund.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function developmentFundHandlers(running: () => Running) {
  return {
    allocateDevelopmentFundCoupon: async ({ body }, call) => {
      const { coupon, rest } = await allocateFundCoupon(running(), walletOf(call), body);
      return {
        development_fund_coupon_contract_id: coupon,
        unclaimed_development_fund_coupon_contract_id: rest,
      };
    },
    listActiveDevelopmentFundCoupons: async (_, call) => ({
      active_development_fund_coupons: await listFundCoupons(running().store, walletOf(call)),
    }),
    listDevelopmentFundCouponHistory: async ({ query }, call) => {
      const { history } = running();
      const { items, nextPageToken } = await history.listEndedFundCoupons(walletOf(call).party, query);
      return { development_fund_coupon_history: items, next_page_token: nextPageToken };
    },
    withdrawDevelopmentFundCoupon: async ({ params, body: { reason } }, call) => {
      const given = { contractId: params.contract_id, reason };
      return {
        unclaimed_development_fund_coupon_contract_id: await withdrawFundCoupon(
          running(),
          walletOf(call),
          given,
        ),
      };
    },
  } satisfies Partial<Served>;
}
