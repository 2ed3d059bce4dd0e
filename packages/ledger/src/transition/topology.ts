/**
 * Topology: the members, the keys that sign for each, and the members that host each party. A member speaks for its own
 * namespace: its parties' ids end in its fingerprint.
 */
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import type { Hash } from "../values/hash.ts";
import { show } from "../values/parsed.ts";
import { isPartyId, type PartyId, partyNamespace } from "../values/party-id.ts";
import type { DelegateKeys, HostParty, RegisterMember, Submit } from "./entry-content.ts";
import { fingerprintOf, isPublicKey, memberIdOf } from "./key.ts";
import type { LedgerView, Member, Network } from "./ledger-view.ts";
import { MAX_HOSTS, MAX_PARTIES_PER_SUBMISSION, MAX_SIGNING_KEYS } from "./limits.ts";
import { accepted, rejected, type Verdict } from "./outcome.ts";

export function isSigningKeySet(keys: readonly string[]): boolean {
  const distinct = new Set(keys);
  return (
    keys.length >= 1 &&
    keys.length <= MAX_SIGNING_KEYS &&
    distinct.size === keys.length &&
    keys.every(isPublicKey)
  );
}

/**
 * The member that an entry asks to register. The namespace key signs for itself, and every signing key shows
 * that its holder has it: the holder of the key speaks for the member's id.
 */
export function readRegistration(
  hash: Hash,
  entry: RegisterMember,
  keys: readonly string[],
): Member | LedgerError {
  const { member: id, nodeIdentifier, namespaceKey, signingKeys } = entry;
  if (!isPublicKey(namespaceKey) || !isSigningKeySet(signingKeys)) {
    return ledgerError(
      "INVALID_ARGUMENT",
      `A member has a namespace key and 1 to ${MAX_SIGNING_KEYS} distinct signing keys`,
    );
  }
  const expected = memberIdOf(hash, nodeIdentifier, namespaceKey);
  if (!expected.ok || expected.value !== id) {
    const cause = `Member id ${show(id)} is not ${show(nodeIdentifier)} with its key's fingerprint`;
    return ledgerError("INVALID_ARGUMENT", cause);
  }
  if (![namespaceKey, ...signingKeys].every((key) => keys.includes(key))) return unsigned(id);
  return { id, namespaceKey, namespace: fingerprintOf(hash, namespaceKey), signingKeys, keySerial: 1n };
}

export function registerMember(view: LedgerView, member: Member): Verdict {
  if (view.findMember(member.id) === undefined) return accepted([{ kind: "member", member }]);
  return rejected(ledgerError("INVALID_ARGUMENT", `Member ${member.id} is registered already`));
}

export function delegateKeys(member: Member, entry: DelegateKeys, keys: readonly string[]): Verdict {
  const { signingKeys, serial } = entry;
  if (!isSigningKeySet(signingKeys)) {
    return rejected(
      ledgerError("INVALID_ARGUMENT", `A member has 1 to ${MAX_SIGNING_KEYS} distinct signing keys`),
    );
  }
  if (![member.namespaceKey, ...signingKeys].every((key) => keys.includes(key)))
    return rejected(unsigned(member.id));
  if (serial !== member.keySerial + 1n) return rejected(wrongSerial(serial, member.keySerial));
  return accepted([{ kind: "member", member: { ...member, signingKeys, keySerial: serial } }]);
}

/** The owner of the namespace signs, and so does every other member that takes the party in. */
export function hostParty(given: {
  readonly view: LedgerView;
  readonly network: Network;
  readonly member: Member;
  readonly entry: HostParty;
  readonly keys: readonly string[];
}): Verdict {
  const { view, network, member, entry, keys } = given;
  const { party, hosts, serial } = entry;
  if (!isPartyId(party) || partyNamespace(party) !== member.namespace || party === network.dso) {
    return rejected(
      ledgerError("PERMISSION_DENIED", `Party ${party} does not belong to the namespace of ${member.id}`),
    );
  }
  if (hosts.length < 1 || hosts.length > MAX_HOSTS || new Set(hosts).size !== hosts.length) {
    return rejected(
      ledgerError("INVALID_ARGUMENT", `A party has 1 to ${MAX_HOSTS} distinct hosts, not ${hosts.length}`),
    );
  }
  for (const id of hosts) {
    const host = view.findMember(id);
    if (host === undefined)
      return rejected(ledgerError("INVALID_ARGUMENT", `Host ${show(id)} is not a member`));
    if (!host.signingKeys.some((key) => keys.includes(key))) return rejected(unsigned(id));
  }
  const known = view.findHosting(party)?.serial ?? 0n;
  if (serial !== known + 1n) return rejected(wrongSerial(serial, known));
  return accepted([{ kind: "hosting", hosting: { party, hosts, serial } }]);
}

/** A member acts and reads only for parties it hosts, and no member acts as the DSO. */
export function checkSubmitters(view: LedgerView, network: Network, submit: Submit): LedgerError | null {
  const { member, actAs, readAs } = submit;
  const count = actAs.length + readAs.length;
  if (actAs.length === 0 || count > MAX_PARTIES_PER_SUBMISSION) {
    return ledgerError(
      "INVALID_ARGUMENT",
      `A submission acts as at least one and names at most ${MAX_PARTIES_PER_SUBMISSION} parties`,
    );
  }
  if (actAs.includes(network.dso)) return notHosted(network.dso, member);
  for (const party of [...actAs, ...readAs]) {
    const hosting = view.findHosting(party);
    if (hosting === undefined) {
      return ledgerError("UNKNOWN_SUBMITTERS", `Party ${party} is not known on this network`, {
        resources: [["PARTY", party]],
      });
    }
    if (!hosting.hosts.includes(member)) return notHosted(party, member);
  }
  return null;
}

/** Every informee of a transaction must be a hosted party, or it could never learn of it. */
export function findUnknownParty(view: LedgerView, parties: Iterable<PartyId>): LedgerError | null {
  for (const party of parties) {
    if (view.findHosting(party) === undefined) {
      return ledgerError("UNKNOWN_INFORMEES", `Party ${party} is not known on this network`, {
        resources: [["PARTY", party]],
      });
    }
  }
  return null;
}

function notHosted(party: PartyId, member: string): LedgerError {
  return ledgerError(
    "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
    `Member ${member} may not submit for ${party}`,
    {
      resources: [["PARTY", party]],
    },
  );
}

function unsigned(member: string): LedgerError {
  return ledgerError("UNAUTHENTICATED", `The entry is not signed by the keys that ${member} needs`);
}

function wrongSerial(given: bigint, known: bigint): LedgerError {
  return ledgerError("INVALID_ARGUMENT", `The serial must be ${known + 1n}, not ${given}`);
}
