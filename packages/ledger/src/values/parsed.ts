/**
 * What a parser answers: the value, or a sentence that names what was given and what is allowed.
 * Edges turn the sentence into their API's error; nothing in this package throws for bad input.
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

const SHOWN_LENGTH = 80;

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** `given` is shown shortened, so that an error never carries a whole oversized input. */
export function malformed(what: string, given: string, allowed: string): Parsed<never> {
  return { ok: false, error: `${what} ${show(given)} is not valid: ${allowed}.` };
}

export function show(given: string): string {
  const shown = given.length > SHOWN_LENGTH ? `${given.slice(0, SHOWN_LENGTH)}…` : given;
  return JSON.stringify(shown);
}

/** For values this program wrote itself (constants, checked-in tables): a bad one is a bug. */
export function expectParsed<T>(result: Parsed<T>): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
