/** Orders contracts by creation, over all of the log: by the log entry first, then by the place within it. */

/** More than a transaction can have nodes. */
const PLACES = 2n ** 14n;

export function creationNumber(sequence: number, nodeId: number): bigint {
  return BigInt(sequence) * PLACES + BigInt(nodeId);
}
