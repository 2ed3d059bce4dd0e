/** SVs of a simulated network attest a snapshot. */
import type { Outcome } from "../src/transition/outcome.ts";
import { snapshotMessage } from "../src/transition/state-snapshot.ts";
import type { SimulatedMember, SimulatedNetwork } from "./simulated-network.ts";

export interface SnapshotClaim {
  readonly sequence: bigint;
  readonly digest: string;
}

/** The key is the member's namespace key unless another is given. */
export function attestSnapshot(
  network: SimulatedNetwork,
  member: SimulatedMember,
  claim: SnapshotClaim,
  key = member.namespaceKey,
): Outcome {
  const signature = key.sign(snapshotMessage(network.network.id, claim));
  const value = { ...network.once(member.id), ...claim, signature };
  return network.append({ tag: "AttestSnapshot", value }, [member.signingKey]);
}
