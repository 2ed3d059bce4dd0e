// The description of an entry: any text of at most 140 UTF-16 code units, also none at all.
import { type Parsed, parsed, show } from "../values/parsed.ts";

declare const entryDescriptionBrand: unique symbol;

/** A description short enough for an entry. Made by `parseEntryDescription` only. */
export type EntryDescription = string & { readonly [entryDescriptionBrand]: true };

export const MAX_DESCRIPTION_LENGTH = 140;

export function parseEntryDescription(text: string): Parsed<EntryDescription> {
  if (text.length <= MAX_DESCRIPTION_LENGTH) return parsed(text as EntryDescription);
  const problem = `it has ${text.length} characters`;
  const allowed = `at most ${MAX_DESCRIPTION_LENGTH} characters, where most emoji count as two or more`;
  return {
    ok: false,
    error: `Description ${show(text)}: ${problem}. Allowed: ${allowed}. Shorten it.`,
  };
}
