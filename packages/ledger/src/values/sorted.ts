/** Lists up to this length are put in order one by one: the runtime's sort makes room for long ones before it begins. */
const SHORT = 8;

/** A copy in order; what compares as equal stays in the order given. */
export function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  if (items.length > SHORT) return items.toSorted(compare);
  const ordered: T[] = [];
  for (const item of items) {
    let at = ordered.length;
    while (at > 0 && compare(ordered[at - 1] as T, item) > 0) at--;
    for (let i = ordered.length; i > at; i--) ordered[i] = ordered[i - 1] as T;
    ordered[at] = item;
  }
  return ordered;
}
