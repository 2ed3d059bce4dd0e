/**
 * The answer of a parser: the value, or a sentence that names what was given and what is allowed.
 * Edges turn the sentence into their API's error; nothing in this package throws for bad input.
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

const SHOWN_LENGTH = 80;

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** `what` and `given` name the offender; `allowed` is a sentence without its full stop. */
export function malformed(what: string, given: string, allowed: string): Parsed<never> {
  return { ok: false, error: `${what} ${show(given)} is not valid: ${allowed}.` };
}

/**
 * Quotes text for an error message. Text of more than 80 code points is cut there, and its full length in
 * UTF-16 code units (the unit of every limit on names) is added, so that a message never grows with its input.
 */
export function show(given: string): string {
  // 80 code points are at most 160 code units: the rest of a very long text is never looked at.
  const start = Array.from(given.slice(0, 2 * SHOWN_LENGTH))
    .slice(0, SHOWN_LENGTH)
    .join("");
  if (start.length === given.length) return JSON.stringify(given);
  return `${JSON.stringify(start)}… (${given.length} characters)`;
}

/** For values this program wrote itself (constants, checked-in tables): a bad one is a bug. */
export function expectParsed<T>(result: Parsed<T>): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
