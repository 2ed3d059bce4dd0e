/**
 * Texts compressed for a row, such as JSON that names the same parties and contracts many times. The checksum finds bytes that have
 * changed on disk.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

/** Room for the whole of most compressed texts. */
const CHUNK_BYTES = 4096;

/** The bytes that Zstandard begins with. */
const MAGIC = Buffer.from("28b52ffd", "hex");

export function isCompressedText(bytes: Uint8Array): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

export function compressText(text: string): Buffer {
  const bytes = Buffer.from(text);
  // A context for a length that is known takes less memory, which is allocated each time.
  return zstdCompressSync(bytes, {
    ...{ params: PARAMS, chunkSize: CHUNK_BYTES, pledgedSrcSize: bytes.length },
  });
}

/** Throws if the bytes are not those of a compressed text. */
export function decompressText(bytes: Uint8Array): string {
  return zstdDecompressSync(bytes).toString();
}
