/** Keys that tokens are checked with. A key fixes the algorithm: the token's own word on either is ignored. */
import type { CryptoKey } from "jose";

export type TokenAlgorithm = "HS256" | "RS256" | "ES256" | "ES512";

export interface TokenKey {
  readonly algorithm: TokenAlgorithm;
  readonly key: CryptoKey | Uint8Array;
}

/** A shared secret, or a set of public keys that is fetched and changes. */
export interface TokenKeys {
  /** Rejects with `TokenRejected` if there is no such key. */
  readonly find: (keyId: string | undefined) => Promise<TokenKey>;
  /** Changes with the keys: tokens verified with earlier keys are then verified again. */
  readonly generation: () => number;
}

/** Unsafe beyond one machine: a reader that can check a token can also make one. */
export function sharedSecret(secret: string): TokenKeys {
  const key: TokenKey = { algorithm: "HS256", key: new TextEncoder().encode(secret) };
  return { find: async () => key, generation: () => 0 };
}
