/**
 * Signatures of entries, checked on other threads before they are needed, and once each: an entry is checked when a
 * sequencer takes it, and again when it is applied. Only what held is remembered; everything else is checked on the
 * spot, so that preparing changes how long a check takes and never what it says.
 */
import { verify } from "node:crypto";
import { type Envelope, signedMessage, type Verify } from "@callsign/ledger";
import { createVerify, PublicKeys } from "./keys.ts";

const MAX_REMEMBERED = 10_000;
/** Of one call to `prepare`; what is beyond is checked when it is needed. */
const MAX_PREPARED = 2000;

export class SignatureChecks {
  readonly #keys = new PublicKeys();
  readonly #check = createVerify();
  /** Public key and signature, with the message they hold for. */
  readonly #held = new Map<string, string>();

  readonly verify: Verify = (publicKey, message, signature) => {
    if (this.#held.get(publicKey + signature) === message) return true;
    if (!this.#check(publicKey, message, signature)) return false;
    this.#remember(publicKey + signature, message);
    return true;
  };

  /** Whether all of its signatures hold. */
  holds(envelope: Envelope): boolean {
    const message = signedMessage(envelope.content);
    return envelope.signatures.every(({ publicKey, signature }) =>
      this.verify(publicKey, message, signature),
    );
  }

  /** Resolves when the signatures were looked at; never rejects. */
  async prepare(envelopes: readonly Envelope[]): Promise<void> {
    const checks: Promise<void>[] = [];
    for (const { content, signatures } of envelopes) {
      const message = signedMessage(content);
      for (const { publicKey, signature } of signatures) {
        if (checks.length >= MAX_PREPARED) break;
        if (this.#held.get(publicKey + signature) !== message)
          checks.push(this.#look(publicKey, message, signature));
      }
    }
    if (checks.length > 0) await Promise.all(checks);
  }

  #look(publicKey: string, message: string, signature: string): Promise<void> {
    const key = this.#keys.find(publicKey);
    if (key === null) return Promise.resolve();
    return new Promise((resolve) => {
      verify(null, Buffer.from(message), key, Buffer.from(signature, "hex"), (error, holds) => {
        if (error === null && holds) this.#remember(publicKey + signature, message);
        resolve();
      });
    });
  }

  #remember(key: string, message: string): void {
    if (this.#held.size >= MAX_REMEMBERED) {
      const [oldest] = this.#held.keys();
      if (oldest !== undefined) this.#held.delete(oldest);
    }
    this.#held.set(key, message);
  }
}
