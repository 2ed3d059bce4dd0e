/** What a token says, once its signature and its times hold. Whom it is meant for is for the reader to judge. */
export interface VerifiedToken {
  /** The claim `sub`. */
  readonly subject: string | null;
  /** The user in the claim object `https://canton-network`, which the validator prefers to `sub`. */
  readonly damlUser: string | null;
  readonly issuer: string | null;
  /** The claim `aud`. */
  readonly audiences: readonly string[];
  /** The claims `scope` and `scp`. */
  readonly scopes: readonly string[];
  /** From when on it does not hold, in seconds since 1970, leeway included; null for a token that does not end. */
  readonly expiresAt: number | null;
}

/** The token does not hold. The reason is for the log: a caller is told only that it does not. */
export class TokenRejected extends Error {
  override readonly name = "TokenRejected";
}

export type TokenVerifier = (token: string) => Promise<VerifiedToken>;
