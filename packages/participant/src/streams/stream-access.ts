/** Authorization of streams: at the start, and again with the user's present rights while the stream runs. */
import type { ledgerApi } from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { LedgerFailure, type StreamParts } from "@callsign/node";
import { callerOf, type LedgerCaller } from "../access/caller.ts";
import { permissionDenied } from "../requests/identifiers.ts";
import type { IdentityProviderStore } from "../store/identity-provider-store.ts";
import type { UserStore } from "../store/user-store.ts";

type Access = Omit<StreamParts<typeof ledgerApi.endpoints, LedgerCaller, LedgerCaller>, "open">;

export interface StreamAccessParts {
  readonly users: UserStore;
  readonly providers: IdentityProviderStore;
}

export function streamAccess({ users, providers }: StreamAccessParts): Access {
  return {
    admit: ({ isAuthenticated, isMisaddressed, tokenProblem = "the call has no token" }) => {
      if (!isAuthenticated) {
        const error = ledgerError("UNAUTHENTICATED", "The stream needs a valid token");
        throw new LedgerFailure(error, {}, tokenProblem);
      }
      if (isMisaddressed) throw permissionDenied("the token is for another participant");
    },
    renew: async (caller) => {
      const { userId, identityProviderId, hasRecord } = caller;
      if (userId === null || !hasRecord) return caller;
      const user = await users.findCaller(userId);
      if (user === undefined || user.isDeactivated || user.identityProviderId !== identityProviderId) {
        throw permissionDenied("the user is gone, deactivated or of another identity provider");
      }
      const provider = identityProviderId === "" ? null : await providers.find(identityProviderId);
      if (provider === undefined || provider?.isDeactivated === true)
        throw permissionDenied("the identity provider is gone or deactivated");
      return callerOf(user, caller);
    },
    holderOf: (caller) => caller,
  };
}
