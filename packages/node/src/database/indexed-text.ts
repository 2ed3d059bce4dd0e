/**
 * Texts of any length in a column with an index. PostgreSQL refuses an index's entry of more than 2,704 bytes, so a longer
 * text is stored as its hash. Such a column finds rows by equal texts; it neither orders them nor gives the text back.
 */
import { hash } from "node:crypto";

/** A character takes at most three bytes: two such texts fit in one entry. */
const MAX_INDEXED_CHARACTERS = 400;
const HASHED = "sha256:";

/** The text as the column holds it. Different texts stay different: one that reads like a hash is hashed as well. */
export function indexedText(text: string): string {
  return text.length > MAX_INDEXED_CHARACTERS || text.startsWith(HASHED)
    ? HASHED + hash("sha256", text)
    : text;
}

/** A condition in SQL that holds for every text of a column that is stored as a hash, and for some others. */
export function mayNeedHash(column: string): string {
  return `(octet_length(${column}) > ${MAX_INDEXED_CHARACTERS} or (${column} >= '${HASHED}' and ${column} < 'sha256;'))`;
}
