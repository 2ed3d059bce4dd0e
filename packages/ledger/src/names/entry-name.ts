// A registrable name: a label the user chose, then ".unverified." and the network's acronym.
//
// The ledger accepts any text as a name; the SVs decide by these rules, and the validator
// checks before anybody pays. Well-known names (`dso.cns`) are not registrable, so they can't collide.
import { type Parsed, parsed, show } from "../values/parsed.ts";

declare const entryNameBrand: unique symbol;

/** A full registrable name, such as `alice.unverified.cns`. Made by `parseEntryName` or `completeName` only. */
export type EntryName = string & { readonly [entryNameBrand]: true };

export const DEFAULT_ACRONYM = "cns";
export const MAX_ENTRY_NAME_LENGTH = 60;

// One or more characters, each a lower-case letter a-z, a digit, "_" or "-". No dot, nothing outside ASCII.
const LABEL = /^[a-z0-9_-]+$/;

// A capital letter A-Z.
const CAPITAL = /[A-Z]/;

/** `.unverified.cns` for the acronym `cns` or `CNS`: the acronym counts in lower case everywhere. */
export function nameSuffix(acronym: string = DEFAULT_ACRONYM): string {
  return `.unverified.${acronym.toLowerCase()}`;
}

/** The longest label with which the whole name has at most 60 characters: 45 for `cns`. */
export function maxLabelLength(acronym: string = DEFAULT_ACRONYM): number {
  return MAX_ENTRY_NAME_LENGTH - nameSuffix(acronym).length;
}

/** Accepts a full name only: a name without the suffix is an error. */
export function parseEntryName(text: string, acronym: string = DEFAULT_ACRONYM): Parsed<EntryName> {
  const suffix = nameSuffix(acronym);
  if (!text.endsWith(suffix)) {
    return refuse(text, acronym, `it does not end with "${suffix}"`, "Add that ending");
  }
  return parseLabel({ given: text, label: text.slice(0, -suffix.length), acronym });
}

/**
 * Turns what a user chose into a full name: the suffix is appended unless it is already there. A name with
 * another network's suffix (`alice.unverified.ans` where the acronym is `cns`) is a label with dots: an error.
 */
export function completeName(chosen: string, acronym: string = DEFAULT_ACRONYM): Parsed<EntryName> {
  const suffix = nameSuffix(acronym);
  const label = chosen.endsWith(suffix) ? chosen.slice(0, -suffix.length) : chosen;
  return parseLabel({ given: chosen, label, acronym });
}

type LabelParts = { readonly given: string; readonly label: string; readonly acronym: string };

function parseLabel({ given, label, acronym }: LabelParts): Parsed<EntryName> {
  const longest = maxLabelLength(acronym);
  const suffix = nameSuffix(acronym);
  if (longest < 1) {
    return refuse(given, acronym, `the ending "${suffix}" leaves no room for it`, "Choose a shorter acronym");
  }
  if (label === "") {
    return refuse(given, acronym, `nothing stands before "${suffix}"`, "Choose at least one character");
  }
  if (label.includes(".")) {
    return refuse(given, acronym, `there is a dot before "${suffix}"`, 'Leave it out, or write "-" instead');
  }
  if (CAPITAL.test(label)) {
    return refuse(given, acronym, "it has capital letters", "Write it in lower case");
  }
  if (!LABEL.test(label)) {
    const first = Array.from(label).find((character) => !LABEL.test(character)) ?? "";
    return refuse(given, acronym, `it has the character ${show(first)}`, "Leave it out");
  }
  if (label.length > longest) {
    const problem = `the part before "${suffix}" has ${label.length} characters`;
    return refuse(given, acronym, problem, `Shorten it to at most ${longest}`);
  }
  return parsed(`${label}${suffix}` as EntryName);
}

function refuse(given: string, acronym: string, problem: string, advice: string): Parsed<never> {
  const longest = Math.max(0, maxLabelLength(acronym));
  const allowed = `1 to ${longest} characters of a-z, 0-9, "_" and "-", then "${nameSuffix(acronym)}"`;
  return { ok: false, error: `Name ${show(given)}: ${problem}. Allowed: ${allowed}. ${advice}.` };
}
