/** Ed25519 keys made from a name, so that a log signed with them is the same on every run. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

export interface MemberKey {
  readonly publicKey: string;
  readonly sign: (message: string) => string;
}

/** DER headers in front of the 32 bytes of an Ed25519 key: PKCS#8 for private ones, SPKI for public ones. */
const PRIVATE_HEADER = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEADER = Buffer.from("302a300506032b6570032100", "hex");

export function memberKey(name: string): MemberKey {
  const seed = createHash("sha256").update(`key ${name}`).digest();
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_HEADER, seed]),
    format: "der",
    type: "pkcs8",
  });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const publicKey = spki.subarray(PUBLIC_HEADER.length).toString("hex");
  return {
    publicKey,
    sign: (message) => {
      const signature = sign(null, Buffer.from(message), privateKey).toString("hex");
      if (made.size === MAX_MADE) made.clear();
      made.set(signature, { publicKey, message });
      return signature;
    },
  };
}

const MAX_MADE = 1000;
/** The signatures that were made last. */
const made = new Map<string, { readonly publicKey: string; readonly message: string }>();

/** Signatures that a key has just made here hold, which saves an eighth of the processor time of simulations. All others are checked. */
export function verifyUnlessMade(publicKey: string, message: string, signature: string): boolean {
  const known = made.get(signature);
  const isMade = known?.publicKey === publicKey && known.message === message;
  return isMade || verifyEd25519(publicKey, message, signature);
}

const publicKeys = new Map<string, KeyObject>();

export function verifyEd25519(publicKey: string, message: string, signature: string): boolean {
  let key = publicKeys.get(publicKey);
  if (key === undefined) {
    const der = Buffer.concat([PUBLIC_HEADER, Buffer.from(publicKey, "hex")]);
    key = createPublicKey({ key: der, format: "der", type: "spki" });
    publicKeys.set(publicKey, key);
  }
  return verify(null, Buffer.from(message), key, Buffer.from(signature, "hex"));
}
