/**
 * A node's identity: a namespace key, whose fingerprint names the node and its parties, and a signing key for its entries.
 * The first start makes both in the node's data folder; the identifier is fixed from then on.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  EntryContent,
  type Envelope,
  fingerprintOf,
  memberIdOf,
  type PartyId,
  signedMessage,
} from "@callsign/ledger";
import { z } from "zod";
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
export function loadMemberIdentity(folder: string, nodeIdentifier: string): MemberIdentity {
  const path = join(folder, FILE);
  const stored = readIdentity(path);
  if (stored !== null) return identityOf(stored);
  const made = { nodeIdentifier, namespaceKey: generatePrivateKey(), signingKey: generatePrivateKey() };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A rename writes the file whole or not at all: half a key would be a lost identity.
  writeFileSync(`${path}.new`, JSON.stringify(made), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return identityOf(made);
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

function readIdentity(path: string): IdentityFile | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  const read = IdentityFile.safeParse(parseJson(text));
  if (read.success) return read.data;
  throw new Error(
    `${path} does not hold a node's identity: restore it from a backup, or start with a new folder`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
