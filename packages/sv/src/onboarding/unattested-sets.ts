/** The changed sets of SVs that an SV is to attest: it was one before, and no quorum has attested them. */
import { isAttested, type LedgerView, type SvSet } from "@callsign/ledger";
import { UNATTESTED_SETS } from "../limits/limits.ts";

/** A set far back that nobody can attest any more is given up: later ones cannot be checked either. */
export function listUnattestedSets(
  view: Pick<LedgerView, "network" | "findSvSet">,
  member: { readonly id: string; readonly namespaceKey: string },
): readonly SvSet[] {
  const last = view.network?.svSerial ?? 0n;
  const sets: SvSet[] = [];
  for (let serial = last; serial > 0n && last - serial < UNATTESTED_SETS; serial--) {
    const set = view.findSvSet(serial);
    if (set === undefined || isAttested(set) || !set.before.includes(member.id)) continue;
    const isOwn = set.attestations.some(({ publicKey }) => publicKey === member.namespaceKey);
    if (!isOwn) sets.unshift(set);
  }
  return sets;
}
