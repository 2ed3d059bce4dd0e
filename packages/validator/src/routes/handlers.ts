/** The handlers of the operations for wallet users, one group a file. */

import type { adminHandlers } from "./admin-handlers.ts";
import { appPaymentHandlers } from "./app-payment-handlers.ts";
import { coinHandlers } from "./coin-handlers.ts";
import { couponHandlers } from "./coupon-handlers.ts";
import { developmentFundHandlers } from "./development-fund-handlers.ts";
import { featuredAppHandlers } from "./featured-app-handlers.ts";
import { historyHandlers } from "./history-handlers.ts";
import { mintingDelegationHandlers } from "./minting-delegation-handlers.ts";
import { nameHandlers } from "./name-handlers.ts";
import type { operatorHandlers } from "./operator-handlers.ts";
import type { proxyHandlers } from "./proxy-handlers.ts";
import type { Running, Served } from "./running.ts";
import { subscriptionHandlers } from "./subscription-handlers.ts";
import { tokenHandlers } from "./token-handlers.ts";
import { transferHandlers } from "./transfer-handlers.ts";
import type { userHandlers } from "./user-handlers.ts";

type HealthIds = "isReady" | "isLive" | "getHealthStatus" | "getVersion";
type ServedElsewhere =
  | HealthIds
  | keyof ReturnType<typeof operatorHandlers>
  | keyof ReturnType<typeof userHandlers>
  | keyof ReturnType<typeof adminHandlers>
  | keyof ReturnType<typeof proxyHandlers>;

export function walletHandlers(running: () => Running): Omit<Served, ServedElsewhere> {
  return {
    ...nameHandlers(running),
    ...coinHandlers(running),
    ...historyHandlers(running),
    ...subscriptionHandlers(running),
    ...appPaymentHandlers(running),
    ...couponHandlers(running),
    ...developmentFundHandlers(running),
    ...featuredAppHandlers(running),
    ...mintingDelegationHandlers(running),
    ...transferHandlers(running),
    ...tokenHandlers(running),
  };
}
