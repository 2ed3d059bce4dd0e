/**
 * The caller of an operation. The token names the user; the participant and the ledger say whether that user may. A
 * refused caller reads Splice's text, to the letter; the reason goes to the log.
 */
import type { Endpoint, Realm } from "@callsign/api";
import type { PartyId } from "@callsign/ledger";
import {
  authenticateUser,
  type CallRules,
  findToken,
  type Incoming,
  type Log,
  readBearerToken,
  type TokenVerifier,
  tokenUserOf,
} from "@callsign/node";
import { decodeJwt } from "jose/jwt/decode";
import { describeError } from "../errors/describe-error.ts";
import { ValidatorError } from "../errors/validator-error.ts";
import type { LedgerFollower } from "../follower/ledger-follower.ts";
import type { ParticipantClient } from "../ledger/participant-client.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import type { WalletGrants } from "../onboarding/wallet-grants.ts";
import { isNoUser } from "../onboarding/wallet-users.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";

/** Only the caller of an operation for wallet users has a wallet, only one with a token a name. */
export interface Caller {
  readonly userName: string;
  readonly wallet: Wallet | null;
}

/** Without authentication, a caller who names no user is the operator's own. */
export type Authentication = { readonly verify: TokenVerifier } | { readonly defaultUser: string };

export interface CallerParts {
  readonly authentication: Authentication;
  readonly participant: ParticipantClient;
  readonly grants: WalletGrants;
  /** Null until the validator has started. */
  readonly running: () => HostedWallets | null;
  readonly log: Log;
}

export interface HostedWallets {
  readonly directory: WalletDirectory;
  readonly operatorParty: PartyId;
  readonly follower: Pick<LedgerFollower, "isRebuilding">;
}

export function callerRules(parts: CallerParts): CallRules<Caller, string | null> {
  return {
    authenticate: (endpoint, incoming) =>
      endpoint.auth === "none" ? null : authenticate(parts, endpoint, incoming),
    authorize: async (endpoint, _request, userName, { url }) => {
      if (userName === null) return { userName: "", wallet: null };
      const wallets = getWallets(parts, url);
      // A wallet that the copy of the ledger lacks may exist.
      if (realmOf(endpoint) !== "scan proxy" && wallets.follower.isRebuilding)
        throw new ValidatorError({ kind: "copy-rebuilding" });
      const { auth } = endpoint;
      if (auth !== "wallet-user" && auth !== "validator-operator") return { userName, wallet: null };
      const asked = { endpoint, userName, ...wallets };
      if (auth === "wallet-user") return { userName, wallet: await authorizeWallet(parts, asked) };
      await authorizeOperator(parts, asked);
      return { userName, wallet: null };
    },
  };
}

/** The caller of an operation for wallet users, if neither the participant nor the copy has to be asked: as the rules find it. */
export function findCachedCaller(
  { authentication, grants, running }: CallerParts,
  authorization: string | undefined,
): { readonly userName: string; readonly wallet: Wallet } | undefined {
  const wallets = running();
  const bearer = readBearerToken(authorization);
  if (wallets === null || wallets.follower.isRebuilding) return undefined;
  if (bearer.kind !== "token" || "defaultUser" in authentication) return undefined;
  const verified = authentication.verify.findCached(bearer.token);
  const userName = verified === undefined ? "" : tokenUserOf(verified);
  const wallet = userName === "" ? undefined : wallets.directory.findCached(userName);
  return wallet !== undefined && grants.has(userName, wallet.party) ? { userName, wallet } : undefined;
}

/** Until it has started, a Splice application knows none of its paths. */
function getWallets({ running }: CallerParts, url: string): HostedWallets {
  const wallets = running();
  if (wallets === null) throw new ValidatorError({ kind: "not-started", url });
  return wallets;
}

interface Asked extends HostedWallets {
  readonly endpoint: Endpoint;
  readonly userName: string;
}

async function authenticate(parts: CallerParts, endpoint: Endpoint, incoming: Incoming): Promise<string> {
  getWallets(parts, incoming.url);
  const { authentication } = parts;
  // Browsers cannot set a header everywhere: a token may stand in the query.
  const token = findToken(incoming) ?? incoming.accessToken;
  if ("defaultUser" in authentication) return findClaimedUser(token) ?? authentication.defaultUser;
  const { verify } = authentication;
  return await authenticateUser({ verify, realm: realmOf(endpoint), token });
}

/** The user in an unchecked token, if it is a token. */
function findClaimedUser(token: string | undefined): string | undefined {
  try {
    const { sub } = decodeJwt(token ?? "");
    return sub === "" ? undefined : sub;
  } catch {
    return undefined;
  }
}

function realmOf({ tags, auth }: Endpoint): Realm {
  const [tag] = tags;
  if (tag === "names") return "ans";
  if (tag === "validator") return auth === "user" ? "validator" : "validator operator";
  return tag === "scan-proxy" ? "scan proxy" : "wallet";
}

/** The caller's user and rights on the participant. */
async function askParticipant({ participant }: CallerParts, { userName }: Asked) {
  // Every reason looks the same to the caller.
  const refuse = (reason: string) => new ValidatorError({ kind: "not-authorized", user: userName, reason });
  // A participant that fails has not refused the caller.
  const deny = (error: unknown): never => {
    throw isNoUser(error) ? refuse(describeError(error)) : toValidatorError(error);
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

async function authorizeOperator(parts: CallerParts, asked: Asked): Promise<void> {
  const { operatorParty } = asked;
  const { user, rights, mayActAs, refuse } = await askParticipant(parts, asked);
  if (user.isDeactivated) throw refuse("the user is deactivated");
  if (user.primaryParty !== operatorParty) throw refuse("the user's party is not the operator's");
  const isAdmin = rights.some(({ kind }) => "ParticipantAdmin" in kind);
  if (!mayActAs(operatorParty) || !isAdmin) throw refuse("the user does not have the operator's rights");
}

/** In Splice's order: an unknown user is refused before a missing wallet is, a user without the right after it. */
async function authorizeWallet(parts: CallerParts, asked: Asked): Promise<Wallet> {
  const { endpoint, userName, directory } = asked;
  const wallet = await directory.findByUser(userName);
  if (wallet !== undefined && parts.grants.has(userName, wallet.party)) return wallet;
  const keepGrant = parts.grants.asking(userName);
  const { user, mayActAs, refuse } = await askParticipant(parts, asked);
  if (wallet === undefined)
    throw new ValidatorError({ kind: "no-wallet", user: userName, operation: endpoint.id });
  if (user.isDeactivated) throw refuse("the user is deactivated");
  if (!mayActAs(wallet.party)) throw refuse(`the user may not act as ${wallet.party}`);
  keepGrant(wallet.party);
  return wallet;
}
