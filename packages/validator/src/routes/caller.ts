/**
 * Who calls. A token says who; whether that user may is for the participant and the ledger to say. What is told to a
 * caller who may not is Splice's, to the letter; the reason goes to the log.
 */

import {
  type Endpoint,
  noWallet,
  type Realm,
  spliceError,
  unauthenticated,
  unauthorized,
  unknownPath,
} from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import {
  type Incoming,
  type Log,
  Refusal,
  type Rules,
  readBearerToken,
  TokenRejected,
  type TokenVerifier,
} from "@callsign/node";
import { decodeJwt } from "jose";
import { describeError } from "../errors/describe-error.ts";
import { refusalOf } from "../ledger/ledger-refusal.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { isNoUser } from "../onboarding/wallet-users.ts";
import type { Wallet } from "../wallet/wallet.ts";

/** Only the caller of an operation for wallet users has a wallet, only one with a token a name. */
export interface Caller {
  readonly userName: string;
  readonly wallet: Wallet | null;
}

/** Without authentication, whoever names no user is the operator's own. */
export type Authentication = { readonly verify: TokenVerifier } | { readonly defaultUser: string };

export interface CallerParts {
  readonly authentication: Authentication;
  readonly participant: ParticipantClient;
  /** Undefined until the validator has started. */
  readonly findWallet: ((userName: string) => Promise<Wallet | undefined>) | undefined;
  /** Null until it is known. */
  readonly operatorParty: PartyId | null;
  /** Whether nothing is missing in the copy of the ledger. */
  readonly isWhole: boolean;
  readonly log: Log;
}

export function callerRules(parts: () => CallerParts): Rules<Caller, string | null> {
  return {
    authenticate: (endpoint, incoming) =>
      endpoint.auth === "none" ? null : authenticate(parts(), endpoint, incoming),
    authorize: async (endpoint, _request, userName) => {
      if (userName === null) return { userName: "", wallet: null };
      if (realmOf(endpoint) !== "scan proxy" && !parts().isWhole) throw readingAnew();
      if (endpoint.auth === "validator-operator") await authorizeOperator(parts(), endpoint, userName);
      if (endpoint.auth !== "wallet-user") return { userName, wallet: null };
      return { userName, wallet: await authorizeWallet(parts(), endpoint, userName) };
    },
  };
}

/** A wallet that is not seen is not a wallet that is not there. */
function readingAnew(): Refusal {
  return new Refusal(
    spliceError(503, "The validator reads its copy of the ledger anew: try again in a few seconds."),
  );
}

async function authenticate(
  { authentication, findWallet, log }: CallerParts,
  endpoint: Endpoint,
  incoming: Incoming,
): Promise<string> {
  // Until it has started, a Splice application knows none of these paths.
  if (findWallet === undefined) throw new Refusal(unknownPath(incoming.url));
  const realm = realmOf(endpoint);
  const token = findToken(incoming);
  if ("defaultUser" in authentication) return findClaimedUser(token) ?? authentication.defaultUser;
  if (token === undefined) throw new Refusal(unauthenticated(realm, "missing"));
  try {
    const { damlUser, subject } = await authentication.verify(token);
    const userName = damlUser ?? subject;
    if (userName !== null && userName !== "") return userName;
    log.info({ operation: endpoint.id }, "a token names no user");
  } catch (error) {
    if (!(error instanceof TokenRejected)) throw error;
    log.info({ operation: endpoint.id, reason: error.message }, "a token does not hold");
  }
  throw new Refusal(unauthenticated(realm, "invalid"));
}

/** Whom an unchecked token names, if it is one. */
function findClaimedUser(token: string | undefined): string | undefined {
  try {
    const { sub } = decodeJwt(token ?? "");
    return sub === "" ? undefined : sub;
  } catch {
    return undefined;
  }
}

/** An empty bearer is a token that does not hold. */
function findToken({ authorization, accessToken }: Incoming): string | undefined {
  const bearer = readBearerToken(authorization);
  if (bearer.kind === "token") return bearer.token;
  return bearer.kind === "malformed" ? "" : accessToken;
}

function realmOf({ tags }: Endpoint): Realm {
  const [tag] = tags;
  if (tag === "names") return "ans";
  if (tag === "validator") return "validator operator";
  return tag === "scan-proxy" ? "scan proxy" : "wallet";
}

/** What the participant says of the caller: the user, and whom the user may act as. */
async function askParticipant({ participant, log }: CallerParts, endpoint: Endpoint, userName: string) {
  // Every reason looks the same to the caller.
  const refuse = (reason: string): Refusal => {
    log.warn({ operation: endpoint.id, user: userName, reason }, "a caller may not do that");
    return new Refusal(unauthorized(userName));
  };
  // A participant that fails has not said that the caller may not.
  const deny = (error: unknown): never => {
    throw isNoUser(error) ? refuse(describeError(error)) : refusalOf(error);
  };
  const params = { "user-id": userName };
  const [{ user }, { rights }] = await Promise.all([
    participant.client.getUser({ params }).catch(deny),
    participant.client.listUserRights({ params }).catch(deny),
  ]);
  const mayActAs = (party: string | null) =>
    rights.some(({ kind }) => "CanActAs" in kind && kind.CanActAs.value.party === party);
  return { user, rights, mayActAs, refuse };
}

async function authorizeOperator(parts: CallerParts, endpoint: Endpoint, userName: string): Promise<void> {
  const { operatorParty } = parts;
  const { user, rights, mayActAs, refuse } = await askParticipant(parts, endpoint, userName);
  if (user.isDeactivated) throw refuse("the user is deactivated");
  if (user.primaryParty !== operatorParty) throw refuse("the user's party is not the operator's");
  const isAdmin = rights.some(({ kind }) => "ParticipantAdmin" in kind);
  if (!mayActAs(operatorParty) || !isAdmin) throw refuse("the user does not have the operator's rights");
}

/** In Splice's order: an unknown user is refused before a missing wallet is, a user without the right after it. */
async function authorizeWallet(parts: CallerParts, endpoint: Endpoint, userName: string): Promise<Wallet> {
  const [{ user, mayActAs, refuse }, wallet] = await Promise.all([
    askParticipant(parts, endpoint, userName),
    parts.findWallet?.(userName),
  ]);
  if (wallet === undefined) throw new Refusal(noWallet(userName, endpoint.id));
  if (user.isDeactivated) throw refuse("the user is deactivated");
  if (!mayActAs(wallet.party)) throw refuse(`the user may not act as ${wallet.party}`);
  return wallet;
}
