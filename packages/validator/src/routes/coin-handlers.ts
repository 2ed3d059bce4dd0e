/** The caller's wallet: whether there is one, its coin, and more of it. */
import { RawJson } from "@callsign/node";
import { listAmulets } from "../wallet/amulets.ts";
import { findSupportedFeatures } from "../wallet/feature-support.ts";
import { isFeatured } from "../wallet/featured-apps.ts";
import { tap } from "../wallet/tap.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function coinHandlers(running: () => Running) {
  return {
    userStatus: async (_, { caller }) => {
      const { directory, store } = running();
      const wallet = await directory.findByUser(caller.userName);
      return {
        party_id: wallet?.party ?? "",
        user_onboarded: wallet !== undefined,
        user_wallet_installed: wallet !== undefined,
        has_featured_app_right: wallet !== undefined && (await isFeatured(store, wallet.party)),
      };
    },
    featureSupport: () => findSupportedFeatures(running()),
    tap: async ({ body }, call) => ({ contract_id: await tap(running(), walletOf(call), body) }),
    list: (_, call) => listAmulets(running(), walletOf(call)),
    getBalance: async (_, call) => new RawJson(await running().balances.get(walletOf(call).party)),
  } satisfies Partial<Served>;
}
