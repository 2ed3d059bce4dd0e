/** Errors about users. */
import { type ErrorCode, ledgerError } from "@callsign/ledger";
import { LedgerFailure } from "@callsign/node";
import { permissionDenied } from "../requests/identifiers.ts";
import type { NeedUser } from "../store/user-store.ts";

export function userFailure(
  code: Exclude<ErrorCode, "DAML_FAILURE">,
  userId: string,
  cause: string,
): LedgerFailure {
  return new LedgerFailure(ledgerError(code, cause, { resources: [["USER", userId]] }));
}

/** Returns a user of that identity provider. For another provider's user the error says no more than that it is denied. */
export function needUserOf(userId: string, identityProviderId: string): NeedUser {
  return (user) => {
    if (user === undefined) throw userFailure("USER_NOT_FOUND", userId, `User not found: ${userId}`);
    if (user.identityProviderId !== identityProviderId)
      throw permissionDenied("the user belongs to another identity provider");
    return user;
  };
}
