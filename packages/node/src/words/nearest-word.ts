/** The known word that a misspelt one probably means: for errors that name an unknown option, key or command. */

/** The letters to add, remove or replace: two at most, and in a longer word one for every three letters. */
const MOST_EDITS = 2;
const LETTERS_AN_EDIT = 3;

/** Undefined if none is near. Of equally near ones the first. Upper and lower case are the same. */
export function findNearestWord<Word extends string>(
  given: string,
  known: readonly Word[],
): Word | undefined {
  const most = Math.max(MOST_EDITS, Math.floor(given.length / LETTERS_AN_EDIT));
  let nearest: { readonly word: Word; readonly edits: number } | undefined;
  for (const word of known) {
    // The length alone already needs more edits.
    if (Math.abs(word.length - given.length) > most) continue;
    const edits = countEdits(given.toLowerCase(), word.toLowerCase());
    // Words without a letter in common are not near, however short.
    if (edits <= most && edits < word.length && edits < (nearest?.edits ?? Number.POSITIVE_INFINITY))
      nearest = { word, edits };
  }
  return nearest?.word;
}

/** The end of a sentence about an unknown word: `: did you mean <word>?`, or nothing if no known word is near. */
export function suggestWord(given: string, known: readonly string[], prefix = ""): string {
  const nearest = findNearestWord(given, known);
  return nearest === undefined ? "" : `: did you mean ${prefix}${nearest}?`;
}

/** Levenshtein's distance, row by row. */
function countEdits(from: string, to: string): number {
  const others = [...to];
  let row = Array.from({ length: others.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of others.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[others.length] ?? 0;
}
