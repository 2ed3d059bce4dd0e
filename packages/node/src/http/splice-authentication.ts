/** Authentication of Splice's applications: the user that a valid token names. Throws a `Refusal` in Splice's words. */
import { type Endpoint, type Realm, unauthenticated } from "@callsign/api";
import { readBearerToken } from "../auth/bearer-token.ts";
import { TokenRejected, type TokenVerifier } from "../auth/verified-token.ts";
import type { Log } from "../observability/log.ts";
import type { Incoming } from "./call.ts";
import { Refusal } from "./refusal.ts";

export interface SpliceCallParts {
  readonly verify: TokenVerifier;
  readonly realm: Realm;
  readonly endpoint: Endpoint;
  /** Undefined if the call has none. */
  readonly token: string | undefined;
  readonly log: Log;
}

export async function authenticateUser(parts: SpliceCallParts): Promise<string> {
  const { verify, realm, endpoint, token, log } = parts;
  if (token === undefined) throw new Refusal(unauthenticated(realm, "missing"));
  try {
    const { damlUser, subject } = await verify(token);
    const user = damlUser ?? subject ?? "";
    if (user !== "") return user;
    log.info({ operation: endpoint.id }, "a token names no user");
  } catch (error) {
    if (!(error instanceof TokenRejected)) throw error;
    log.info({ operation: endpoint.id, reason: error.message }, "a token was rejected");
  }
  throw new Refusal(unauthenticated(realm, "invalid"));
}

/** The token of the `Authorization` header. A bearer without a token is an empty one, which no verifier accepts. */
export function findToken({ authorization }: Incoming): string | undefined {
  const bearer = readBearerToken(authorization);
  if (bearer.kind === "none") return undefined;
  return bearer.kind === "token" ? bearer.token : "";
}
