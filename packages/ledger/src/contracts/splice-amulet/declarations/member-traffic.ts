/** Splice.DecentralizedSynchronizer: the extra traffic bought for a member. */
import type { ValueOf } from "../../../daml/daml-type.ts";
import { int64, numeric, party, text } from "../../../daml/scalars.ts";
import { declareTemplate } from "../../../engine/declaration.ts";
import { amuletPackage } from "../../packages.ts";

export const MemberTraffic = declareTemplate({
  package: amuletPackage,
  module: "Splice.DecentralizedSynchronizer",
  entity: "MemberTraffic",
  fields: {
    dso: party,
    memberId: text,
    synchronizerId: text,
    migrationId: int64,
    totalPurchased: int64,
    numPurchases: int64,
    amuletSpent: numeric,
    usdSpent: numeric,
  },
});
export type MemberTraffic = ValueOf<(typeof MemberTraffic)["record"]>;
