/** The key that signs the tokens of a login. It lives as long as the process. */
import type { Randomness } from "@callsign/node";

export interface LoginKey {
  readonly privateKey: object;
  /** A key set as JSON. */
  readonly publicKeys: string;
}

export async function createLoginKey({ uuid }: Randomness): Promise<LoginKey> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const facts = { kid: uuid(), use: "sig", alg: "RS256" };
  const [privateKey, { kty, n, e }] = await Promise.all([
    crypto.subtle.exportKey("jwk", pair.privateKey),
    crypto.subtle.exportKey("jwk", pair.publicKey),
  ]);
  const { key_ops: _, ext: __, ...secret } = privateKey;
  return {
    privateKey: { ...secret, ...facts },
    publicKeys: JSON.stringify({ keys: [{ kty, n, e, ...facts }] }),
  };
}
