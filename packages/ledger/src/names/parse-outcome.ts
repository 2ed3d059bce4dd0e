// What a parser of user text answers: the value, or a sentence for the person who typed the text.
// The sentence says what was given, what is allowed and what to do next.

export type ParseOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: string };

const LONGEST_QUOTE = 80;

/**
 * Quotes text for an error message. Text of more than 80 code points is cut there, and its full length in
 * UTF-16 code units (the unit of every limit on names) is added, so that a message never grows with its input.
 */
export function quoteShortened(text: string): string {
  // 80 code points are at most 160 code units: the rest of a very long text is never looked at.
  const start = Array.from(text.slice(0, 2 * LONGEST_QUOTE))
    .slice(0, LONGEST_QUOTE)
    .join("");
  if (start.length === text.length) return JSON.stringify(text);
  return `${JSON.stringify(start)}… (${text.length} characters)`;
}
