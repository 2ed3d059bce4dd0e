/** The caller's right of a featured app. */
import { cancelFeaturedAppRights, grantFeaturedAppRight } from "../wallet/featured-apps.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function featuredAppHandlers(running: () => Running) {
  return {
    selfGrantFeatureAppRight: async (_, call) => ({
      contract_id: await grantFeaturedAppRight(running(), walletOf(call)),
    }),
    cancelFeaturedAppRights: (_, call) => cancelFeaturedAppRights(running(), walletOf(call)),
  } satisfies Partial<Served>;
}
