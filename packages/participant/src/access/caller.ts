/** The caller of an operation and its rights. */
import type { UserRight } from "../store/right-rows.ts";

export interface LedgerCaller {
  /** Null where there is no token. */
  readonly userId: string | null;
  /** Empty for the default one. */
  readonly identityProviderId: string;
  readonly isAuthenticated: boolean;
  /** The reason why the token was rejected, for the log; undefined if there is none. */
  readonly tokenProblem?: string;
  /** Seconds since 1970, or null for a token that does not end, or none. */
  readonly tokenExpiresAt: number | null;
  /** True if the token is for another participant. */
  readonly isMisaddressed: boolean;
  readonly isAdmin: boolean;
  /** An admin of the users and parties of its own identity provider. */
  readonly isIdentityProviderAdmin: boolean;
  readonly canReadAsAny: boolean;
  readonly canActAs: (party: string) => boolean;
  readonly canReadAs: (party: string) => boolean;
  /** Act, read or execute. */
  readonly canOperateAs: (party: string) => boolean;
  /** True if these are the rights of a stored user, which may change. */
  readonly hasRecord: boolean;
  /** All rights as one text, which differs as soon as a right changes. */
  readonly authority: () => string;
}

const no = () => false;
const yes = () => true;

export const nobody: LedgerCaller = {
  userId: null,
  identityProviderId: "",
  isAuthenticated: false,
  tokenExpiresAt: null,
  isMisaddressed: false,
  isAdmin: false,
  isIdentityProviderAdmin: false,
  canReadAsAny: false,
  canActAs: no,
  canReadAs: no,
  canOperateAs: no,
  hasRecord: false,
  authority: () => "",
};

/** Every caller, if authentication is disabled. */
export const anybody: LedgerCaller = {
  ...nobody,
  isAuthenticated: true,
  isAdmin: true,
  canReadAsAny: true,
  canActAs: yes,
  canReadAs: yes,
  canOperateAs: yes,
};

export function callerOf(
  user: { readonly id: string; readonly identityProviderId: string },
  rights: readonly UserRight[],
  token: Pick<LedgerCaller, "tokenExpiresAt" | "isMisaddressed">,
): LedgerCaller {
  const has = (kind: UserRight["kind"]) => rights.some((right) => right.kind === kind);
  const parties = (kind: UserRight["kind"]) =>
    new Set(rights.filter((right) => right.kind === kind).map((right) => right.party));
  const [act, read, execute] = [parties("CanActAs"), parties("CanReadAs"), parties("CanExecuteAs")];
  const [readAny, executeAny] = [has("CanReadAsAnyParty"), has("CanExecuteAsAnyParty")];
  const canReadAs = (party: string) => readAny || act.has(party) || read.has(party);
  return {
    userId: user.id,
    identityProviderId: user.identityProviderId,
    isAuthenticated: true,
    tokenExpiresAt: token.tokenExpiresAt,
    isMisaddressed: token.isMisaddressed,
    isAdmin: has("ParticipantAdmin"),
    // The default identity provider has no admin of its own: that is the participant's.
    isIdentityProviderAdmin: user.identityProviderId !== "" && has("IdentityProviderAdmin"),
    canReadAsAny: readAny,
    canActAs: (party) => act.has(party),
    canReadAs,
    hasRecord: true,
    authority: () =>
      rights
        .map(({ kind, party }) => `${kind} ${party}`)
        .sort()
        .join("\n"),
    canOperateAs: (party) => canReadAs(party) || executeAny || execute.has(party),
  };
}

/** The rights of a token without a user of the participant. */
export type Privilege = "admin" | "wildcard";

export function privilegedCaller(
  privilege: Privilege,
  token: Pick<LedgerCaller, "userId" | "tokenExpiresAt">,
): LedgerCaller {
  const rights = privilege === "admin" ? { ...nobody, isAuthenticated: true, isAdmin: true } : anybody;
  return { ...rights, ...token, authority: () => privilege };
}
