/**
 * The first entry of a log that goes on where another one ended, under the next migration id: the network, its SVs, and
 * the hashes of the parts that bring the rest of the state. A quorum of the SVs signs it. The DSO's namespace is a hash
 * of the SVs' keys, so that nobody else can go on as this DSO.
 */

import { ledgerError } from "../errors/ledger-error.ts";
import type { Hash } from "../values/hash.ts";
import { show } from "../values/parsed.ts";
import { isPartyId, partyNamespace } from "../values/party-id.ts";
import { requiredConfirmations } from "../values/required-confirmations.ts";
import type { CarriedMember, ContinueNetwork } from "./continuation-content.ts";
import { dsoNamespaceOf, fingerprintOf, isPublicKey } from "./key.ts";
import type { Change, Member, Network } from "./ledger-view.ts";
import { CONTINUED_VERSION, LATEST_CLOCK } from "./limits.ts";
import {
  findToleranceProblem,
  isBackedTime,
  type NetworkBeginning,
  networkIdOf,
  requireVersion,
  toleranceOf,
} from "./network-beginning.ts";
import { accepted, rejected, type Verdict } from "./outcome.ts";
import { firstStamps } from "./record-time.ts";
import { isSigningKeySet } from "./topology.ts";

const HASH = /^[0-9a-f]{64}$/;

export function continueNetwork(given: NetworkBeginning<ContinueNetwork> & { readonly hash: Hash }): Verdict {
  const { hash, entry, keys } = given;
  const problem = findProblem(hash, entry, keys);
  if (problem !== null) return cannotContinue(problem);
  const { protocolVersion, previous, svs } = entry;
  requireVersion(protocolVersion, given.supportedVersions);
  const network: Network = {
    id: networkIdOf(hash, given),
    dso: entry.dso,
    synchronizerId: entry.synchronizerId,
    migrationId: previous.migrationId + 1n,
    acronym: entry.acronym,
    protocolVersion,
    svs: svs.map(({ id }) => id),
    movableClock: entry.movableClock,
    clockOffset: entry.clockOffset,
    ...toleranceOf(entry),
    burstAmount: entry.burstAmount,
    burstWindow: entry.burstWindow,
    awaitedParts: entry.parts,
  };
  const members = svs.map((sv): Change => ({ kind: "member", member: memberOf(hash, sv) }));
  const stamps = isBackedTime(entry) ? firstStamps(network.svs, given.now, network.clockOffset) : [];
  return accepted([{ kind: "network", network }, ...members, ...stamps]);
}

/** Always the same code: programs of version 1 reject the entry with it too, whatever it holds. */
export function cannotContinue(problem: string): Verdict {
  return rejected(ledgerError("INVALID_ARGUMENT", `The network cannot be continued: ${problem}`));
}

export function memberOf(hash: Hash, { id, namespaceKey, signingKeys, keySerial }: CarriedMember): Member {
  return { id, namespaceKey, namespace: fingerprintOf(hash, namespaceKey), signingKeys, keySerial };
}

/** The reason why a record is no member's; null if there is none. */
export function findMemberProblem(hash: Hash, member: CarriedMember): string | null {
  const { id, namespaceKey, signingKeys } = member;
  if (!isPublicKey(namespaceKey) || !isSigningKeySet(signingKeys))
    return `member ${show(id)} has no valid keys`;
  return isPartyId(id) && partyNamespace(id) === fingerprintOf(hash, namespaceKey)
    ? null
    : `member id ${show(id)} does not end in its key's fingerprint`;
}

function findProblem(hash: Hash, entry: ContinueNetwork, keys: readonly string[]): string | null {
  return findSvProblem(hash, entry) ?? findTermsProblem(hash, entry) ?? findMissingSignatures(entry, keys);
}

function findSvProblem(hash: Hash, { svs }: ContinueNetwork): string | null {
  if (svs.length === 0) return "it has no SVs";
  if (new Set(svs.map(({ id }) => id)).size !== svs.length) return "an SV is named twice";
  return svs.map((sv) => findMemberProblem(hash, sv)).find((problem) => problem !== null) ?? null;
}

function findTermsProblem(hash: Hash, entry: ContinueNetwork): string | null {
  const { dso, synchronizerId, svs, parts, clockOffset, movableClock, burstAmount, previous } = entry;
  const namespace = dsoNamespaceOf(
    hash,
    svs.map(({ namespaceKey }) => namespaceKey),
  );
  for (const id of [dso, synchronizerId]) {
    if (!isPartyId(id) || partyNamespace(id) !== namespace)
      return `${show(id)} does not belong to the namespace of its SVs, ${namespace}`;
  }
  if (entry.protocolVersion < CONTINUED_VERSION)
    return `protocol version ${entry.protocolVersion} knows no continuation: ${CONTINUED_VERSION} does`;
  if (previous.migrationId < 0n) return `migration id ${previous.migrationId} is negative`;
  if (clockOffset < 0n || (clockOffset > 0n && !movableClock) || previous.recordTime >= LATEST_CLOCK)
    return `its clock cannot stand ${clockOffset} microseconds ahead`;
  const problem = findToleranceProblem(entry);
  if (problem !== null) return problem;
  if (burstAmount < 0n) return `the free allowance of ${burstAmount} bytes is negative`;
  if (parts.length === 0 || new Set(parts).size !== parts.length || !parts.every((part) => HASH.test(part)))
    return "its parts are one or more distinct hashes of 64 lower-case hex digits";
  return null;
}

function findMissingSignatures({ svs }: ContinueNetwork, keys: readonly string[]): string | null {
  const signed = svs.filter(({ signingKeys }) => signingKeys.some((key) => keys.includes(key)));
  const required = requiredConfirmations(svs.length);
  return signed.length >= required
    ? null
    : `it needs the signatures of ${required} of ${svs.length} SVs, not of ${signed.length}`;
}
