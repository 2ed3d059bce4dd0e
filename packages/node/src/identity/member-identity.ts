/**
 * A node's identity: a namespace key, whose fingerprint names the node and its parties, and a signing key for its entries.
 * The first start makes both in the node's data folder or its database; the identifier is fixed from then on.
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
import type { Files, Host, Randomness } from "../host/host.ts";
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
  readonly signingKey: SigningKey;
}

const PrivateKey = z.string().regex(/^[0-9a-f]{64}$/);
const IdentityFile = z.object({
  nodeIdentifier: z.string(),
  namespaceKey: PrivateKey,
  signingKey: PrivateKey,
});
type IdentityFile = z.output<typeof IdentityFile>;

const FILE = "identity.json";

/** Reads the node's identity, or makes one if the folder has none. */
export function loadMemberIdentity(
  folder: string,
  nodeIdentifier: string,
  { files, randomness }: Host,
): MemberIdentity {
  const path = join(folder, FILE);
  const stored = readIdentity(path, files);
  if (stored !== null) return identityOf(stored);
  const made = makeIdentity(nodeIdentifier, randomness);
  files.makeFolder(folder);
  files.write(path, JSON.stringify(made));
  return identityOf(made);
}

/** A new identity with its private keys. */
export function makeIdentity(nodeIdentifier: string, randomness: Randomness): IdentityFile {
  const [namespaceKey, signingKey] = [generatePrivateKey(randomness), generatePrivateKey(randomness)];
  return { nodeIdentifier, namespaceKey, signingKey };
}

/** The identity that `makeIdentity` made; null if it is none. */
export function readIdentityValue(value: unknown): MemberIdentity | null {
  const read = IdentityFile.safeParse(value);
  return read.success ? identityOf(read.data) : null;
}

/** The identity that the folder holds; null if it has none. */
export function findMemberIdentity(folder: string, { files }: Host): MemberIdentity | null {
  const stored = readIdentity(join(folder, FILE), files);
  return stored === null ? null : identityOf(stored);
}

export function identityOf({ nodeIdentifier, namespaceKey, signingKey }: IdentityFile): MemberIdentity {
  const namespace = signingKeyOf(namespaceKey);
  const id = memberIdOf(sha256, nodeIdentifier, namespace.publicKey);
  if (!id.ok) throw new Error(id.error);
  return {
    nodeIdentifier,
    id: id.value,
    namespace: fingerprintOf(sha256, namespace.publicKey),
    namespaceKey: namespace,
    signingKey: signingKeyOf(signingKey),
  };
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

function readIdentity(path: string, files: Files): IdentityFile | null {
  files.makePrivate(path);
  const text = files.read(path);
  if (text === null) return null;
  const read = IdentityFile.safeParse(parseJsonText(text));
  if (read.success) return read.data;
  throw new CannotStart(
    `${path} does not hold a node's identity: restore it from a backup, or start with a new folder`,
  );
}
