import type { LeftCoupons } from "@callsign/ledger";
import type { CouponKind } from "../../agenda/agenda-coupons.ts";
import { BATCHED_AT_ONCE } from "../../limits/limits.ts";
import type { LedgerFacts } from "../ledger-facts.ts";

/** Coupons of a round that nobody has minted, the oldest first and so the same on every SV. */
export function listLeftCoupons({ agenda }: LedgerFacts, round: bigint): LeftCoupons {
  const list = (kind: CouponKind) => agenda.coupons.list(round, kind, BATCHED_AT_ONCE);
  return {
    validatorRewardCouponCids: list("validator"),
    appCouponCids: [...list("featuredApp"), ...list("unfeaturedApp")],
    svRewardCouponCids: list("sv"),
    livenessRecordCids: list("liveness"),
  };
}
