/**
 * Snapshots of the state, from protocol version 4 on. Each SV attests the digest of the state after an entry with its namespace
 * key. A snapshot that a quorum attested is agreed: a replica may start from it, and the log before it may go. The state keeps
 * the last snapshot of each SV, and the last agreed one with its signatures: who knows the SVs checks it without the log.
 */

import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import type { Hash } from "../values/hash.ts";
import { show } from "../values/parsed.ts";
import { requiredConfirmations } from "../values/required-confirmations.ts";
import type { AttestSnapshot } from "./entry-content.ts";
import { fingerprintOf, type Verify } from "./key.ts";
import type { AttestedSnapshot, Change, LedgerView, Member, Network } from "./ledger-view.ts";
import { accepted, rejected, type Verdict } from "./outcome.ts";

const DIGEST = /^[0-9a-f]{64}$/;

type SnapshotName = Pick<AttestedSnapshot, "sequence" | "digest">;

/** The message that an SV signs with its namespace key. */
export function snapshotMessage(network: string, { sequence, digest }: SnapshotName): string {
  return `callsign-snapshot-1\n${network}\n${sequence}\n${digest}`;
}

interface Attesting {
  readonly view: LedgerView;
  readonly network: Network;
  /** An SV. */
  readonly member: Member;
  readonly entry: AttestSnapshot;
  readonly verify: Verify;
}

export function attestSnapshot(given: Attesting): Verdict {
  const error = findFault(given);
  if (error !== null) return rejected(error);
  const { view, network, member, entry } = given;
  const { sequence, digest, signature } = entry;
  const { svSerial = 0n } = network;
  const attestation = { publicKey: member.namespaceKey, signature };
  const own = { sequence, digest, svSerial, attestations: [attestation] };
  const changes: Change[] = [{ kind: "snapshot", sv: member.id, snapshot: own }];
  const attestations = network.svs.flatMap((sv) => {
    const last = sv === member.id ? own : view.findSnapshot(sv);
    return last?.sequence === sequence && last.digest === digest ? last.attestations : [];
  });
  const isLater = sequence > (view.findAgreedSnapshot()?.sequence ?? 0n);
  if (isLater && attestations.length >= requiredConfirmations(network.svs.length))
    changes.push({ kind: "snapshot", sv: null, snapshot: { ...own, attestations } });
  return accepted(changes);
}

function findFault({ view, network, member, entry, verify }: Attesting): LedgerError | null {
  const { sequence, digest, signature } = entry;
  const last = view.findSnapshot(member.id)?.sequence ?? 0n;
  if (sequence <= last || sequence > BigInt(view.head.sequence)) {
    const cause = `A snapshot after entry ${sequence} cannot be attested: ${last + 1n} to ${view.head.sequence} are allowed`;
    return ledgerError("INVALID_ARGUMENT", cause);
  }
  if (!DIGEST.test(digest))
    return ledgerError("INVALID_ARGUMENT", `${show(digest)} is no digest of 64 lower-case hex digits`);
  if (verify(member.namespaceKey, snapshotMessage(network.id, entry), signature)) return null;
  const cause = `${member.id} has not signed the snapshot after entry ${sequence} with its namespace key`;
  return ledgerError("UNAUTHENTICATED", cause);
}

/** The fault of a snapshot for somebody who knows the SVs, or null: a quorum of them must have signed it. */
export function findSnapshotFault(
  snapshot: AttestedSnapshot,
  given: {
    readonly network: string;
    readonly svs: readonly string[];
    readonly hash: Hash;
    readonly verify: Verify;
  },
): string | null {
  const { network, svs, hash, verify } = given;
  const message = snapshotMessage(network, snapshot);
  const signed = new Set<string>();
  for (const { publicKey, signature } of snapshot.attestations) {
    const ending = `::${fingerprintOf(hash, publicKey)}`;
    const sv = svs.find((id) => id.endsWith(ending));
    if (sv !== undefined && verify(publicKey, message, signature)) signed.add(sv);
  }
  const needed = requiredConfirmations(svs.length);
  return signed.size >= needed
    ? null
    : `the snapshot after entry ${snapshot.sequence} is attested by ${signed.size} of ${svs.length} SVs, and ${needed} are needed`;
}
