/** A contract's number: the offset and the node of its creation in one integer. A transaction has at most 10,000 nodes. */
const NODES = 16_384n;

/** The offset in a contract's number, in SQL. */
export const OFFSET_OF_NUMBER = `contract_number / ${NODES}`;

/** The archival of an active contract. */
export const NEVER: bigint = 9_223_372_036_854_775_807n;

export function contractNumber(offset: number, nodeId: number): bigint {
  return BigInt(offset) * NODES + BigInt(nodeId);
}

export function placeOfContract(number: bigint): { readonly offset: number; readonly nodeId: number } {
  return { offset: Number(number / NODES), nodeId: Number(number % NODES) };
}

/** The highest number of a contract created up to this offset. */
export function lastNumberAt(offset: number): bigint {
  return (BigInt(offset) + 1n) * NODES - 1n;
}
