/** Checks a snapshot with nothing but its own proof, and the network's id where it is known. */
import {
  beginningOf,
  findSnapshotFault,
  findSvSetFault,
  type Hash,
  parseLogEntry,
  readBeginning,
  type Verify,
} from "@callsign/ledger";
import type { SnapshotSource } from "./snapshot-file.ts";
import { digestSnapshot } from "./snapshot-parts.ts";

export interface SnapshotChecks {
  readonly hash: Hash;
  readonly verify: Verify;
  /** The network's id; the snapshot's own if omitted. */
  readonly network?: string;
}

export type CheckedSnapshot =
  | { readonly ok: true /** The SVs that attested it. */; readonly svs: readonly string[] }
  | { readonly ok: false; readonly fault: string };

export function checkSnapshot(
  { manifest, proof }: Pick<SnapshotSource, "manifest" | "proof">,
  { hash, verify, network }: SnapshotChecks,
): CheckedSnapshot {
  const fault = (reason: string): CheckedSnapshot => ({ ok: false, fault: reason });
  const first = parseLogEntry(proof.first);
  const beginning = first.ok ? beginningOf(first.value) : null;
  const begun = beginning && readBeginning(hash, beginning);
  if (begun === null || begun.id !== manifest.network)
    return fault(`its first entry does not begin network ${manifest.network}`);
  if (network !== undefined && network !== begun.id)
    return fault(`it is of network ${begun.id}, and this one is ${network}`);
  const { attested, svSets } = proof;
  let { svs } = begun;
  for (let serial = 1n; serial <= attested.svSerial; serial++) {
    const change = svSets.find((set) => set.serial === serial);
    if (change === undefined) return fault(`it lacks change ${serial} of the network's SVs`);
    const broken = findSvSetFault(change, { network: begun.id, before: svs, hash, verify });
    if (broken !== null) return fault(broken);
    svs = change.svs;
  }
  const { sequence } = manifest.head;
  if (attested.sequence !== BigInt(sequence) || attested.digest !== digestSnapshot(hash, manifest))
    return fault(
      `its parts are not those of the snapshot after entry ${attested.sequence} that SVs attested`,
    );
  const unproven = findSnapshotFault(attested, { network: begun.id, svs, hash, verify });
  return unproven === null ? { ok: true, svs } : fault(unproven);
}
