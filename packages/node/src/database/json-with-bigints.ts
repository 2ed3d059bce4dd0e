/** JSON for small rows that hold bigints: each is an object with its digits, so no other object may look like one. */
export function formatJson(value: object): string {
  return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? { bigint: `${each}` } : each));
}

export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, each) => {
    const digits = typeof each === "object" && each !== null ? each.bigint : undefined;
    return typeof digits === "string" ? BigInt(digits) : each;
  });
}
