/** Authentication of Splice's applications: the user that a valid token names. Throws a `Refusal` in Splice's words. */
import { type Realm, unauthenticated } from "@callsign/api";
import { readBearerToken } from "../auth/bearer-token.ts";
import { TokenRejected, type VerifiedToken, type VerifyToken } from "../auth/verified-token.ts";
import type { Incoming } from "./call.ts";
import { Refusal } from "./refusal.ts";

export interface SpliceCallParts {
  readonly verify: VerifyToken;
  readonly realm: Realm;
  /** Undefined if the call has none. */
  readonly token: string | undefined;
}

export async function authenticateUser({ verify, realm, token }: SpliceCallParts): Promise<string> {
  if (token === undefined) throw new Refusal(unauthenticated(realm, "missing"), "the call has no token");
  const verified = await verify(token).catch((error: unknown): never => {
    if (!(error instanceof TokenRejected)) throw error;
    throw new Refusal(unauthenticated(realm, "invalid"), `the token was rejected: ${error.message}`);
  });
  const user = tokenUserOf(verified);
  if (user === "") throw new Refusal(unauthenticated(realm, "invalid"), "the token names no user");
  return user;
}

/** Empty if the token names nobody. */
export function tokenUserOf({ damlUser, subject }: VerifiedToken): string {
  return damlUser ?? subject ?? "";
}

/** The token of the `Authorization` header. A bearer without a token is an empty one, which no verifier accepts. */
export function findToken({ authorization }: Incoming): string | undefined {
  const bearer = readBearerToken(authorization);
  if (bearer.kind === "none") return undefined;
  return bearer.kind === "token" ? bearer.token : "";
}
