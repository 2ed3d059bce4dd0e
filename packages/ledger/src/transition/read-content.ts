/**
 * Reads an entry's content. It has one form, the canonical text, within bounds that leave nothing to the
 * machine: what is too large, too deep or written differently is refused before anything looks at it.
 */
import { parseData } from "../daml/daml-type.ts";
import { DecodeError } from "../daml/decode-error.ts";
import { type LedgerError, ledgerError } from "../errors/ledger-error.ts";
import { EntryContent, entryTypes } from "./entry-content.ts";
import { MAX_CONTENT_BYTES, MAX_CONTENT_DEPTH, MAX_SIGNATURES } from "./limits.ts";
import type { Envelope } from "./log-entry.ts";
import { isBackedTime } from "./network-beginning.ts";

/**
 * The content, or why it is none. Submissions, nearly all entries of a log, are of a rigid type: their text follows from their
 * data, which the runtime writes faster than we write a value, and which has one text if that is plain.
 */
export function readContent(
  { content, signatures }: Envelope,
  bytes: number,
  maxBytes: number = MAX_CONTENT_BYTES,
): EntryContent | LedgerError {
  if (signatures.length > MAX_SIGNATURES) return unreadable(`it has more than ${MAX_SIGNATURES} signatures`);
  if (bytes > maxBytes) return unreadable(`it exceeds ${maxBytes} bytes`);
  const form = formOf(content, MAX_CONTENT_DEPTH);
  if (form === "too deep") return unreadable(`it nests deeper than ${MAX_CONTENT_DEPTH}`);
  try {
    const data = parseData(content);
    const value = EntryContent.decode(data);
    const isCanonical = entryTypes[value.tag].isRigid
      ? form === "plain" || JSON.stringify(data) === content
      : EntryContent.encode(value) === content;
    if (!isCanonical) return unreadable("it is not in its canonical form");
    return hasLaterFields(value)
      ? unreadable("it has fields of a later protocol version than its own")
      : value;
  } catch (error) {
    if (error instanceof DecodeError) return unreadable(error.message);
    throw error;
  }
}

/** Programs of earlier versions cannot read these fields: for them the entry is no content at all. */
function hasLaterFields({ tag, value }: EntryContent): boolean {
  if (tag !== "FoundNetwork" && tag !== "ContinueNetwork") return false;
  return value.clockTolerance !== null && !isBackedTime(value);
}

function unreadable(why: string): LedgerError {
  return ledgerError("INVALID_ARGUMENT", `The entry's content cannot be read: ${why}`);
}

/** The characters of arrays and of `null`, `true` and `false`. */
const PLAIN = new Set("[],nultrefas");

/**
 * Whether arrays and objects of a JSON text nest deeper than the limit; brackets inside strings do not count. A text is plain
 * if no other text has its data: without objects, numbers, escaped characters, and spaces between values.
 */
function formOf(json: string, limit: number): "too deep" | "plain" | "other" {
  let isPlain = json.isWellFormed() && !json.includes("\\");
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const character = json[i] as string;
    if (character === '"') i = endOfString(json, i);
    else {
      if (character === "[" || character === "{") {
        if (++depth > limit) return "too deep";
      } else if (character === "]" || character === "}") depth--;
      isPlain &&= PLAIN.has(character);
    }
  }
  return isPlain ? "plain" : "other";
}

/** The end of the string that starts there: the next quote without an odd number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
