/**
 * A node's identity: a namespace key, whose fingerprint names the node and its parties, and a signing key for its entries.
 * The first start makes both in the node's data folder or its database; the identifier is fixed from then on. A rotation
 * replaces the signing key (decision 0044).
 */
import { join } from "node:path";
import { parseJsonText } from "@callsign/api";
import {
  EntryContent,
  type Envelope,
  fingerprintOf,
  memberIdOf,
  type PartyId,
  signedMessage,
} from "@callsign/ledger";
import { z } from "zod";
import type { Files, Randomness } from "../host/host.ts";
import { CannotStart } from "../process/cannot-start.ts";
import { generatePrivateKey, type SigningKey, sha256, signingKeyOf } from "./keys.ts";

export interface MemberIdentity {
  /** The first part of the id. */
  readonly nodeIdentifier: string;
  /** `<node identifier>::<namespace>` */
  readonly id: PartyId;
  /** The fingerprint of the namespace key: the second part of the id and of the member's own parties. */
  readonly namespace: string;
  readonly namespaceKey: SigningKey;
  /** The key that signs now. */
  readonly signingKey: SigningKey;
}

const PrivateKey = z.string().regex(/^[0-9a-f]{64}$/);
const PrivateIdentity = z.object({
  nodeIdentifier: z.string(),
  namespaceKey: PrivateKey,
  signingKey: PrivateKey,
  /** The key that a rotation under way puts in the place of `signingKey`. */
  nextSigningKey: PrivateKey.optional(),
});
/** Private keys, as they are kept: in hex. */
export type PrivateIdentity = z.output<typeof PrivateIdentity>;

/** The name of its file in the folder that keeps it. */
export const IDENTITY_FILE = "identity.json";

/** A new identity with its private keys. */
export function makeIdentity(nodeIdentifier: string, randomness: Randomness): PrivateIdentity {
  const [namespaceKey, signingKey] = [generatePrivateKey(randomness), generatePrivateKey(randomness)];
  return { nodeIdentifier, namespaceKey, signingKey };
}

/** Null if the value is no identity. */
export function parseIdentity(value: unknown): PrivateIdentity | null {
  const read = PrivateIdentity.safeParse(value);
  return read.success && parseMemberId(read.data).ok ? read.data : null;
}

/** The identity that the folder holds; null if it has none. */
export function readIdentityFile(folder: string, files: Files): PrivateIdentity | null {
  const path = join(folder, IDENTITY_FILE);
  files.makePrivate(path);
  const text = files.read(path);
  if (text === null) return null;
  const read = parseIdentity(parseJsonText(text));
  if (read !== null) return read;
  throw new CannotStart(
    `${path} does not hold a node's identity: restore it from a backup, or start with a new folder`,
  );
}

export function writeIdentityFile(folder: string, identity: PrivateIdentity, files: Files): void {
  files.makeFolder(folder);
  files.write(join(folder, IDENTITY_FILE), JSON.stringify(identity));
}

export function identityOf(stored: PrivateIdentity): MemberIdentity {
  const { nodeIdentifier, namespaceKey, signingKey } = stored;
  const namespace = signingKeyOf(namespaceKey);
  const id = parseMemberId(stored);
  if (!id.ok) throw new Error(id.error);
  return {
    nodeIdentifier,
    id: id.value,
    namespace: fingerprintOf(sha256, namespace.publicKey),
    namespaceKey: namespace,
    signingKey: signingKeyOf(signingKey),
  };
}

function parseMemberId({ nodeIdentifier, namespaceKey }: PrivateIdentity) {
  return memberIdOf(sha256, nodeIdentifier, signingKeyOf(namespaceKey).publicKey);
}

/** The entry with its signatures, as a sequencer takes it. */
export function signEntry(content: EntryContent, keys: readonly SigningKey[]): Envelope {
  const text = EntryContent.encode(content);
  const message = signedMessage(text);
  return {
    content: text,
    signatures: keys.map((key) => ({ publicKey: key.publicKey, signature: key.sign(message) })),
  };
}
