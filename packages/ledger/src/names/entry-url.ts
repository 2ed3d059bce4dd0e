// The url of an entry: nothing, or an absolute http or https URI of at most 255 UTF-16 code units.
import { type Parsed, parsed, show } from "../values/parsed.ts";
import { isHttpUri } from "./http-uri.ts";

declare const entryUrlBrand: unique symbol;

/** A url an entry may carry, possibly empty. Made by `parseEntryUrl` only. */
export type EntryUrl = string & { readonly [entryUrlBrand]: true };

export const MAX_URL_LENGTH = 255;

const ALLOWED = `nothing, or an absolute http or https URI of at most ${MAX_URL_LENGTH} characters`;

export function parseEntryUrl(text: string): Parsed<EntryUrl> {
  if (text.length > MAX_URL_LENGTH) {
    return refuse(text, `it has ${text.length} characters`, "Shorten it");
  }
  if (text !== "" && !isHttpUri(text)) {
    const advice = "Start it with https:// and percent-encode spaces and other special characters";
    return refuse(text, "it is not an absolute http or https URI", advice);
  }
  return parsed(text as EntryUrl);
}

function refuse(given: string, problem: string, advice: string): Parsed<never> {
  return { ok: false, error: `Url ${show(given)}: ${problem}. Allowed: ${ALLOWED}. ${advice}.` };
}
