/** A task that several SVs could do, and the order in which they try. */
import type { Hash } from "@callsign/ledger";

export interface SharedTask<Name extends string = string> {
  readonly automation: Name;
  /** Equal on every SV for the same work on the same inputs. */
  readonly key: string;
  /** The number of SVs that it takes: so many begin at once, the others wait for them. `each`: every SV for itself. */
  readonly takes: number | "each";
}

/** An SV's place in the order for a task: by a hash of task and SV, so that work is spread evenly. */
export function rankOf(hash: Hash, task: string, sv: string, svs: readonly string[]): number {
  const own = hash(`${task}\n${sv}`);
  return svs.filter((other) => hash(`${task}\n${other}`) < own).length;
}
