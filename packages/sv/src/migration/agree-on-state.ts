/** The state that a quorum of the SVs has, known by the hashes of the parts in which it is exported. */
import { type Network, requiredConfirmations } from "@callsign/ledger";
import { CannotStart, sha256 } from "@callsign/node";
import type { ScanIndex } from "@callsign/scan";
import { exportState } from "@callsign/synchronizer";

export interface StateCopy {
  /** The SV's name. */
  readonly name: string;
  readonly index: ScanIndex;
}

export interface AgreedState<T extends StateCopy> {
  readonly network: Network;
  /** Hashes of the parts' contents. */
  readonly parts: readonly string[];
  /** The SVs that have it. */
  readonly copies: readonly T[];
  /** One of them. */
  readonly source: T;
}

/** Throws if no state is a quorum's. `problems` tells what is wrong with SVs that are not among the copies. */
export function agreeOnState<T extends StateCopy>(
  copies: readonly T[],
  problems: ReadonlyMap<string, string>,
): AgreedState<T> {
  const states = new Map<string, AgreedState<T> & { readonly copies: T[] }>();
  for (const copy of copies) {
    const { network, head } = copy.index.state;
    if (network === null) continue;
    const parts = hashParts(copy);
    const key = [head.sequence, head.digest, ...parts].join("\n");
    const known = states.get(key);
    if (known === undefined) states.set(key, { network, parts, copies: [copy], source: copy });
    else known.copies.push(copy);
  }
  const groups = [...states.values()].sort((a, b) => b.copies.length - a.copies.length);
  const [agreed] = groups;
  const required = requiredConfirmations(agreed?.network.svs.length ?? 1);
  if (agreed !== undefined && agreed.copies.length >= required) return agreed;
  const named = (each: readonly StateCopy[]) => each.map(({ name }) => name).join(", ");
  const reasons = [
    ...groups.map((group) => `${named(group.copies)} agree`),
    ...[...problems].map(([name, problem]) => `${name}: ${problem}`),
  ];
  throw new CannotStart(
    `${required} SVs with the same state are needed to go on from it (${reasons.join("; ")}). ` +
      "Move the replica.db of an SV that differs away: it is made again from the log",
  );
}

/** The parts of a state, one at a time. */
export function exportCopy({ index }: Pick<StateCopy, "index">, endedAt = index.now): Generator<string> {
  return exportState(index.state, index.history, endedAt);
}

function hashParts(copy: StateCopy): readonly string[] {
  const hashes: string[] = [];
  for (const part of exportCopy(copy)) hashes.push(sha256(part));
  return hashes;
}
