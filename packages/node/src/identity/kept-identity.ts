/**
 * An identity whose private keys are kept in one place, and whose signing key can be rotated. The next key is kept beside the
 * present one before anybody learns of it, and takes its place once the network has no other: a process that is killed in
 * between still has every key that the network may know.
 */
import type { PartyId } from "@callsign/ledger";
import type { Host, Randomness } from "../host/host.ts";
import { generatePrivateKey, type SigningKey, signingKeyOf } from "./keys.ts";
import {
  identityOf,
  type MemberIdentity,
  makeIdentity,
  type PrivateIdentity,
  readIdentityFile,
  writeIdentityFile,
} from "./member-identity.ts";

export class KeptIdentity implements MemberIdentity {
  readonly nodeIdentifier: string;
  readonly id: PartyId;
  readonly namespace: string;
  readonly namespaceKey: SigningKey;
  readonly #keep: (stored: PrivateIdentity) => Promise<void>;
  #stored: PrivateIdentity;
  #present: SigningKey;
  #next: SigningKey | null;
  #nextSigns = false;

  /** `keep` replaces the kept identity whole. */
  constructor(stored: PrivateIdentity, keep: (stored: PrivateIdentity) => Promise<void>) {
    const { nodeIdentifier, id, namespace, namespaceKey, signingKey } = identityOf(stored);
    this.nodeIdentifier = nodeIdentifier;
    this.id = id;
    this.namespace = namespace;
    this.namespaceKey = namespaceKey;
    this.#keep = keep;
    this.#stored = stored;
    this.#present = signingKey;
    this.#next = stored.nextSigningKey === undefined ? null : signingKeyOf(stored.nextSigningKey);
  }

  get signingKey(): SigningKey {
    return this.#nextSigns && this.#next !== null ? this.#next : this.#present;
  }

  /** The kept key that signs unless a rotation has come so far that the next one does. */
  get presentKey(): SigningKey {
    return this.#present;
  }

  /** The key of a rotation under way; null if there is none. */
  get nextKey(): SigningKey | null {
    return this.#next;
  }

  /** Makes and keeps the next key, unless a rotation is under way. */
  async beginRotation(randomness: Randomness): Promise<SigningKey> {
    if (this.#next !== null) return this.#next;
    const nextSigningKey = generatePrivateKey(randomness);
    await this.#replace({ ...this.#stored, nextSigningKey });
    this.#next = signingKeyOf(nextSigningKey);
    return this.#next;
  }

  /** From now on the next key signs. */
  signWithNext(): void {
    this.#nextSigns = true;
  }

  /** The next key takes the place of the present one, which is forgotten. */
  async endRotation(): Promise<void> {
    const { nextSigningKey, ...rest } = this.#stored;
    if (nextSigningKey === undefined || this.#next === null) return;
    await this.#replace({ ...rest, signingKey: nextSigningKey });
    this.#present = this.#next;
    this.#next = null;
    this.#nextSigns = false;
  }

  async #replace(stored: PrivateIdentity): Promise<void> {
    await this.#keep(stored);
    this.#stored = stored;
  }
}

/** The identity that the folder keeps; null if it has none. */
export function findMemberIdentity(folder: string, { files }: Pick<Host, "files">): KeptIdentity | null {
  const stored = readIdentityFile(folder, files);
  if (stored === null) return null;
  return new KeptIdentity(stored, async (changed) => writeIdentityFile(folder, changed, files));
}

/** Reads the node's identity, or makes one if the folder has none. */
export function loadMemberIdentity(folder: string, nodeIdentifier: string, host: Host): KeptIdentity {
  const found = findMemberIdentity(folder, host);
  if (found !== null) return found;
  const { files, randomness } = host;
  const made = makeIdentity(nodeIdentifier, randomness);
  const kept = new KeptIdentity(made, async (changed) => writeIdentityFile(folder, changed, files));
  writeIdentityFile(folder, made, files);
  return kept;
}
