// Names with a prefix are those from the prefix on and before its end, in the order of their bytes. That is a range
// of the index, which `like` would not be, and no character of the prefix has a meaning of its own.

const LAST_CODE_POINT = 0x10_ff_ff;
const BEFORE_SURROGATES = 0xd7_ff;
const AFTER_SURROGATES = 0xe0_00;
const FIRST_OF_TWO_UNITS = 0x1_00_00;

/** The least text that is greater than all texts with the prefix; null if no text is, as for the empty prefix. */
export function endOfPrefix(prefix: string): string | null {
  let rest = prefix;
  while (rest !== "") {
    const last = lastCodePoint(rest);
    rest = rest.slice(0, last < FIRST_OF_TWO_UNITS ? -1 : -2);
    if (last !== LAST_CODE_POINT) return rest + String.fromCodePoint(codePointAfter(last));
  }
  return null;
}

function lastCodePoint(text: string): number {
  const pair = text.codePointAt(text.length - 2) ?? 0;
  return pair < FIRST_OF_TWO_UNITS ? text.charCodeAt(text.length - 1) : pair;
}

/** Surrogates are no characters of their own, and no text on the ledger holds a lone one. */
function codePointAfter(codePoint: number): number {
  return codePoint === BEFORE_SURROGATES ? AFTER_SURROGATES : codePoint + 1;
}
