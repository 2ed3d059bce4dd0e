/** The runtime's own hash and signatures, as the ledger wants them handed in. Keys and signatures are hex. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import type { Verify } from "@callsign/ledger";

export interface SigningKey {
  readonly publicKey: string;
  readonly sign: (message: string) => string;
}

/** DER headers in front of the 32 bytes of an Ed25519 key: PKCS#8 for private ones, SPKI for public ones. */
const PRIVATE_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEADER = Buffer.from("302a300506032b6570032100", "hex");

/** How many public keys are kept ready for use. */
const MAX_READY_KEYS = 10_000;

export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** 32 random bytes in hex: the whole of a private key. */
export function generatePrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ format: "der", type: "pkcs8" }).subarray(PRIVATE_HEADER.length).toString("hex");
}

export function signingKeyOf(privateKey: string): SigningKey {
  const der = Buffer.concat([PRIVATE_HEADER, Buffer.from(privateKey, "hex")]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    publicKey: spki.subarray(PUBLIC_HEADER.length).toString("hex"),
    sign: (message) => sign(null, Buffer.from(message), key).toString("hex"),
  };
}

/** Checks Ed25519 signatures; what is no key at all signs nothing. */
export function createVerify(): Verify {
  const keys = new PublicKeys();
  return (publicKey, message, signature) => {
    const key = keys.find(publicKey);
    return key !== null && verify(null, Buffer.from(message), key, Buffer.from(signature, "hex"));
  };
}

/** Public keys as the runtime wants them; null for what is none. */
export class PublicKeys {
  readonly #ready = new Map<string, KeyObject | null>();

  find(publicKey: string): KeyObject | null {
    let key = this.#ready.get(publicKey);
    if (key === undefined) {
      if (this.#ready.size >= MAX_READY_KEYS) this.#ready.clear();
      key = readPublicKey(publicKey);
      this.#ready.set(publicKey, key);
    }
    return key;
  }
}

function readPublicKey(publicKey: string): KeyObject | null {
  try {
    const der = Buffer.concat([PUBLIC_HEADER, Buffer.from(publicKey, "hex")]);
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return null;
  }
}
