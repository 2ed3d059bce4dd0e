/** Keys that tokens are checked with. A key knows its algorithm: what a token says of either is never asked. */
import type { CryptoKey } from "jose";

export type TokenAlgorithm = "HS256" | "RS256" | "ES256" | "ES512";

export interface TokenKey {
  readonly algorithm: TokenAlgorithm;
  readonly key: CryptoKey | Uint8Array;
}

/** Either a secret that both sides share, or a set of public keys that is fetched and changes. */
export interface TokenKeys {
  /** Rejects with `TokenRejected` where there is no such key. */
  readonly find: (keyId: string | undefined) => Promise<TokenKey>;
  /** Changes when the keys do: what was verified with earlier ones is then verified again. */
  readonly generation: () => number;
}

/** Unsafe for anything but one machine: whoever can check a token can make one. */
export function sharedSecret(secret: string): TokenKeys {
  const key: TokenKey = { algorithm: "HS256", key: new TextEncoder().encode(secret) };
  return { find: async () => key, generation: () => 0 };
}
