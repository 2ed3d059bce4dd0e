/**
 * Values as Daml's derived `Show` prints them, for messages that Splice makes of them. Contract ids stay hidden:
 * on a ledger, Daml does not show them.
 */
import type { PartyId } from "../../values/party-id.ts";

export const HIDDEN_CONTRACT_ID = "<contract-id>";

/** The fields in the order of their declaration, each shown already. */
export function showRecord(name: string, fields: Readonly<Record<string, string>>): string {
  const shown = Object.entries(fields).map(([field, value]) => `${field} = ${value}`);
  return `${name} {${shown.join(", ")}}`;
}

export function showParty(party: PartyId): string {
  return `'${party}'`;
}

const CONTROLS =
  "NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

/** A literal in double quotes. What is not printable ASCII is written as its number or its name. */
export function showText(text: string): string {
  const characters = [...text];
  const shown = characters.map((character, i) => {
    const code = character.codePointAt(0) ?? 0;
    const next = characters[i + 1] ?? "";
    if (character === '"' || character === "\\") return `\\${character}`;
    // An empty escape keeps a following digit from being read as part of the number, an H from making SO SOH.
    if (code > 0x7f) return `\\${code}${/^[0-9]/.test(next) ? "\\&" : ""}`;
    if (code === 0x7f) return "\\DEL";
    if (code >= 0x20) return character;
    return `\\${CONTROLS[code]}${code === 0x0e && next === "H" ? "\\&" : ""}`;
  });
  return `"${shown.join("")}"`;
}
