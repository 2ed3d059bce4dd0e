/** What the participant answers about users. */
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

/** A user of that identity provider. Whoever asks for another one's learns no more than that it is not theirs. */
export function needUserOf(userId: string, identityProviderId: string): NeedUser {
  return (user) => {
    if (user === undefined) throw userFailure("USER_NOT_FOUND", userId, `User not found: ${userId}`);
    if (user.identityProviderId !== identityProviderId) throw permissionDenied();
    return user;
  };
}
