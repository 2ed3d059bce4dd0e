/**
 * A cache of signature checks, filled on other threads before a check is needed: an entry is checked when a sequencer
 * takes it, and again when it is applied. Only valid signatures are cached; all others are checked on the spot, so that
 * preparing changes the duration of a check and never its result.
 */
import { verify } from "node:crypto";
import {
  type Envelope,
  type LogEntry,
  type Signature,
  signedMessage,
  stampMessage,
  type Verify,
} from "@callsign/ledger";
import { BoundedMap } from "../waiting/bounded-map.ts";
import { createVerify, keepMadeSignatures, PublicKeys, wasMadeHere } from "./keys.ts";

/** Two pages of the log, with stamps, have 2000 signatures; replicas of one process read the same pages. */
const MAX_CACHED = 4000;
/** Of one call to `prepare`; the others are checked on the spot. */
const MAX_PREPARED = 2000;

interface RunningCheck {
  readonly message: string;
  readonly done: Promise<void>;
}

export interface SignatureChecksOptions {
  /**
   * True if signatures of this process need no check. Only for a network that is this process alone: if making one went wrong, SVs in
   * other processes, or this one after a restart, would refuse what it took. False if omitted.
   */
  readonly trustsOwn?: boolean;
}

export class SignatureChecks {
  readonly #trustsOwn: boolean;
  readonly #keys = new PublicKeys();
  readonly #check = createVerify();
  /** From public key and signature to the message for which they are valid. */
  readonly #valid = new BoundedMap<string, string>({ limit: MAX_CACHED });
  /** Checks on other threads, by public key and signature: replicas of one process come to the same entry at the same time. */
  readonly #running = new Map<string, RunningCheck>();

  constructor({ trustsOwn = false }: SignatureChecksOptions = {}) {
    this.#trustsOwn = trustsOwn;
    if (trustsOwn) keepMadeSignatures();
  }

  readonly verify: Verify = (publicKey, message, signature) => {
    if (this.#isKnown(publicKey, message, signature)) return true;
    if (!this.#check(publicKey, message, signature)) return false;
    this.#valid.set(publicKey + signature, message);
    return true;
  };

  /** True if all of its signatures are valid. */
  holds(envelope: Envelope): boolean {
    const message = signedMessage(envelope.content);
    return envelope.signatures.every(({ publicKey, signature }) =>
      this.verify(publicKey, message, signature),
    );
  }

  /** Resolves when the signatures are checked, those of stamps included; never rejects. */
  async prepare(envelopes: readonly (Envelope | LogEntry)[]): Promise<void> {
    const checks: Promise<void>[] = [];
    const look = ({ publicKey, signature }: Signature, message: string) => {
      if (checks.length < MAX_PREPARED && !this.#isKnown(publicKey, message, signature))
        checks.push(this.#look(publicKey, message, signature));
    };
    for (const envelope of envelopes) {
      const message = signedMessage(envelope.content);
      for (const signature of envelope.signatures) look(signature, message);
      if (!("stampedAt" in envelope) || envelope.stampedAt === null) continue;
      const { stampedBy, previousHash, stampedAt } = envelope;
      if (stampedBy !== undefined) look(stampedBy, stampMessage(previousHash, stampedAt));
    }
    if (checks.length > 0) await Promise.all(checks);
  }

  #isKnown(publicKey: string, message: string, signature: string): boolean {
    if (this.#valid.get(publicKey + signature) === message) return true;
    if (!this.#trustsOwn || !wasMadeHere(publicKey, message, signature)) return false;
    this.#valid.set(publicKey + signature, message);
    return true;
  }

  #look(publicKey: string, message: string, signature: string): Promise<void> {
    const running = this.#running.get(publicKey + signature);
    if (running?.message === message) return running.done;
    const key = this.#keys.find(publicKey);
    if (key === null) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const check: RunningCheck = { message, done: promise };
    this.#running.set(publicKey + signature, check);
    verify(null, Buffer.from(message), key, Buffer.from(signature, "hex"), (error, holds) => {
      if (error === null && holds) this.#valid.set(publicKey + signature, message);
      if (this.#running.get(publicKey + signature) === check) this.#running.delete(publicKey + signature);
      resolve();
    });
    return promise;
  }
}
