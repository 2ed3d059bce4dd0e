/**
 * Whether a sequencer takes an entry that came over the wire. The replicas decide on it all the same; this keeps
 * out what could only fill the log: entries that no member signed.
 */
import {
  type Envelope,
  fingerprintOf,
  type Hash,
  type LedgerView,
  signedMessage,
  type Verify,
} from "@callsign/ledger";

interface Named {
  readonly tag: string;
  readonly network: string;
  readonly member: string;
}

/** Why it is not taken; null if it is. */
export function findObjection(
  envelope: Envelope,
  { view, verify, hash }: { readonly view: LedgerView; readonly verify: Verify; readonly hash: Hash },
): string | null {
  const named = readNames(envelope.content);
  if (named === null) return "the content is not the canonical text of an entry";
  const { tag, network, member } = named;
  if (view.network === null) return "the network is not founded yet";
  if (network !== view.network.id)
    return `the entry is for network ${JSON.stringify(network)}, not for this one`;
  const known = view.findMember(member);
  const keys = envelope.signatures.map(({ publicKey }) => publicKey);
  const isOwn =
    known === undefined
      ? tag === "RegisterMember" && keys.some((key) => member.endsWith(`::${fingerprintOf(hash, key)}`))
      : [known.namespaceKey, ...known.signingKeys].some((key) => keys.includes(key));
  if (!isOwn) return `none of the signatures is by a key of member ${JSON.stringify(member)}`;
  const message = signedMessage(envelope.content);
  const holds = envelope.signatures.every(({ publicKey, signature }) =>
    verify(publicKey, message, signature),
  );
  return holds ? null : "a signature does not hold";
}

/** An entry is `["Tag",[network,member,…]]`; the founding alone names neither. */
function readNames(content: string): Named | null {
  let entry: unknown;
  try {
    entry = JSON.parse(content);
  } catch {
    return null;
  }
  if (!Array.isArray(entry) || !Array.isArray(entry[1])) return null;
  const [tag, [network, member]] = entry as [unknown, unknown[]];
  if (typeof tag !== "string" || typeof network !== "string" || typeof member !== "string") return null;
  return tag === "FoundNetwork" ? null : { tag, network, member };
}
