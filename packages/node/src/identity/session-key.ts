/**
 * The key of a session between a member and a sequencer: each side makes an X25519 key for it, and both derive the same
 * secret, which authenticates the sequencer's answers. Whoever reads the wire has neither.
 */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import type { Randomness } from "../host/host.ts";
import { generatePrivateKey } from "./keys.ts";

/** DER headers in front of the 32 bytes of an X25519 key: PKCS#8 for private ones, SPKI for public ones. */
const PRIVATE_HEADER = Buffer.from("302e020100300506032b656e04220420", "hex");
const PUBLIC_HEADER = Buffer.from("302a300506032b656e032100", "hex");

const KEY_BYTES = 32;

/** One side's key of one session. */
export interface EphemeralKey {
  /** In hex. */
  readonly publicKey: string;
  /** The session's key, bound to a text that both sides have; null if the other side's key is none. */
  readonly agree: (othersKey: string, text: string) => SessionKey | null;
}

export function makeEphemeralKey(randomness: Randomness): EphemeralKey {
  const der = Buffer.concat([PRIVATE_HEADER, Buffer.from(generatePrivateKey(randomness), "hex")]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return {
    publicKey: spki.subarray(PUBLIC_HEADER.length).toString("hex"),
    agree: (othersKey, text) => {
      try {
        const der = Buffer.concat([PUBLIC_HEADER, Buffer.from(othersKey, "hex")]);
        const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
        const secret = diffieHellman({ privateKey, publicKey });
        return new SessionKey(Buffer.from(hkdfSync("sha256", secret, "", text, KEY_BYTES)));
      } catch {
        return null;
      }
    },
  };
}

export class SessionKey {
  /** Parsed once: every answer of a session is sealed. */
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  /** The authentication of a text, in hex. */
  seal(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("hex");
  }

  holds(text: string, seal: string): boolean {
    const [expected, given] = [Buffer.from(this.seal(text)), Buffer.from(seal)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
