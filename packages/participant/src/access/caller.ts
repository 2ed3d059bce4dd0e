/** The caller of an operation and its rights. */
import type { CallingUser } from "../store/calling-users.ts";

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
  /** True if it may act as each of the parties. */
  readonly canActAs: (parties: readonly string[]) => Promise<boolean>;
  readonly canReadAs: (parties: readonly string[]) => Promise<boolean>;
  /** Act, read or execute. */
  readonly canOperateAs: (parties: readonly string[]) => Promise<boolean>;
  /** True if these are the rights of a stored user, which may change. */
  readonly hasRecord: boolean;
  /** All rights as one text, which differs as soon as a right changes. */
  readonly authority: () => Promise<string>;
}

const no = async (parties: readonly string[]) => parties.length === 0;
const yes = async () => true;

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
  authority: async () => "",
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
  { rights, ...user }: CallingUser,
  token: Pick<LedgerCaller, "tokenExpiresAt" | "isMisaddressed">,
): LedgerCaller {
  const [readAny, executeAny] = [rights.has("CanReadAsAnyParty"), rights.has("CanExecuteAsAnyParty")];
  return {
    userId: user.id,
    identityProviderId: user.identityProviderId,
    isAuthenticated: true,
    tokenExpiresAt: token.tokenExpiresAt,
    isMisaddressed: token.isMisaddressed,
    isAdmin: rights.has("ParticipantAdmin"),
    // The default identity provider has no admin of its own: that is the participant's.
    isIdentityProviderAdmin: user.identityProviderId !== "" && rights.has("IdentityProviderAdmin"),
    canReadAsAny: readAny,
    canActAs: (parties) => rights.cover(["CanActAs"], parties),
    canReadAs: async (parties) => readAny || (await rights.cover(["CanActAs", "CanReadAs"], parties)),
    canOperateAs: async (parties) =>
      readAny || executeAny || (await rights.cover(["CanActAs", "CanReadAs", "CanExecuteAs"], parties)),
    hasRecord: true,
    authority: rights.format,
  };
}

/** The rights of a token without a user of the participant. */
export type Privilege = "admin" | "wildcard";

export function privilegedCaller(
  privilege: Privilege,
  token: Pick<LedgerCaller, "userId" | "tokenExpiresAt">,
): LedgerCaller {
  const rights = privilege === "admin" ? { ...nobody, isAuthenticated: true, isAdmin: true } : anybody;
  return { ...rights, ...token, authority: async () => privilege };
}
