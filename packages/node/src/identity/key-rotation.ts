/**
 * Rotation of a member's signing key without a gap (decision 0044). The network first learns of the new key beside the old
 * one, then the new one signs, and once no entry of the old one is under way the network forgets that. Every step follows
 * from the keys that are kept and those that the network has, so a rotation that was cut short goes on from anywhere.
 */
import type { MemberKeys } from "@callsign/api";
import { fingerprintOf } from "@callsign/ledger";
import type { Host } from "../host/host.ts";
import { type Log, writeAudit } from "../observability/log.ts";
import { Backoff } from "../waiting/backoff.ts";
import { retry } from "../waiting/retry.ts";
import { decideRotation, type RegisteredKeys } from "./decide-rotation.ts";
import type { KeptIdentity } from "./kept-identity.ts";
import { type SigningKey, sha256 } from "./keys.ts";

/** The ledger, as a rotation needs it: a participant has it from its sequencers, an SV from its replica. */
export interface KeyLedger {
  /** The keys that the network has for the member; null if it does not know the member. */
  readonly findKeys: () => Promise<RegisteredKeys | null>;
  /** Resolves once the network has these keys. Every key signs that the network is to have, and the namespace key. */
  readonly delegate: (keys: RegisteredKeys, signers: readonly SigningKey[]) => Promise<void>;
  /**
   * Resolves when no entry can be under way that another key than the present one has signed. `fromBefore`: a process before
   * this one may have signed some.
   */
  readonly drain: (given: { readonly fromBefore: boolean }) => Promise<void>;
}

export interface KeyRotationParts {
  readonly identity: KeptIdentity;
  readonly ledger: KeyLedger;
  readonly host: Host;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export interface RotationOptions {
  /** Replaces keys of which this node holds none, as after the restore of an old identity. */
  readonly replaceUnknown: boolean;
}

/** The rotation cannot be done as things are; the message says why and what to do. */
export class RotationRefused extends Error {
  override readonly name = "RotationRefused";
}

/** Pauses after failures of a rotation that is under way. */
const RETRY = { firstMilliseconds: 500, longestMilliseconds: 60_000 } as const;
/** There are four steps; more of them mean that another process changes the keys as well. */
const MAX_STEPS = 10;

export class KeyRotation {
  readonly #parts: KeyRotationParts;
  /** True if the process found the rotation when it started. */
  #fromBefore: boolean;
  #running: Promise<MemberKeys> | null = null;
  #background: Promise<unknown> = Promise.resolve();
  #isRetried = false;

  constructor(parts: KeyRotationParts) {
    this.#parts = parts;
    this.#fromBefore = parts.identity.nextKey !== null;
  }

  /** Goes on with a rotation that an earlier process has begun. */
  start(): void {
    if (this.#parts.identity.nextKey === null) return;
    this.#parts.log.info({ member: this.#parts.identity.id }, "a rotation of the signing key goes on");
    this.#goOn({ replaceUnknown: false });
  }

  async show(): Promise<MemberKeys> {
    return describe(this.#parts.identity, await this.#parts.ledger.findKeys());
  }

  /**
   * Resolves with the new keys. Goes on with a rotation that is under way. Rejects with `RotationRefused` if nothing was
   * begun; after any other error the rotation is retried until it succeeds.
   */
  async rotate(options: RotationOptions): Promise<MemberKeys> {
    const { identity, ledger, host } = this.#parts;
    if (this.#running !== null) return this.#running;
    const registered = await ledger.findKeys();
    const next = identity.nextKey?.publicKey ?? null;
    const step = decideRotation(registered, { present: identity.presentKey.publicKey, next }, options);
    if (step.kind === "refused") throw new RotationRefused(step.reason);
    await identity.beginRotation(host.randomness);
    try {
      return await this.#run(options);
    } catch (error) {
      this.#goOn(options);
      throw error;
    }
  }

  /** Resolves when nothing runs any more; call after the signal has aborted. */
  async ended(): Promise<void> {
    await Promise.allSettled([this.#running, this.#background]);
  }

  #goOn(options: RotationOptions): void {
    const { identity, host, log, stopping: signal } = this.#parts;
    if (this.#isRetried) return;
    this.#isRetried = true;
    const backoff = new Backoff({ ...RETRY, jitter: host.randomness });
    this.#background = retry(() => this.#run(options), {
      ...{ backoff, timers: host.timers, signal },
      onFailure: (error) =>
        log.warn(
          { member: identity.id, reason: error instanceof Error ? error.message : String(error) },
          "the rotation of the signing key has not ended yet; it is retried",
        ),
    })
      .catch(() => undefined)
      .finally(() => {
        this.#isRetried = false;
      });
  }

  /** Callers share one run. */
  #run(options: RotationOptions): Promise<MemberKeys> {
    this.#running ??= this.#takeSteps(options).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #takeSteps(options: RotationOptions): Promise<MemberKeys> {
    const { identity, ledger, log, stopping } = this.#parts;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      stopping.throwIfAborted();
      const { presentKey: present, nextKey: next } = identity;
      const registered = await ledger.findKeys();
      if (next === null) return describe(identity, registered);
      const held = { present: present.publicKey, next: next.publicKey };
      const step = decideRotation(registered, held, options);
      switch (step.kind) {
        case "refused":
          throw new RotationRefused(step.reason);
        case "add":
          await ledger.delegate(step.keys, [identity.namespaceKey, present, next]);
          break;
        case "replace":
          identity.signWithNext();
          await ledger.drain({ fromBefore: this.#fromBefore });
          await ledger.delegate(step.keys, [identity.namespaceKey, next]);
          break;
        case "done":
          identity.signWithNext();
          await identity.endRotation();
          this.#fromBefore = false;
          writeAudit(
            log,
            {
              ...{ operation: "rotateKeys", outcome: "done", member: identity.id },
              formerKey: fingerprintOf(sha256, held.present),
              key: fingerprintOf(sha256, held.next),
              serial: String(registered?.serial),
            },
            "the signing key was rotated",
          );
          break;
      }
    }
    throw new Error(
      "the keys of this member keep changing: does another process run with the same identity?",
    );
  }
}

function describe(identity: KeptIdentity, registered: RegisteredKeys | null): MemberKeys {
  const fingerprint = (key: string) => fingerprintOf(sha256, key);
  return {
    member: identity.id,
    namespace: identity.namespace,
    signing: fingerprint(identity.signingKey.publicKey),
    next: identity.nextKey === null ? null : fingerprint(identity.nextKey.publicKey),
    registered: registered?.signingKeys.map(fingerprint) ?? null,
    serial: Number(registered?.serial ?? 0n),
  };
}
