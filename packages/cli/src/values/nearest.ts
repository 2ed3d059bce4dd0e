/** The known name that was probably meant: the one with the fewest letters to change, if there are few. */
const MAX_LENGTH = 200;

export function findNearest(given: string, known: Iterable<string>): string | undefined {
  const text = given.slice(0, MAX_LENGTH).toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = distanceOf(text, name.slice(0, MAX_LENGTH).toLowerCase());
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  const most = Math.max(2, Math.floor(text.length / 3));
  return best !== undefined && best.distance <= most ? best.name : undefined;
}

/** Levenshtein's distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
