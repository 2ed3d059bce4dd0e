/** Rounds in which coin can be moved and rewards can be minted, and how long a client may cache them. */
import { IssuingMiningRound, OpenMiningRound } from "@callsign/ledger";
import type { ContractReader } from "../contracts/contract-reader.ts";

/** Ascending by number: clients take the last one that is open. Undefined while there are no rounds at all. */
export function findCurrentRounds(contracts: ContractReader) {
  // A round is announced for at least a tick: a client that asks again by then knows it before it opens.
  const timeToLiveMicroseconds = contracts.findShortestTick();
  if (timeToLiveMicroseconds === undefined) return undefined;
  const open = contracts.list(OpenMiningRound);
  const issuing = contracts.list(IssuingMiningRound);
  return { open, issuing, timeToLiveMicroseconds };
}
