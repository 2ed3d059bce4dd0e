/**
 * The body of an item as its row has it: compressed, and in Base64, because both kinds of stores take texts. Earlier releases stored the
 * body itself, which is JSON and begins with a brace. Short bodies are still stored so.
 */
import { compressText, decompressText } from "@callsign/node";

const MAX_SHORT_CHARACTERS = 500;

export function packBody(body: string): string {
  return body.length <= MAX_SHORT_CHARACTERS ? body : compressText(body).toString("base64");
}

/** Throws if the text is not one that was packed. */
export function unpackBody(text: string): string {
  return text.startsWith("{") ? text : decompressText(Buffer.from(text, "base64"));
}
