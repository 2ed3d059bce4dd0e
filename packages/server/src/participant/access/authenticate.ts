/**
 * From a token to its caller. A token that does not hold is as good as none: the operation's rule refuses it later,
 * or does not mind. A token that holds and whose user is not there is refused at once, wherever it is shown.
 */
import { ledgerError } from "@callsign/ledger";
import { readBearerToken } from "../../auth/bearer-token.ts";
import { TokenRejected, type TokenVerifier, type VerifiedToken } from "../../auth/verified-token.ts";
import type { Incoming } from "../../http/mount-api.ts";
import { LedgerFailure } from "../../http/refusal.ts";
import { isUserId } from "../identifiers.ts";
import type { UserStore } from "../store/user-store.ts";
import { anybody, type Caller, callerOf, nobody } from "./caller.ts";

export function createAuthenticate(parts: {
  /** Null where no token is needed. */
  readonly verify: TokenVerifier | null;
  readonly users: UserStore;
}): (incoming: Incoming) => Promise<Caller> {
  const { verify, users } = parts;
  return async ({ authorization }) => {
    if (verify === null) return anybody;
    const given = readBearerToken(authorization);
    if (given.kind === "none") return nobody;
    if (given.kind === "malformed") {
      throw new LedgerFailure(ledgerError("INVALID_ARGUMENT", "Invalid value for: header Authorization"));
    }
    const verified = await verifyToken(verify, given.token);
    if (verified === undefined || verified.subject === null) return nobody;
    const { subject, expiresAt } = verified;
    if (!isUserId(subject)) {
      const cause = "The submitted token has a field with invalid value: sub is no user id";
      throw new LedgerFailure(ledgerError("INVALID_TOKEN", cause), { whileResolvingToken: true });
    }
    const user = await users.find(subject);
    if (user === undefined || user.isDeactivated) {
      const denied = ledgerError("PERMISSION_DENIED", `The token's user ${subject} is not an active user`);
      throw new LedgerFailure(denied, { whileResolvingToken: true });
    }
    return callerOf(user, await users.listRights(subject), expiresAt);
  };
}

/** Undefined if the token does not hold. */
async function verifyToken(verify: TokenVerifier, token: string): Promise<VerifiedToken | undefined> {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof TokenRejected) return undefined;
    throw error;
  }
}
