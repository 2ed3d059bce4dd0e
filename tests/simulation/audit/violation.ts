/** An invariant that does not hold; its name comes first, so that a failure says which. */
export class Violation extends Error {
  override readonly name = "Violation";
}

export function hold(invariant: string, condition: boolean, detail: () => string): asserts condition {
  if (!condition) throw new Violation(`${invariant}: ${detail()}`);
}
