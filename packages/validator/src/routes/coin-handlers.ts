/** The caller's wallet: whether there is one, its coin, and more of it. */
import { toValidatorError } from "../ledger/participant-errors.ts";
import { findUser, isNoUser } from "../onboarding/wallet-users.ts";
import { listAmulets } from "../wallet/amulets.ts";
import { getBalance } from "../wallet/balance.ts";
import { isFeatured } from "../wallet/featured-apps.ts";
import { tap } from "../wallet/tap.ts";
import { type Running, type Served, walletOf } from "./running.ts";

export function coinHandlers(running: () => Running) {
  return {
    userStatus: async (_, { caller }) => {
      const { directory, participant, store } = running();
      const wallet = await directory.findByUser(caller.userName);
      const user =
        wallet === undefined
          ? await findUser(participant, caller.userName).catch((error: unknown) => {
              if (!isNoUser(error)) throw toValidatorError(error);
              return undefined;
            })
          : undefined;
      const party = wallet?.party ?? user?.primaryParty ?? "";
      return {
        party_id: party,
        user_onboarded: party !== "",
        user_wallet_installed: wallet !== undefined,
        has_featured_app_right: wallet !== undefined && (await isFeatured(store, wallet.party)),
      };
    },
    tap: async ({ body }, call) => {
      const { ledger, deduplicationSeconds } = running();
      return { contract_id: await tap(ledger, walletOf(call), body, deduplicationSeconds) };
    },
    list: (_, call) => listAmulets(running(), walletOf(call)),
    getBalance: (_, call) => getBalance(running(), walletOf(call)),
  } satisfies Partial<Served>;
}
