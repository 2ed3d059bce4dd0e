/**
 * The body of an item as its row has it: compressed, because it names the same parties and contracts many times, and in Base64, because both
 * kinds of stores take texts. Earlier releases stored the body itself, which is JSON and begins with a brace; short ones are stored so
 * still.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
const CHUNK_BYTES = 4096;
const MAX_SHORT_CHARACTERS = 500;

export function packBody(body: string): string {
  if (body.length <= MAX_SHORT_CHARACTERS) return body;
  const bytes = Buffer.from(body);
  const options = { params: PARAMS, chunkSize: CHUNK_BYTES, pledgedSrcSize: bytes.length };
  return zstdCompressSync(bytes, options).toString("base64");
}

/** Throws if the text is not one that was packed. */
export function unpackBody(text: string): string {
  return text.startsWith("{") ? text : zstdDecompressSync(Buffer.from(text, "base64")).toString();
}
