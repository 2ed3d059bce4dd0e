/**
 * The body of an item as its row has it: packed, as bytes. Rows of earlier releases have it as text in a column of its own: compressed and
 * in Base64, or the body itself, which is JSON and begins with a brace.
 */
import { kindOfUpdate, type StreamItem } from "@callsign/api";
import { decompressText, type LoadedDictionaries, type SqlRow } from "@callsign/node";

export function packBody(
  { item, body }: { readonly item: StreamItem; readonly body: string },
  bodies: LoadedDictionaries,
): Uint8Array {
  return bodies.pack(kindOfUpdate(item.update), body);
}

/** Throws if the row has none that was stored. */
export function unpackBody({ packed, body }: SqlRow, bodies: LoadedDictionaries): string {
  if (packed !== null) return bodies.unpack(packed as Uint8Array);
  const text = body as string;
  return text.startsWith("{") ? text : decompressText(Buffer.from(text, "base64"));
}
