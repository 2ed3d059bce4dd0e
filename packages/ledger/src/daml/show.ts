/**
 * Daml's `show`: values as its derived instances print them. Splice makes error messages of them, and the description
 * of a subscription carries a name in this form, so they are the same to the letter.
 */
import type { PartyId } from "../values/party-id.ts";

/** Daml hides the ids of contracts on a ledger. */
export const HIDDEN_CONTRACT_ID = "<contract-id>";

/** The fields in the order of their declaration, each shown already. */
export function showRecord(name: string, fields: readonly (readonly [string, string])[]): string {
  return `${name} {${fields.map(([field, value]) => `${field} = ${value}`).join(", ")}}`;
}

/** A constructor and its argument, in parentheses where the two are an argument themselves. */
export function showApplied(name: string, argument: string, asArgument = false): string {
  return asArgument ? `(${name} ${argument})` : `${name} ${argument}`;
}

export function showParty(party: PartyId): string {
  return `'${party}'`;
}

const CONTROL_NAMES =
  "NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );
const SHIFT_OUT = 0x0e;
const DELETE = 0x7f;
const PLAIN = /^[ !#-[\]-~]*$/;
const DIGIT = /^[0-9]$/;

/**
 * The literal that stands for a text, in double quotes:
 * - `"` and `\` get a backslash; printable ASCII stays as it is;
 * - a control character is a backslash and its letter (`\n`) or its ASCII name (`\ESC`);
 * - anything beyond ASCII is a backslash and its code point in decimal (é is `\233`);
 * - `\&`, which stands for nothing, keeps a decimal escape apart from a digit behind it, and `\SO` from an `H`.
 */
export function showText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let shown = '"';
  let previous = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (continuesEscape(previous, character)) shown += "\\&";
    shown += showCharacter(character, codePoint);
    previous = codePoint;
  }
  return `${shown}"`;
}

/** True if the character would read as part of the escape that stands for the one before it. */
function continuesEscape(previous: number, character: string): boolean {
  return previous > DELETE ? DIGIT.test(character) : previous === SHIFT_OUT && character === "H";
}

function showCharacter(character: string, codePoint: number): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  if (codePoint < CONTROL_NAMES.length) return `\\${CONTROL_NAMES[codePoint]}`;
  if (codePoint < DELETE) return character;
  return codePoint === DELETE ? "\\DEL" : `\\${codePoint}`;
}
