/** The caller's wallet: is there one, what is in it, more of it where coin is free. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { fixedDecimal, givenDecimal } from "../wire/texts.ts";

const UserStatus = z
  .object({
    /** Empty for a user without a wallet. */
    party_id: z.string(),
    user_onboarded: z.boolean(),
    user_wallet_installed: z.boolean(),
    has_featured_app_right: z.boolean(),
  })
  .meta({ id: "UserStatusResponse" });

const FeatureSupport = z
  .object({ token_standard: z.boolean(), transfer_preapproval_description: z.boolean() })
  .meta({ id: "WalletFeatureSupportResponse" });

export const Balance = z
  .object({
    round: int64,
    effective_unlocked_qty: fixedDecimal,
    effective_locked_qty: fixedDecimal,
    total_holding_fees: fixedDecimal,
  })
  .meta({ id: "GetBalanceResponse" });
export type Balance = z.output<typeof Balance>;

const TapRequest = z
  .object({
    /** In USD, not in coin. */
    amount: givenDecimal,
    /** The same command, sent again within a day, taps once. */
    command_id: orNull(z.string()),
  })
  .meta({ id: "TapRequest" });

export const validatorWallet = defineEndpoints({ tags: ["wallet"] })({
  userStatus: {
    method: "GET",
    path: "/v0/wallet/user-status",
    summary: "Whether the caller has a wallet here, and whose",
    auth: "user",
    success: json(UserStatus),
    errors: [401],
  },
  featureSupport: {
    method: "GET",
    path: "/v0/feature-support",
    summary: "The features that the packages of the network have",
    auth: "user",
    success: json(FeatureSupport),
    errors: [401, 404, 500, 503],
  },
  tap: {
    method: "POST",
    path: "/v0/wallet/tap",
    summary: "Takes new coin for free, on a network for development",
    auth: "wallet-user",
    body: TapRequest,
    success: json(z.object({ contract_id: z.string() })),
    errors: [400, 401, 403, 404, 409, 429, 500, 502, 503],
  },
  getBalance: {
    method: "GET",
    path: "/v0/wallet/balance",
    summary: "The caller's coin, as of the latest open round",
    auth: "wallet-user",
    success: json(Balance),
    errors: [401, 403, 404, 500, 502],
  },
});
