/** Merges values as helm does: maps by key, everything else replaced. */
export function mergeTrees(below: object, above: object): object {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key];
    merged[key] = isMap(under) && isMap(value) ? mergeTrees(under, value) : value;
  }
  return merged;
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
