/** MemberTraffic: how much extra traffic was bought for a member, and what it cost. */
import { implement } from "../../../engine/template.ts";
import { MemberTraffic } from "../declarations/member-traffic.ts";

export const memberTraffic = implement(MemberTraffic, {
  signatories: ({ dso }) => [dso],
  ensure: (traffic) =>
    traffic.totalPurchased >= 0n &&
    traffic.numPurchases >= 0n &&
    traffic.amuletSpent >= 0n &&
    traffic.usdSpent >= 0n &&
    traffic.migrationId >= 0n &&
    traffic.memberId !== "" &&
    traffic.synchronizerId !== "",
});
