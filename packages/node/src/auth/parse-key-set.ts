/**
 * A JSON Web Key Set, reduced to the keys that can check tokens: public keys with an id, each for the one algorithm of its
 * type. RSA is RS256, EC on P-256 is ES256, EC on P-521 is ES512. Other keys, secret ones included, are left out.
 */
import { parseJsonText } from "@callsign/api";
import type { JWK } from "jose";
import { importJWK } from "jose/key/import";
import { z } from "zod";
import type { TokenAlgorithm, TokenKey } from "./token-keys.ts";

export const MAX_KEYS = 1000;

export interface PublicKey {
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  /** The public part alone. */
  readonly jwk: JWK;
}

const text = z.string().min(1);
const keyMaterial = z.union([
  z.object({ kty: z.literal("RSA"), n: text, e: text }),
  z.object({ kty: z.literal("EC"), crv: z.enum(["P-256", "P-521"]), x: text, y: text }),
]);
const keyUse = z.object({
  kid: text,
  use: z.literal("sig").optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes("verify"))
    .optional(),
  alg: z.string().optional(),
});
const keySet = z.object({ keys: z.array(z.unknown()).max(MAX_KEYS) });

/** Undefined if the text is no key set or has more than `MAX_KEYS` keys. Of two keys with one id the first counts. */
export function parseKeySet(body: string): ReadonlyMap<string, PublicKey> | undefined {
  const read = keySet.safeParse(parseJsonText(body));
  if (!read.success) return undefined;
  const keys = new Map<string, PublicKey>();
  for (const given of read.data.keys) {
    const key = parseKey(given);
    if (key !== undefined && !keys.has(key.id)) keys.set(key.id, key);
  }
  return keys;
}

export async function importKey({ jwk, algorithm }: PublicKey): Promise<TokenKey> {
  return { algorithm, key: await importJWK(jwk, algorithm) };
}

function parseKey(given: unknown): PublicKey | undefined {
  const use = keyUse.safeParse(given);
  const material = keyMaterial.safeParse(given);
  if (!use.success || !material.success) return undefined;
  const algorithm = algorithmOf(material.data);
  if (use.data.alg !== undefined && use.data.alg !== algorithm) return undefined;
  return { id: use.data.kid, algorithm, jwk: material.data };
}

function algorithmOf(material: z.output<typeof keyMaterial>): TokenAlgorithm {
  if (material.kty === "RSA") return "RS256";
  return material.crv === "P-256" ? "ES256" : "ES512";
}
