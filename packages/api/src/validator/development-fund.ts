/**
 * The development fund: its manager, whom the network's configuration names, gives coupons to beneficiaries and may
 * take one back before it is minted or expires.
 */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { Contract } from "../splice/contract.ts";
import { limitParameter } from "../splice/page-size.ts";
import { int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, fixedDecimal, givenDecimal } from "../wire/texts.ts";

const AllocateRequest = z
  .object({
    beneficiary: z.string(),
    amount: givenDecimal,
    /** Microseconds since 1970. */
    expiresAt: int64,
    reason: z.string(),
  })
  .meta({ id: "AllocateDevelopmentFundCouponRequest" });
export type AllocateRequest = z.output<typeof AllocateRequest>;

const AllocateResponse = z
  .object({
    development_fund_coupon_contract_id: z.string(),
    /** The rest of the coupons that the gift was taken from; null if nothing is left of them. */
    unclaimed_development_fund_coupon_contract_id: orNull(z.string()),
  })
  .meta({ id: "AllocateDevelopmentFundCouponResponse" });

export const EndedFundCoupon = z
  .object({
    createdAt: dateTime,
    archivedAt: dateTime,
    beneficiary: z.string(),
    fund_manager: z.string(),
    amount: fixedDecimal,
    expiresAt: dateTime,
    /** Of the gift. */
    reason: z.string(),
    status: z.enum(["withdrawn", "rejected", "claimed", "expired"]),
    /** Null unless it was withdrawn or rejected. */
    rejection_or_withdrawal_reason: orNull(z.string()),
  })
  .meta({ id: "ArchivedDevelopmentFundCoupon" });
export type EndedFundCoupon = z.output<typeof EndedFundCoupon>;

const actErrors = [400, 401, 403, 404, 409, 429, 500, 502, 503] as const;

export const validatorDevelopmentFund = defineEndpoints({ tags: ["wallet"], auth: "wallet-user" })({
  allocateDevelopmentFundCoupon: {
    method: "POST",
    path: "/v0/wallet/development-fund-coupons/allocate",
    summary: "Gives a coupon of the fund to a beneficiary; for the fund's manager alone",
    description: "The same request, repeated while its coupon is there, gives that coupon.",
    body: AllocateRequest,
    success: json(AllocateResponse),
    errors: actErrors,
  },
  listActiveDevelopmentFundCoupons: {
    method: "GET",
    path: "/v0/wallet/development-fund-coupons",
    summary: "Coupons that the caller gave or was given, the first to expire first",
    success: json(z.object({ active_development_fund_coupons: z.array(Contract) })),
    errors: [401, 403, 404, 500],
  },
  listDevelopmentFundCouponHistory: {
    method: "GET",
    path: "/v0/wallet/development-fund-coupons/history",
    summary: "Coupons that have ended, and how, the last to end first",
    description:
      "Every page that has a coupon has a token; the next page, which `after` asks for with it, may be empty.",
    query: z.object({ after: orNull(int64Parameter), limit: limitParameter }),
    success: json(
      z.object({
        development_fund_coupon_history: z.array(EndedFundCoupon),
        next_page_token: orNull(int64),
      }),
    ),
    errors: [400, 401, 403, 404, 500, 503],
  },
  withdrawDevelopmentFundCoupon: {
    method: "POST",
    path: "/v0/wallet/development-fund-coupons/{contract_id}/withdraw",
    summary: "Takes a coupon back into the fund; for the fund's manager alone",
    params: z.object({ contract_id: z.string() }),
    body: z.object({ reason: z.string() }).meta({ id: "WithdrawDevelopmentFundCouponRequest" }),
    success: json(z.object({ unclaimed_development_fund_coupon_contract_id: z.string() })),
    errors: actErrors,
  },
});
