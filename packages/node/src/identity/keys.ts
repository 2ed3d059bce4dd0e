/** Node's hash and Ed25519 signatures, in the form that the ledger takes. Keys and signatures are hex. */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import type { Verify } from "@callsign/ledger";
import type { Randomness } from "../host/host.ts";
import { BoundedMap } from "../waiting/bounded-map.ts";

export interface SigningKey {
  readonly publicKey: string;
  readonly sign: (message: string) => string;
}

/** DER headers in front of the 32 bytes of an Ed25519 key: PKCS#8 for private ones, SPKI for public ones. */
const PRIVATE_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEADER = Buffer.from("302a300506032b6570032100", "hex");

/** Public keys that stay parsed. */
const MAX_PARSED_KEYS = 10_000;

/** Signatures that were made last in this process, with their messages, by public key and signature. Long messages are not kept. */
const made = new BoundedMap<string, string>({ limit: 512 });
const MAX_KEPT_MESSAGE = 20_000;
let areKept = false;

export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** A private key: 32 random bytes in hex. */
export function generatePrivateKey({ bytes }: Randomness): string {
  return Buffer.from(bytes(32)).toString("hex");
}

export function signingKeyOf(privateKey: string): SigningKey {
  const der = Buffer.concat([PRIVATE_HEADER, Buffer.from(privateKey, "hex")]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  const publicKey = spki.subarray(PUBLIC_HEADER.length).toString("hex");
  return {
    publicKey,
    sign: (message) => {
      const signature = sign(null, Buffer.from(message), key).toString("hex");
      if (areKept && message.length <= MAX_KEPT_MESSAGE) made.set(publicKey + signature, message);
      return signature;
    },
  };
}

/** From now on the signatures that this process makes are kept for a while. */
export function keepMadeSignatures(): void {
  areKept = true;
}

/** True if this process made the signature, and lately: then it is valid. */
export function wasMadeHere(publicKey: string, message: string, signature: string): boolean {
  return made.get(publicKey + signature) === message;
}

/** Checks Ed25519 signatures. A malformed key has no valid signatures. */
export function createVerify(): Verify {
  const keys = new PublicKeys();
  return (publicKey, message, signature) => {
    const key = keys.find(publicKey);
    return key !== null && verify(null, Buffer.from(message), key, Buffer.from(signature, "hex"));
  };
}

/** Parses and caches public keys; null for a malformed one. */
export class PublicKeys {
  readonly #parsed = new BoundedMap<string, KeyObject | null>({ limit: MAX_PARSED_KEYS });

  find(publicKey: string): KeyObject | null {
    return this.#parsed.getOrMake(publicKey, () => parsePublicKey(publicKey));
  }
}

function parsePublicKey(publicKey: string): KeyObject | null {
  try {
    const der = Buffer.concat([PUBLIC_HEADER, Buffer.from(publicKey, "hex")]);
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return null;
  }
}
