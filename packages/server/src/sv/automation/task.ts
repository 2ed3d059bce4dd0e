/** One submission that an SV may make for the DSO, and who makes it first. */
import type { Command, Hash, PartyId } from "@callsign/ledger";

export interface Task {
  /** The same for the same work on the same inputs, on every SV. */
  readonly key: string;
  readonly command: Command;
  /** Whether any SV may do it, and one is enough; otherwise it is each SV's own. */
  readonly shared: boolean;
}

/** In which place the SV acts on a shared task: by a hash of task and SV, so that the work is spread evenly. */
export function rankOf(hash: Hash, task: string, sv: PartyId, svs: readonly PartyId[]): number {
  const own = hash(`${task}\n${sv}`);
  return svs.filter((other) => hash(`${task}\n${other}`) < own).length;
}
