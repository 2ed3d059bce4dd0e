/** The changes of the network's SVs as members ask for them: each proves itself by the attestations of the SVs before. */
import { MAX_SV_CHANGES, type SvChanges } from "@callsign/api";
import { isAttested, type LedgerView } from "@callsign/ledger";

type View = Pick<LedgerView, "network" | "findSvSet">;

/** The last change that members can follow; a later one may wait for its attestations. */
export function attestedSerial(view: View): bigint {
  const last = view.network?.svSerial ?? 0n;
  for (let serial = last; serial > 0n && last - serial < MAX_SV_CHANGES; serial--) {
    const set = view.findSvSet(serial);
    if (set !== undefined && isAttested(set)) return serial;
  }
  return 0n;
}

/** The changes behind a serial, as many as one answer holds. */
export function listSvChanges(view: View, after: bigint): SvChanges["changes"] {
  const changes: SvChanges["changes"] = [];
  for (let serial = after + 1n; changes.length < MAX_SV_CHANGES; serial++) {
    const set = serial < 1n ? undefined : view.findSvSet(serial);
    if (set === undefined) break;
    const { svs, attestations } = set;
    changes.push({ serial: Number(serial), svs: [...svs], attestations: [...attestations] });
  }
  return changes;
}
