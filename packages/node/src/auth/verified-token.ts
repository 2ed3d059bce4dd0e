/** The claims of a token whose signature and times are valid. The reader checks the audience. */
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
  /** The end of its validity in seconds since 1970, leeway included; null for a token that never expires. */
  readonly expiresAt: number | null;
}

/** The token is not valid. The reason is for the log alone, not for the caller. */
export class TokenRejected extends Error {
  override readonly name = "TokenRejected";
}

export type VerifyToken = (token: string) => Promise<VerifiedToken>;

export interface TokenVerifier extends VerifyToken {
  /** A valid token that was verified a moment ago; undefined for every other one. */
  readonly findCached: (token: string) => VerifiedToken | undefined;
}
