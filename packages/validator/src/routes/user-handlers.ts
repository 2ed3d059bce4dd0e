/** Users come in and leave. */
import { WalletAppInstall } from "@callsign/ledger";
import { offboardUser } from "../onboarding/offboard-user.ts";
import { onboardUser, registerUser } from "../onboarding/onboard-user.ts";
import type { Running, Served } from "./running.ts";

export function userHandlers(running: () => Running) {
  return {
    register: async (_, { caller }) => ({ party_id: await registerUser(running(), caller.userName) }),
    onboardUser: async ({ body }) => ({ party_id: await onboardUser(running(), body) }),
    listUsers: async () => {
      const { store, operatorParty } = running();
      const installs = await store.list(WalletAppInstall, { link: operatorParty });
      return { usernames: [...new Set(installs.map(({ payload }) => payload.endUserName))] };
    },
    offboardUser: ({ query }) => offboardUser(running(), query.username),
  } satisfies Partial<Served>;
}
