/** f = ⌊(n − 1) / 3⌋: of n nodes so many may lie or be silent, and the others still agree. */
export function toleratedFaults(nodes: number): number {
  return Math.floor((nodes - 1) / 3);
}
